import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../../kit/sheets/cell.ts'
import { type DecimalSign, provenDecimal, readAmount } from './amount-cell.ts'
import { cleanText } from './cell-text.ts'
import { type DateOrder, provenOrder, readDate } from './date-cell.ts'
import {
  isPlaceholder,
  readCountry,
  readEmail,
  readPhone,
  readPostalCode,
  readSiret,
  readType,
} from './debtor-cells.ts'
import type { CellVerdict } from './row-codes.ts'

const number = (text: string): Cell => ({ kind: 'number', text })

/** The value, with what was healed behind it; or the fault. */
function shown(verdict: CellVerdict<unknown>): string {
  if ('fault' in verdict) return verdict.fault
  const value = typeof verdict.value === 'object' ? JSON.stringify(verdict.value) : String(verdict.value)
  return verdict.healed ? `${value} ${verdict.healed}` : value
}

describe('amounts', () => {
  const read = (cell: Cell, decimal: DecimalSign | null = null) => {
    const verdict = readAmount(cell, decimal)
    if ('fault' in verdict) return verdict.fault
    const { cents, currencies } = verdict.value
    return [cents, currencies?.join('/') ?? null, verdict.healed]
      .filter(part => part !== null && part !== undefined)
      .join(' ')
  }

  it.each<[Cell, string]>([
    ['1234,56', '123456'],
    ['1 234,56 €', '123456 EUR'],
    ['1\u202f234,56\u00a0€', '123456 EUR'],
    ['1\u00a0234\u00a0567,8', '123456780'],
    ['1\u2009234', '123400'],
    ['1.234,56', '123456'],
    ['1,234.56', '123456'],
    ['1.234.567,89', '123456789'],
    ['1,234,567', '123456700'],
    ["1'234.50 CHF", '123450 CHF'],
    ['-12,50', '-1250'],
    ['12,50-', '-1250'],
    ['12,50 € -', '-1250 EUR'],
    ['−12,50', '-1250'],
    ['(12,50)', '-1250'],
    ['(1 234,50 €)', '-123450 EUR'],
    ['+7', '700'],
    ['€ 12.50', '1250 EUR'],
    ['EUR 12,5', '1250 EUR'],
    ['12 euros', '1200 EUR'],
    ['£9.99', '999 GBP'],
    ['$5', '500 USD/CAD/AUD/NZD/HKD/SGD/MXN'],
    [',50', '50'],
    ['12,', '1200'],
    ['0,00', '0'],
    ['-0', '0'],
    ['12,500000', '1250'],
    ['0,125', 'amount_decimals'],
    ['1234,567', 'amount_decimals'],
    ['12,3456', 'amount_decimals'],
    ['10000000000', '1000000000000'],
    ['10000000000,01', 'amount_too_large'],
    ['90071992547409,93', 'amount_too_large'],
    ['12 34', 'amount_not_a_number'],
    ['1.23.4', 'amount_not_a_number'],
    ['1,2,3', 'amount_not_a_number'],
    ['1.234,567.8', 'amount_not_a_number'],
    ['--5', 'amount_not_a_number'],
    ['-5-', 'amount_not_a_number'],
    ['(-5)', 'amount_not_a_number'],
    ['12 EUR EUR', 'amount_not_a_number'],
    ['12,50 US$', '1250 USD'],
    ['Fr.12.50', '1250 CHF'],
    ['12,50 € HT', 'amount_not_a_number'],
    ['12,50 k€', 'amount_not_a_number'],
    ['douze', 'amount_not_a_number'],
    ['1e5', 'amount_not_a_number'],
    ['', 'amount_not_a_number'],
    [number('1234.56'), '123456'],
    [number('1234'), '123400'],
    [number('1.234'), '123 amount_rounded'],
    [number('0.005'), '1 amount_rounded'],
    [number('1234.565'), '123457 amount_rounded'],
    [number('-0.3'), '-30'],
    [number('1E+21'), 'amount_not_a_number'],
  ])('%j is %s', (cell, result) => {
    expect(read(cell)).toBe(result)
  })

  it.each<[string, DecimalSign | null, string]>([
    ['1.234', null, 'amount_ambiguous'],
    ['1,234', null, 'amount_ambiguous'],
    ['1.234', ',', '123400 amount_by_column'],
    ['1,234', '.', '123400 amount_by_column'],
    ['1,234', ',', 'amount_decimals'],
    ['0,234', '.', 'amount_decimals'],
  ])('%s in a column with the decimal sign %s is %s', (text, decimal, result) => {
    expect(read(text, decimal)).toBe(result)
  })

  it.each<[string, DecimalSign | null]>([
    ['12,5', ','],
    ['1.234,56', ','],
    ['1,234.56', '.'],
    ['1.234.567', ','],
    ['1,234', null],
    ['1234', null],
    ['abc', null],
  ])('%s proves %s', (text, sign) => {
    expect(provenDecimal(text)).toBe(sign)
  })

  it('every sum is read back exactly, however it is written', () => {
    const spaces = fc.constantFrom('', ' ', '\u00a0', '\u202f')
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), spaces, fc.boolean(), (cents, space, isFrench) => {
        const digits = String(Math.abs(cents)).padStart(3, '0')
        const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, isFrench ? space : ',')
        const text = `${cents < 0 ? '-' : ''}${whole}${isFrench ? ',' : '.'}${digits.slice(-2)}${isFrench ? ' €' : ''}`
        expect(readAmount(text, null)).toMatchObject({ value: { cents: cents === 0 ? 0 : cents } })
      }),
    )
  })
})

