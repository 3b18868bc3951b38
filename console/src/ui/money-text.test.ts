import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '../lib/format.ts'
import { centsOf } from './money-text.ts'

const sums = fc.integer({ min: 0, max: 99_999_999_999 })
const languages = fc.constantFrom('fr' as const, 'en' as const)

describe('a sum as people type it', () => {
  it.each([
    ['1 234,50 €', 123_450],
    ['1\u202f234,50\u00a0€', 123_450],
    ['1\u2009234,5', 123_450],
    ['1234.5', 123_450],
    ['€1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['EUR 12', 1_200],
    ['12,00 EUR', 1_200],
    ['0,05', 5],
  ])('reads %j', (text, cents) => {
    expect(centsOf(text, 'fr')).toBe(cents)
    expect(centsOf(text, 'en')).toBe(cents)
  })

  it.each([
    '',
    ' ',
    '€',
    '-5',
    '−5',
    '1,2,3',
    '12 34',
    '1.234',
    '1.234.5678',
    '12,',
    ',5',
    '1e3',
    '12 € 50',
    'douze',
    '1234567890123',
  ])('refuses %j', text => {
    expect(centsOf(text, 'fr')).toBeNull()
    expect(centsOf(text, 'en')).toBeNull()
  })

  it('takes a comma before three digits for thousands in English only', () => {
    expect(centsOf('1,234', 'en')).toBe(123_400)
    expect(centsOf('1,234', 'fr')).toBeNull()
  })

  it('reads in each language what the console shows in either', () => {
    fc.assert(
      fc.property(sums, languages, languages, (cents, shown, reader) => {
        expect(centsOf(money(cents, 'EUR', shown), reader)).toBe(cents)
      }),
    )
  })

  it('reads a keypad’s point and a French comma alike, with and without spaces', () => {
    fc.assert(
      fc.property(
        sums,
        languages,
        fc.constantFrom(' ', '\u00a0', '\u202f', '\u2009', ''),
        (cents, reader, space) => {
          const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, space)
          const decimals = String(cents % 100).padStart(2, '0')
          expect(centsOf(`${whole}.${decimals}`, reader)).toBe(cents)
          expect(centsOf(`${whole},${decimals}`, reader)).toBe(cents)
        },
      ),
    )
  })

  it('never answers anything but whole cents or null', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789,. €-\u202fa') }),
        languages,
        (text, reader) => {
          const cents = centsOf(text, reader)
          expect(cents === null || (Number.isSafeInteger(cents) && cents >= 0)).toBe(true)
        },
      ),
    )
  })
})
