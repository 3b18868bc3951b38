import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCents, cents, formatMoney, isTwoDecimalCurrency, subtractCents } from './money.ts'

const amount = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })

test('only whole, safe numbers are cents', () => {
  for (const wrong of [0.1, 12.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
    expect(() => cents(wrong)).toThrow(RangeError)
  }
  expect(Object.is(cents(-0), 0)).toBe(true)
})

test('what is added can be subtracted again', () => {
  fc.assert(
    fc.property(amount, amount, (left, right) => {
      expect(subtractCents(addCents(cents(left), cents(right)), cents(right))).toBe(cents(left))
    }),
  )
})

test('a sum too large to be exact is refused', () => {
  expect(() => addCents(cents(Number.MAX_SAFE_INTEGER), cents(1))).toThrow(RangeError)
})

test('French money is written with no-break spaces and a comma, English with the sign first', () => {
  expect(formatMoney(cents(120_000), 'EUR', 'fr')).toBe('1\u202f200,00\u00a0€')
  expect(formatMoney(cents(120_000), 'EUR', 'en')).toBe('€1,200.00')
  expect(formatMoney(cents(5), 'EUR', 'fr')).toBe('0,05\u00a0€')
  expect(formatMoney(cents(-2437), 'EUR', 'fr')).toBe('-24,37\u00a0€')
  expect(formatMoney(cents(0), 'CHF', 'en')).toBe('CHF\u00a00.00')
})

test('the largest sum is written to the cent', () => {
  expect(formatMoney(cents(Number.MAX_SAFE_INTEGER), 'EUR', 'en')).toBe('€90,071,992,547,409.91')
})

test('every digit of an amount is written', () => {
  fc.assert(
    fc.property(amount, value => {
      const digits = formatMoney(cents(value), 'EUR', 'fr').replace(/\D/g, '')
      expect(Number(digits)).toBe(Math.abs(value))
    }),
  )
})

test('currencies without exactly two decimals are not accepted', () => {
  for (const code of [
    'JPY',
    'KRW',
    'XOF',
    'XAF',
    'XPF',
    'CLP',
    'ISK',
    'VND',
    'TND',
    'KWD',
    'BHD',
    'CLF',
    'UYW',
  ]) {
    expect(isTwoDecimalCurrency(code), code).toBe(false)
  }
  for (const code of ['XAU', 'XXX', 'XTS', 'HRK', 'BGN', 'eur', '', 'EURO']) {
    expect(isTwoDecimalCurrency(code), code).toBe(false)
  }
})

test('every accepted currency can be written', () => {
  for (const code of ['EUR', 'USD', 'GBP', 'CHF', 'MAD', 'PLN', 'SEK', 'CAD', 'XCG', 'ZWG']) {
    expect(isTwoDecimalCurrency(code), code).toBe(true)
    expect(formatMoney(cents(100), code, 'fr')).toContain('1,00')
  }
})
