import type { Language } from './language.tsx'

const locales = { fr: 'fr-FR', en: 'en-GB' } as const

/** Formatters are slow to make: each is made once. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const numberFormat = (language: Language, options: Intl.NumberFormatOptions) => {
  const key = `${language} ${JSON.stringify(options)}`
  const known = numberFormats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locales[language], options)
  numberFormats.set(key, made)
  return made
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()
const dateFormat = (language: Language, options: Intl.DateTimeFormatOptions) => {
  const key = `${language} ${JSON.stringify(options)}`
  const known = dateFormats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locales[language], options)
  dateFormats.set(key, made)
  return made
}

/** A true minus sign, as French and English typography want it. */
const withMinus = (text: string) => text.replace('-', '−')

/** 123450 → `1 234,50 €` or `€1,234.50`: always two decimals, always the unit. */
export const money = (cents: number, currency: string, language: Language) =>
  withMinus(numberFormat(language, { style: 'currency', currency }).format(cents / 100))

/** For pictures only: `241,7 k€` or `€241.7k`. */
export function shortMoney(cents: number, currency: string, language: Language) {
  if (Math.abs(cents) < 100_000) return money(cents, currency, language)
  const text = numberFormat(language, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  })
  return withMinus(text.format(cents / 100)).replace(/(\d\s\p{L})\s(?=\p{Sc})/u, '$1')
}

export const count = (value: number, language: Language) => numberFormat(language, {}).format(value)

/** A calendar day, `2026-11-16`, in tables: `16/11/2026` or `16 Nov 2026`. */
export const day = (date: string, language: Language) =>
  dateFormat(
    language,
    language === 'fr'
      ? { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' }
      : { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
  ).format(new Date(`${date.slice(0, 10)}T00:00:00Z`))

/** The day of a moment in a zone, in sentences: `lun. 16 nov.` or `Mon, 16 Nov`. */
export const weekday = (moment: string | number, timeZone: string, language: Language) =>
  dateFormat(language, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(
    new Date(moment),
  )

/** `08:14` */
export const clockTime = (moment: string | number, timeZone: string, language: Language) =>
  dateFormat(language, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(moment),
  )

/** `lun. 16 nov. 08:14` */
export const momentText = (moment: string | number, timeZone: string, language: Language) =>
  `${weekday(moment, timeZone, language)} ${clockTime(moment, timeZone, language)}`

/** `lundi 16 novembre 2026` or `Monday 16 November 2026` */
export const fullDay = (moment: string | number, timeZone: string, language: Language) =>
  dateFormat(language, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(new Date(moment))
