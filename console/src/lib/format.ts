import { daysOfWeek, monthsOfYear } from './date-names.ts'
import type { Language } from './language.tsx'
import { localMoment, localTime, weekdayOf } from './zone.ts'

/*
 * The formats that every screen uses do not call `Intl`: its first use in a page loads all locales of the browser, which is slow.
 * A test compares these functions with the output of `Intl`.
 */

const spaces = { narrow: '\u202f', plain: '\u00a0' }

function grouped(digits: string, language: Language): string {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join(language === 'fr' ? spaces.narrow : ',')
}

/** A true minus sign, as French and English typography want it. */
const minus = '−'

/** Formatters are slow to make: each is made once. */
const numberFormats = new Map<string, Intl.NumberFormat>()
function withIntl(value: number, language: Language, options: Intl.NumberFormatOptions): string {
  const key = `${language} ${JSON.stringify(options)}`
  const format =
    numberFormats.get(key) ?? new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB', options)
  numberFormats.set(key, format)
  return format.format(value).replace('-', minus)
}

/** 123450 → `1 234,50 €` or `€1,234.50`: always two decimals, always the unit. */
export function money(cents: number, currency: string, language: Language): string {
  if (currency !== 'EUR') return withIntl(cents / 100, language, { style: 'currency', currency })
  const digits = String(Math.abs(cents)).padStart(3, '0')
  const units = grouped(digits.slice(0, -2), language)
  const hundredths = digits.slice(-2)
  const sign = cents < 0 ? minus : ''
  return language === 'fr'
    ? `${sign}${units},${hundredths}${spaces.plain}€`
    : `${sign}€${units}.${hundredths}`
}

/** For pictures only: `241,7 k€` or `€241.7k`. */
export function shortMoney(cents: number, currency: string, language: Language) {
  if (Math.abs(cents) < 100_000) return money(cents, currency, language)
  const compact = { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 } as const
  return withIntl(cents / 100, language, compact).replace(/(\d\s\p{L})\s(?=\p{Sc})/u, '$1')
}

export const count = (value: number, language: Language) =>
  `${value < 0 ? minus : ''}${grouped(String(Math.abs(value)), language)}`

const dayParts = (date: string) => ({
  year: date.slice(0, 4),
  month: Number(date.slice(5, 7)) - 1,
  number: Number(date.slice(8, 10)),
  weekday: weekdayOf(date.slice(0, 10)) - 1,
})

/** A calendar day, `2026-11-16`, in tables: `16/11/2026` or `16 Nov 2026`. */
export function day(date: string, language: Language): string {
  const { year, month, number } = dayParts(date)
  if (language === 'fr') return `${date.slice(8, 10)}/${date.slice(5, 7)}/${year}`
  return `${number} ${monthsOfYear.en.short[month]} ${year}`
}

const localDay = (moment: string | number, timeZone: string) =>
  dayParts(localTime(new Date(moment).getTime(), timeZone).date)

/** The day of a moment in a zone, in sentences: `lun. 16 nov.` or `Mon 16 Nov`. */
export function weekday(moment: string | number, timeZone: string, language: Language): string {
  const { weekday: place, number, month } = localDay(moment, timeZone)
  return `${daysOfWeek[language].short[place]} ${number} ${monthsOfYear[language].short[month]}`
}

/** `5 nov.` or `5 Nov`: where there is no room for more. */
export function shortDay(moment: string | number, timeZone: string, language: Language): string {
  const { number, month } = localDay(moment, timeZone)
  return `${number} ${monthsOfYear[language].short[month]}`
}

/** `08:14` */
export const clockTime = (moment: string | number, timeZone: string): string =>
  localMoment(new Date(moment).getTime(), timeZone).slice('2026-11-16T'.length)

/** Where the reader is, and where the debtor is, with the name of that place. */
export interface Clocks {
  readonly home: string
  readonly local: string
  readonly place: string
}

const inPlace = { fr: 'à', en: 'in' }

/** `17:05 à Pointe-à-Pitre`; null where the debtor's clock shows the same time. */
export function otherClock(
  moment: string | number,
  { home, local, place }: Clocks,
  language: Language,
): string | null {
  const there = clockTime(moment, local)
  return there === clockTime(moment, home) ? null : `${there} ${inPlace[language]} ${place}`
}

/** `22:05`; where the debtor's clock shows another time, with it: `22:05, 17:05 à Pointe-à-Pitre`. */
export const clockText = (moment: string | number, clocks: Clocks, language: Language): string =>
  [clockTime(moment, clocks.home), otherClock(moment, clocks, language)].filter(Boolean).join(', ')

/** `lun. 16 nov. 22:05, 17:05 à Pointe-à-Pitre` */
export const placedMoment = (moment: string | number, clocks: Clocks, language: Language) =>
  `${weekday(moment, clocks.home, language)} ${clockText(moment, clocks, language)}`

/** `lun. 16 nov. 08:14` */
export const momentText = (moment: string | number, timeZone: string, language: Language) =>
  `${weekday(moment, timeZone, language)} ${clockTime(moment, timeZone)}`

/** `lundi 16 novembre 2026` or `Monday, 16 November 2026` */
export function fullDay(moment: string | number, timeZone: string, language: Language): string {
  const { weekday: place, number, month, year } = localDay(moment, timeZone)
  const name = daysOfWeek[language].long[place]
  return `${name}${language === 'en' ? ',' : ''} ${number} ${monthsOfYear[language].long[month]} ${year}`
}
