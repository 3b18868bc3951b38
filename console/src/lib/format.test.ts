import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clockTime, count, day, fullDay, money, weekday } from './format.ts'
import type { Language } from './language.tsx'

const locales = { fr: 'fr-FR', en: 'en-GB' } as const
const languages = Object.keys(locales) as Language[]
const zones = ['Europe/Paris', 'Indian/Reunion', 'America/Guadeloupe', 'Asia/Kathmandu', 'UTC']

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2045, 0, 1) })
const withMinus = (text: string) => text.replace('-', '−')

describe.each(languages)('in %s it is written as Intl writes it', language => {
  const locale = locales[language]

  it('sums and counts', () => {
    const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
    const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
    const plain = new Intl.NumberFormat(locale)
    fc.assert(
      fc.property(cents, value => {
        expect(money(value, 'EUR', language)).toBe(withMinus(euros.format(value / 100)))
        expect(money(value, 'USD', language)).toBe(withMinus(dollars.format(value / 100)))
        expect(count(value, language)).toBe(withMinus(plain.format(value)))
      }),
      { numRuns: 1_000 },
    )
    for (const value of [0, 1, -1, 99, 100, 99_999, 100_000])
      expect(money(value, 'EUR', language)).toBe(withMinus(euros.format(value / 100)))
  })

  it.each(zones)('moments in %s', timeZone => {
    const written = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { timeZone, ...options })
    const short = written({ weekday: 'short', day: 'numeric', month: 'short' })
    const clock = written({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    const long = written({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    fc.assert(
      fc.property(moments, at => {
        expect(weekday(at, timeZone, language)).toBe(short.format(at))
        expect(clockTime(at, timeZone)).toBe(clock.format(at))
        expect(fullDay(new Date(at).toISOString(), timeZone, language)).toBe(long.format(at))
      }),
      { numRuns: 1_000 },
    )
  })

  it('days', () => {
    const written = new Intl.DateTimeFormat(
      locale,
      language === 'fr'
        ? { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' }
        : { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
    )
    fc.assert(
      fc.property(moments, at => {
        expect(day(new Date(at).toISOString(), language)).toBe(
          written.format(new Date(at).setUTCHours(0, 0, 0, 0)),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
