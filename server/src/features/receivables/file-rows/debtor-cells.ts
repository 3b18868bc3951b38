import { frenchNumber } from '../../../domain/contact/national-phone.ts'
import { isAssignedCountry } from '../../../domain/country.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import { hasValidCheckDigit, isSiren } from '../../../domain/siret.ts'
import { shortText } from '../../../kit/short-text.ts'
import type { CellVerdict } from './row-codes.ts'

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Texts that mean that the value is not known. */
const placeholders = new Set(
  'n a,na,nc,n c,neant,aucun,aucune,null,none,nan,inconnu,inconnue,non renseigne,non communique,vide,x,xx,0'.split(
    ',',
  ),
)
const placeholderMax = 20
export function isPlaceholder(text: string): boolean {
  // Most cells have a value, and removing their accents is the most expensive part.
  if (text.length > placeholderMax || /\d\d|@/.test(text)) return false
  const words = plain(text)
  return words === '' || placeholders.has(words)
}

/** Several values in a cell: the first is taken. */
const partsOf = (text: string, between: RegExp) =>
  text
    .split(between)
    .map(part => part.trim())
    .filter(part => part !== '')

/** No mail server takes a longer address. */
const emailMax = 254
const emailShape = shortText(emailMax, /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/)

export function readEmail(text: string): CellVerdict<string> {
  const bracketed = [...text.matchAll(/<([^<>]+)>/g)].map(([, inner]) => inner!)
  const [first = '', ...others] =
    bracketed.length > 0 ? bracketed : partsOf(text, /[;,\n]|\s\/\s|\s(?:ou|et)\s|(?<!\s)\s+(?=[^\s@]+@)/)
  if (others.some(other => !other.includes('@'))) return { fault: 'email_invalid' }
  const value = first
    .replace(/^mailto:/i, '')
    .replace(/(?<!\s)\s*@\s*/, '@')
    .replace(/[\u200b\ufeff\u00a0]/g, '')
    .trim()
  if (!emailShape.test(value)) return { fault: 'email_invalid' }
  if (others.length > 0) return { value, healed: 'first_taken' }
  return value === text.trim() ? { value } : { value, healed: 'email_cleaned' }
}

/** E.164. A national number is French; the number of a debtor abroad needs its country code. */
export function readPhone(text: string, country: string): CellVerdict<string> {
  const [first = '', ...others] = partsOf(text, /[;/,\n]|\sou\s|\s-\s/)
  const digits = first.replace('(0)', '').replace(/[\s.\-()\u00a0\u202f]/g, '')
  const taken = (value: string, healed?: 'phone_zero_restored' | 'phone_completed'): CellVerdict<string> =>
    others.length > 0 ? { value, healed: 'first_taken' } : healed ? { value, healed } : { value }
  if (/^\+[1-9]\d{6,14}$/.test(digits)) return taken(digits)
  if (/^00[1-9]\d{6,14}$/.test(digits)) return taken(`+${digits.slice(2)}`, 'phone_completed')
  if (country !== 'FR') return { fault: 'phone_unreadable' }
  if (/^0[1-9]\d{8}$/.test(digits)) return taken(frenchNumber(digits), 'phone_completed')
  if (/^[1-9]\d{8}$/.test(digits)) return taken(frenchNumber(`0${digits}`), 'phone_zero_restored')
  if (/^33[1-9]\d{8}$/.test(digits)) return taken(`+${digits}`, 'phone_completed')
  return { fault: 'phone_unreadable' }
}

/** A SIREN is nine digits: it names the company and no establishment, so the SIRET stays empty. */
export type SiretRead = { siret: string } | { siren: string }

export function readSiret(text: string): CellVerdict<SiretRead> {
  const digits = text.replace(/[\s.\-'’\u00a0\u202f]/g, '')
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(text.replace(/\s/g, ''))) return { fault: 'siret_digits_lost' }
  if (!/^\d{8,14}$/.test(digits)) return { fault: 'siret_length' }
  if (digits.length <= 9) {
    const siren = digits.padStart(9, '0')
    return isSiren(siren) ? { value: { siren }, healed: 'siren_only' } : { fault: 'siret_length' }
  }
  const siret = digits.padStart(14, '0')
  // No establishment has this number: Excel has replaced the last digits.
  if (siret.endsWith('00000')) return { fault: 'siret_digits_lost' }
  if (digits.length === 14)
    return hasValidCheckDigit(siret) ? { value: { siret } } : { fault: 'siret_check_digit' }
  // Zeros are put back only if both check digits say so, that of the company and that of the establishment.
  const isProven = hasValidCheckDigit(siret) && isSiren(siret.slice(0, 9))
  return isProven ? { value: { siret }, healed: 'siret_padded' } : { fault: 'siret_length' }
}

export function readPostalCode(text: string, country: string): CellVerdict<string> {
  const value = text.trim()
  if (country !== 'FR') return { value }
  const digits = value.replace(/^F(?:R)?[-\s]?(?=\d)/i, '').replace(/\s/g, '')
  if (/^\d{5}$/.test(digits)) return { value: digits }
  if (/^[1-9]\d{3}$/.test(digits)) return { value: `0${digits}`, healed: 'postal_code_padded' }
  return { fault: 'postal_code_unreadable' }
}

const threeLetters: Readonly<Record<string, string>> = {
  FRA: 'FR',
  BEL: 'BE',
  CHE: 'CH',
  LUX: 'LU',
  DEU: 'DE',
  ESP: 'ES',
  ITA: 'IT',
  GBR: 'GB',
  NLD: 'NL',
  PRT: 'PT',
  UK: 'GB',
}
let countryNames: Map<string, string> | null = null

function namesOfCountries(): Map<string, string> {
  if (countryNames) return countryNames
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap(first => letters.map(second => first + second)).filter(isAssignedCountry)
  countryNames = new Map()
  for (const language of ['fr', 'en']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of codes) countryNames.set(plain(names.of(code) ?? code), code)
  }
  return countryNames
}

export function readCountry(text: string): CellVerdict<string> {
  const code = text.trim().toUpperCase()
  if (isAssignedCountry(code)) return { value: code }
  const value = threeLetters[code] ?? namesOfCountries().get(plain(text))
  return value === undefined ? { fault: 'country_unknown' } : { value }
}

const typeWords: readonly [RegExp, DebtorType][] = [
  [/\b(particulier|b2c|consommateur|consumer|individual)\b/, 'consumer'],
  [/\b(public|public body|administration|collectivite|mairie|b2g)\b/, 'public_body'],
  [/\b(entreprise|professionnel|pro|b2b|societe|business|company|association)\b/, 'business'],
]

export function readType(text: string): CellVerdict<DebtorType> {
  const value = typeWords.find(([words]) => words.test(plain(text)))?.[1]
  return value === undefined ? { fault: 'type_unknown' } : { value }
}

export function readLanguage(text: string): CellVerdict<'fr' | 'en'> {
  const word = plain(text)
  if (/^(fr|fr fr|fra|francais|french)$/.test(word)) return { value: 'fr' }
  return /^(en|en gb|en us|eng|anglais|english)$/.test(word) ? { value: 'en' } : { fault: 'language_unknown' }
}
