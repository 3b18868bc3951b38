import type { Language } from './texts/page-texts.ts'

/** The supported countries (their public holidays are known), each with its time zone and currency. */
const countries = {
  FR: { timeZone: 'Europe/Paris', currency: 'EUR' },
  BE: { timeZone: 'Europe/Brussels', currency: 'EUR' },
  CH: { timeZone: 'Europe/Zurich', currency: 'CHF' },
  DE: { timeZone: 'Europe/Berlin', currency: 'EUR' },
  ES: { timeZone: 'Europe/Madrid', currency: 'EUR' },
  IT: { timeZone: 'Europe/Rome', currency: 'EUR' },
  LU: { timeZone: 'Europe/Luxembourg', currency: 'EUR' },
  NL: { timeZone: 'Europe/Amsterdam', currency: 'EUR' },
  PT: { timeZone: 'Europe/Lisbon', currency: 'EUR' },
} as const

export type Country = keyof typeof countries

export const isCountry = (code: string): code is Country => Object.hasOwn(countries, code)

export const defaultsOf = (code: Country): { timeZone: string; currency: string } => countries[code]

export const countryOptions = (language: Language): { value: string; text: string }[] => {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  return Object.keys(countries)
    .map(code => ({ value: code, text: names.of(code) ?? code }))
    .sort((a, b) => a.text.localeCompare(b.text, language))
}