describe('dates', () => {
  const read = (cell: Cell, order: DateOrder = 'day_first', isRewritten = false) =>
    shown(readDate(cell, { order, isRewritten }))

  it.each<[Cell, string]>([
    ['12/03/2026', '2026-03-12'],
    ['1/3/2026', '2026-03-01'],
    ['12-03-26', '2026-03-12 year_completed'],
    ['12.03.2026', '2026-03-12'],
    ['12/03/2026 14:30', '2026-03-12'],
    ['2026-03-12', '2026-03-12'],
    ['2026/3/2', '2026-03-02'],
    ['2026-03-12T09:30:00Z', '2026-03-12'],
    ['12 mars 2026', '2026-03-12'],
    ['1er août 2026', '2026-08-01'],
    ['jeudi 12 mars 2026', '2026-03-12'],
    ['12 févr. 2026', '2026-02-12'],
    ['12-déc-26', '2026-12-12 year_completed'],
    ['March 12, 2026', '2026-03-12'],
    ['12 March 2026', '2026-03-12'],
    ['20260312', '2026-03-12'],
    ['12032026', '2026-03-12'],
    ['46093', '2026-03-12 date_from_serial'],
    [number('46093'), '2026-03-12 date_from_serial'],
    [{ kind: 'date', text: '2026-03-12T10:00:00' }, '2026-03-12'],
    ['29/02/2028', '2028-02-29'],
    ['29/02/2026', 'date_not_a_day'],
    ['31/04/2026', 'date_not_a_day'],
    ['00/00/0000', 'date_not_a_day'],
    ['12/03/1026', 'date_not_a_day'],
    ['12/03', 'date_not_a_day'],
    ['12 brumaire 2026', 'date_not_a_day'],
    ['à réception', 'date_not_a_day'],
    [number('3'), 'date_not_a_day'],
    [{ kind: 'date', text: '1900-03-12' }, 'date_not_a_day'],
    ['03/25/2026', '2026-03-25'],
  ])('%j is %s', (cell, result) => {
    expect(read(cell)).toBe(result)
  })

  it('a date with two meanings is judged by its column', () => {
    expect(read('03/04/2026')).toBe('2026-04-03')
    expect(read('03/04/2026', 'month_first')).toBe('2026-03-04 date_by_column')
    expect(read('03/04/2026', 'mixed')).toBe('date_ambiguous')
    expect(read('04/04/2026', 'mixed')).toBe('2026-04-04')
    expect(read('25/04/2026', 'mixed')).toBe('2026-04-25')
  })

  it('only a day of the calendar proves an order', () => {
    expect(['25/03/2026', '03/25/2026', '03/04/2026', '31/02/2026', '25/25/2026'].map(provenOrder)).toEqual([
      'day_first',
      'month_first',
      null,
      null,
      null,
    ])
  })

  it('a date of Excel between texts with the month first may be exchanged', () => {
    expect(read({ kind: 'date', text: '2026-04-03' }, 'month_first', true)).toBe('date_ambiguous')
    expect(read({ kind: 'date', text: '2026-04-23' }, 'month_first', true)).toBe('2026-04-23')
  })
})

