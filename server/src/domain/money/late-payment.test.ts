import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publishedRates } from '../../../test/harness/rates.ts'
import { addDays, daysBetween } from '../time.ts'
import {
  type LateInvoice,
  type LateTerms,
  latePayment,
  recountedClaim,
  unknownHalfYears,
} from './late-payment.ts'

const invoice = (more: Partial<LateInvoice> = {}): LateInvoice => ({
  dueDate: '2025-10-31',
  amountCents: 120_000,
  currency: 'EUR',
  movements: [],
  ...more,
})
const terms = (more: Partial<LateTerms> = {}): LateTerms => ({
  debtorType: 'business',
  creditorCountry: 'FR',
  rates: publishedRates,
  contractRateBps: null,
  isClaimed: true,
  insolvencyOpenedOn: null,
  ...more,
})
const nothing = { indemnity: 0, interest: 0, counted: null, periods: [], uncountedDays: 0 }

describe('by hand', () => {
  test('1,200.00 € and 61 days at 12.15 % make 24.37 €', () => {
    // 120000 × 0.1215 × 61 / 365 = 2436.66 cents
    expect(latePayment(invoice(), terms(), '2025-12-31')).toEqual({
      indemnity: 4_000,
      interest: 2_437,
      counted: { from: '2025-11-01', to: '2025-12-31' },
      periods: [
        { from: '2025-11-01', to: '2025-12-31', days: 61, base: 120_000, rateBps: 1_215, interest: 2_437 },
      ],
      uncountedDays: 0,
    })
  })

  test('what was never owed bears no interest, and nothing more is claimed than before', () => {
    const lowered = invoice({ amountCents: 96_000 })
    // 96000 × 0.1215 × 61 / 365 = 1949.33 cents, and the 40 €.
    expect(recountedClaim(6_437, lowered, terms(), '2025-12-31')).toBe(4_000 + 1_949)
    expect(recountedClaim(5_000, lowered, terms(), '2025-12-31')).toBe(5_000)
    expect(recountedClaim(6_437, invoice({ amountCents: 0 }), terms(), '2025-12-31')).toBe(0)
  })

  test('a half-year ends a line even where the rate stays', () => {
    const { periods, interest } = latePayment(invoice(), terms(), '2026-01-10')
    expect(periods.map(({ from, to, days }) => [from, to, days])).toEqual([
      ['2025-11-01', '2025-12-31', 61],
      ['2026-01-01', '2026-01-10', 10],
    ])
    // 120000 × 0.1215 × 10 / 365 = 399.45
    expect(interest).toBe(2_437 + 399)
  })

  test('what was paid bears nothing from its day on, and what came back bears again', () => {
    const movements = [
      { on: '2025-11-11', cents: 100_000 },
      { on: '2025-11-21', cents: -50_000 },
    ]
    const { periods } = latePayment(invoice({ movements }), terms(), '2025-11-30')
    expect(periods.map(({ from, to, days, base }) => [from, to, days, base])).toEqual([
      ['2025-11-01', '2025-11-10', 10, 120_000],
      ['2025-11-11', '2025-11-20', 10, 20_000],
      ['2025-11-21', '2025-11-30', 10, 70_000],
    ])
  })

  test('a credit before the due date lowers the sum from the first day', () => {
    const movements = [{ on: '2025-10-01', cents: 20_000 }]
    expect(latePayment(invoice({ movements }), terms(), '2025-11-01').periods[0]!.base).toBe(100_000)
  })

  test('a public body owes the central bank’s rate and 8 points', () => {
    expect(latePayment(invoice(), terms({ debtorType: 'public_body' }), '2025-12-31')).toMatchObject({
      indemnity: 4_000,
      periods: [{ rateBps: 1_015 }],
    })
  })

  test('a public body owes the rate of the half-year in which interest began, for the whole delay', () => {
    const on = (dueDate: string) =>
      latePayment(invoice({ dueDate }), terms({ debtorType: 'public_body' }), '2026-11-16')
    const june = on('2026-06-10')
    expect(june.periods.map(({ from, to, rateBps }) => [from, to, rateBps])).toEqual([
      ['2026-06-11', '2026-11-16', 1_015],
    ])
    expect(june.uncountedDays).toBe(0)
    expect(on('2024-06-29').periods).toMatchObject([{ from: '2024-06-30', rateBps: 1_250 }])
    expect(on('2024-06-30').periods).toMatchObject([{ from: '2024-07-01', rateBps: 1_225 }])
    // Due on 30 June 2026, it begins in a half-year that is not known.
    expect(on('2026-06-30')).toMatchObject({ interest: 0, periods: [], uncountedDays: 139 })
  })

  test('a contract’s rate holds for a business, but not below three times the legal rate', () => {
    const on = (contractRateBps: number) =>
      latePayment(invoice({ dueDate: '2026-01-31' }), terms({ contractRateBps }), '2026-03-01').periods[0]!
        .rateBps
    expect(on(1_500)).toBe(1_500)
    expect(on(300)).toBe(3 * 262)
  })

  test('days without a known rate are counted apart and claimed for nothing', () => {
    const late = latePayment(invoice({ dueDate: '2026-06-10' }), terms(), '2026-11-16')
    expect(late.counted).toEqual({ from: '2026-06-11', to: '2026-06-30' })
    expect(late.uncountedDays).toBe(daysBetween('2026-06-30', '2026-11-16'))
    const unknown = latePayment(invoice({ dueDate: '2026-10-31' }), terms(), '2026-11-16')
    expect(unknown).toMatchObject({ indemnity: 4_000, interest: 0, counted: null, uncountedDays: 16 })
  })

  test('an insolvency ends the interest on the day before; the indemnity stays where the invoice was late before it', () => {
    const late = latePayment(invoice(), terms({ insolvencyOpenedOn: '2025-11-11' }), '2025-12-31')
    expect(late).toMatchObject({ indemnity: 4_000, counted: { from: '2025-11-01', to: '2025-11-10' } })
    const before = latePayment(invoice(), terms({ insolvencyOpenedOn: '2025-09-01' }), '2025-12-31')
    expect(before).toMatchObject({ indemnity: 0, interest: 0, periods: [] })
    const sameDay = latePayment(invoice(), terms({ insolvencyOpenedOn: '2025-10-31' }), '2025-12-31')
    expect(sameDay).toMatchObject({ indemnity: 0, interest: 0, periods: [] })
  })

  test('nothing is late on the due date itself', () => {
    expect(latePayment(invoice(), terms(), '2025-10-31')).toEqual(nothing)
    expect(latePayment(invoice(), terms(), '2025-11-01').periods[0]!.days).toBe(1)
  })
})