describe('debtors', () => {
  it.each([
    ['732 829 320 00074', '{"siret":"73282932000074"}'],
    ['732\u00a0829\u00a0320.00074', '{"siret":"73282932000074"}'],
    ['5520946900126', 'siret_length'],
    ['732829320', '{"siren":"732829320"} siren_only'],
    ['732829321', 'siret_length'],
    ['3,56E+13', 'siret_digits_lost'],
    ['3.56E13', 'siret_digits_lost'],
    ['73282932000000', 'siret_digits_lost'],
    ['73282932000075', 'siret_check_digit'],
    ['35600000000048', '{"siret":"35600000000048"}'],
    ['FR40303265045', 'siret_length'],
    ['123', 'siret_length'],
  ])('the SIRET %s is %s', (text, result) => {
    expect(shown(readSiret(text))).toBe(result)
  })

  it('leading zeros of a SIRET come back if the check digit then holds', () => {
    // 005 520 176 00016 has the SIREN 005520176.
    expect(shown(readSiret('00552017600016'))).toBe('{"siret":"00552017600016"}')
    expect(shown(readSiret('552017600016'))).toBe('{"siret":"00552017600016"} siret_padded')
    expect(shown(readSiret('552017600017'))).toBe('siret_length')
    expect(shown(readSiret('5520176'))).toBe('siret_length')
  })

  it.each([
    ['06 12 34 56 78', '+33612345678 phone_completed'],
    ['06.12.34.56.78', '+33612345678 phone_completed'],
    ['612345678', '+33612345678 phone_zero_restored'],
    ['+33 (0)6 12 34 56 78', '+33612345678'],
    ['0033612345678', '+33612345678 phone_completed'],
    ['33612345678', '+33612345678 phone_completed'],
    ['0690 12 34 56', '+590690123456 phone_completed'],
    ['0692123456', '+262692123456 phone_completed'],
    ['06 12 34 56 78 / 01 40 00 00 00', '+33612345678 first_taken'],
    ['06-12-34-56-78', '+33612345678 phone_completed'],
    ['06 12 34 56', 'phone_unreadable'],
    ['3615', 'phone_unreadable'],
    ['voir dossier', 'phone_unreadable'],
  ])('the phone number %s is %s', (text, result) => {
    expect(shown(readPhone(text, 'FR'))).toBe(result)
  })

  it('a national number of a debtor abroad is a doubt', () => {
    expect(shown(readPhone('0470 12 34 56', 'BE'))).toBe('phone_unreadable')
    expect(shown(readPhone('+32 470 12 34 56', 'BE'))).toBe('+32470123456')
  })

  it.each([
    ['compta@durand.fr', 'compta@durand.fr'],
    [' Durand <compta@durand.fr> ', 'compta@durand.fr email_cleaned'],
    ['mailto:compta@durand.fr', 'compta@durand.fr email_cleaned'],
    ['compta @ durand.fr', 'compta@durand.fr email_cleaned'],
    ['compta@durand.fr; direction@durand.fr', 'compta@durand.fr first_taken'],
    ['compta@durand.fr / direction@durand.fr', 'compta@durand.fr first_taken'],
    ['compta@durand', 'email_invalid'],
    ['compta durand.fr', 'email_invalid'],
    ['compta@durand.fr, Paris', 'email_invalid'],
    ['néant', 'email_invalid'],
  ])('the email %s is %s', (text, result) => {
    expect(shown(readEmail(text))).toBe(result)
  })

  it.each([
    ['69003', 'FR', '69003'],
    ['1000', 'FR', '01000 postal_code_padded'],
    ['69 003', 'FR', '69003'],
    ['F-69003', 'FR', '69003'],
    ['123', 'FR', 'postal_code_unreadable'],
    ['1000', 'BE', '1000'],
    ['SW1A 1AA', 'GB', 'SW1A 1AA'],
  ])('the postal code %s in %s is %s', (text, country, result) => {
    expect(shown(readPostalCode(text, country))).toBe(result)
  })

  it.each([
    ['France', 'FR'],
    ['fr', 'FR'],
    ['BELGIQUE', 'BE'],
    ['Allemagne', 'DE'],
    ['Germany', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ['UK', 'GB'],
    ['FRA', 'FR'],
    ['Gaule', 'country_unknown'],
  ])('the country %s is %s', (text, result) => {
    expect(shown(readCountry(text))).toBe(result)
  })

  it.each([
    ['Particulier', 'consumer'],
    ['Entreprise', 'business'],
    ['Collectivité', 'public_body'],
    ['VIP', 'type_unknown'],
  ])('the type %s is %s', (text, result) => {
    expect(shown(readType(text))).toBe(result)
  })
})

it('a cell of the greatest length is judged at once, whatever it repeats', () => {
  const length = 32_767
  const repeated = [
    ' ',
    '1',
    '1 ',
    ',',
    '.',
    '(',
    '-',
    '€',
    '/',
    'a',
    'a@',
    '<',
    '<a',
    '@ ',
    '0;',
    '\u00a0',
    "'",
    'a ',
    'mars ',
  ]
  for (const part of repeated)
    for (const text of [part.repeat(length / part.length), `1${part.repeat(length / part.length)}x`]) {
      readAmount(text, ',')
      provenDecimal(text)
      readDate(text)
      provenOrder(text)
      const clean = cleanText(text)
      for (const read of [readEmail, readSiret, readCountry, readType, isPlaceholder]) read(clean)
      readPhone(clean, 'FR')
      readPostalCode(clean, 'FR')
    }
}, 20_000)