test('the half-years without a rate are named, gaps included', () => {
  const without = (...starts: string[]) => publishedRates.filter(({ startsOn }) => !starts.includes(startsOn))
  expect(unknownHalfYears(publishedRates, '2026-06-30')).toEqual([])
  expect(unknownHalfYears(publishedRates, '2026-11-16')).toEqual(['2026-07-01'])
  expect(unknownHalfYears(without('2024-07-01'), '2027-01-01')).toEqual([
    '2024-07-01',
    '2026-07-01',
    '2027-01-01',
  ])
  expect(unknownHalfYears([], '2026-11-16')).toEqual(['2026-07-01'])
})

const day = (from: string, max: number) => fc.integer({ min: 0, max }).map(days => addDays(from, days))
const anInvoice = fc.record({
  dueDate: day('2025-06-01', 400),
  amountCents: fc.integer({ min: 1, max: 1_000_000_000_000 }),
  currency: fc.constant('EUR'),
  movements: fc.array(
    fc.record({ on: day('2025-05-01', 600), cents: fc.integer({ min: -1_000_000, max: 1_000_000 }) }),
    { maxLength: 5 },
  ),
})
const someTerms = fc.record({
  debtorType: fc.constantFrom('business' as const, 'public_body' as const),
  creditorCountry: fc.constant('FR'),
  rates: fc.subarray([...publishedRates]),
  contractRateBps: fc.option(fc.integer({ min: 0, max: 10_000 })),
  isClaimed: fc.constant(true),
  insolvencyOpenedOn: fc.option(day('2025-06-01', 500)),
})
const today = day('2025-06-01', 700)

test('whatever happened, the lines follow each other, cover every late day once, and add up', () => {
  fc.assert(
    fc.property(anInvoice, someTerms, today, (late, lateTerms, on) => {
      const { periods, interest, uncountedDays, counted } = latePayment(late, lateTerms, on)
      expect(interest).toBe(periods.reduce((sum, period) => sum + period.interest, 0))
      for (const [i, { from, to, days, base, rateBps }] of periods.entries()) {
        expect(from > late.dueDate && to <= on && from <= to).toBe(true)
        if (i > 0) expect(from > periods[i - 1]!.to).toBe(true)
        expect(days).toBe(daysBetween(from, to) + 1)
        expect(base > 0 && rateBps >= 0).toBe(true)
        // No line of a business spans two half-years.
        if (lateTerms.debtorType === 'business')
          expect(from.slice(0, 4) + String(from.slice(5) > '06-30')).toBe(
            to.slice(0, 4) + String(to.slice(5) > '06-30'),
          )
        if (lateTerms.insolvencyOpenedOn) expect(to < lateTerms.insolvencyOpenedOn).toBe(true)
      }
      expect(counted?.to ?? null).toBe(periods.at(-1)?.to ?? null)
      expect(uncountedDays).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('to count to a day and on from it makes what counting at once makes, but for a cent a line', () => {
  fc.assert(
    fc.property(anInvoice, today, fc.integer({ min: 1, max: 200 }), (late, middle, more) => {
      const end = addDays(middle, more)
      const atOnce = latePayment(late, terms(), end)
      const first = latePayment(late, terms(), middle)
      // What follows is the same invoice as if it had been due on the middle day.
      const then = latePayment(
        { ...late, dueDate: late.dueDate > middle ? late.dueDate : middle },
        terms(),
        end,
      )
      expect(Math.abs(atOnce.interest - first.interest - then.interest)).toBeLessThanOrEqual(
        atOnce.periods.length + 1,
      )
      expect(then.uncountedDays + first.uncountedDays).toBe(atOnce.uncountedDays)
    }),
  )
})

test('consumers, other currencies, other countries and companies that do not want it: nothing, ever', () => {
  const not: Partial<
    Pick<LateTerms, 'debtorType' | 'creditorCountry' | 'isClaimed'> & Pick<LateInvoice, 'currency'>
  >[] = [{ debtorType: 'consumer' }, { currency: 'CHF' }, { creditorCountry: 'BE' }, { isClaimed: false }]
  fc.assert(
    fc.property(anInvoice, someTerms, today, fc.constantFrom(...not), (late, lateTerms, on, why) => {
      expect(latePayment({ ...late, ...why }, { ...lateTerms, ...why }, on)).toEqual(nothing)
    }),
  )
})
