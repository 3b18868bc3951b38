import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publishedRates } from '../../../test/harness/rates.ts'
import { type LateInvoice, type LateTerms, latePayment } from './late-payment.ts'

// A second computation of the law, which shares nothing with the first: it goes from day to day.

const dayMs = 86_400_000
const firstDay = Date.UTC(2020, 11, 31)
const lastDay = Date.UTC(2026, 10, 16)

/** Every day from 31 December 2020 to 16 November 2026, with the half-year it is in. */
const calendar = Array.from({ length: (lastDay - firstDay) / dayMs + 1 }, (_, index) => {
  const moment = new Date(firstDay + index * dayMs)
  return {
    date: moment.toISOString().slice(0, 10),
    half: `${moment.getUTCFullYear()}/${moment.getUTCMonth() < 6 ? 1 : 2}`,
  }
})

/** In percent, as the central bank publishes it. The second half of 2026 is not known. */
const refinancing: Record<string, number> = {
  '2021/1': 0,
  '2021/2': 0,
  '2022/1': 0,
  '2022/2': 0,
  '2023/1': 2.5,
  '2023/2': 4,
  '2024/1': 4.5,
  '2024/2': 4.25,
  '2025/1': 3.15,
  '2025/2': 2.15,
  '2026/1': 2.15,
}
const legal: Record<string, number> = { '2026/1': 2.62 }

function dayByDay(invoice: LateInvoice, terms: LateTerms, today: string) {
  const isPublic = terms.debtorType === 'public_body'
  const begin = calendar.findIndex(({ date }) => date === invoice.dueDate) + 1
  const moved = new Map<string, number>()
  for (const { on, cents } of invoice.movements) moved.set(on, (moved.get(on) ?? 0) + cents)
  let open = invoice.amountCents
  for (const [on, cents] of moved) if (on <= invoice.dueDate) open -= cents

  const percentOn = (half: string): number | undefined => {
    if (isPublic) {
      const bank = refinancing[calendar[begin]!.half]
      return bank === undefined ? undefined : bank + 8
    }
    if (terms.contractRateBps !== null) return Math.max(terms.contractRateBps / 100, 3 * (legal[half] ?? 0))
    const bank = refinancing[half]
    return bank === undefined ? undefined : bank + 10
  }

  let interest = 0
  let unclaimed = 0
  // What a line of the statement has come to so far, in cents × hundredths of a percent × days.
  let line = 0
  const endLine = () => {
    interest += Math.floor((line + 1_825_000) / 3_650_000)
    line = 0
  }
  for (let index = begin; index < calendar.length; index++) {
    const { date, half } = calendar[index]!
    if (date > today || (terms.insolvencyOpenedOn !== null && date >= terms.insolvencyOpenedOn)) break
    const isNewHalf = !isPublic && half !== calendar[index - 1]!.half
    if (isNewHalf || moved.has(date)) endLine()
    open -= moved.get(date) ?? 0
    const percent = percentOn(half)
    if (percent === undefined) unclaimed++
    else line += Math.max(0, open) * Math.round(percent * 100)
  }
  endLine()
  const wasLate = terms.insolvencyOpenedOn === null || invoice.dueDate < terms.insolvencyOpenedOn
  return { interest, unclaimed, indemnity: wasLate ? 4_000 : 0 }
}

const someDay = fc.integer({ min: 0, max: calendar.length - 1 }).map(index => calendar[index]!.date)
const often = <T>(value: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other })

test('interest of an invoice due on any day from 2021 to today equals a computation day by day, in 10,000 cases', () => {
  let hasUnknown = 0
  fc.assert(
    fc.property(
      fc.record({
        dueDate: someDay,
        amountCents: fc.integer({ min: 1, max: 1_000_000_000 }),
        currency: fc.constant('EUR'),
        movements: fc.array(
          fc.record({ on: someDay, cents: fc.integer({ min: -50_000_000, max: 500_000_000 }) }),
          { maxLength: 4 },
        ),
      }),
      fc.record({
        debtorType: fc.constantFrom('business' as const, 'public_body' as const),
        creditorCountry: fc.constant('FR'),
        rates: fc.constant(publishedRates),
        contractRateBps: often<number | null>(null, fc.integer({ min: 0, max: 3_000 })),
        isClaimed: fc.constant(true),
        insolvencyOpenedOn: often<string | null>(null, someDay),
      }),
      someDay,
      (invoice, terms, today) => {
        if (invoice.dueDate >= today) {
          expect(latePayment(invoice, terms, today)).toMatchObject({ interest: 0, indemnity: 0 })
          return
        }
        const expected = dayByDay(invoice, terms, today)
        if (expected.unclaimed > 0) hasUnknown++
        const { interest, indemnity, uncountedDays } = latePayment(invoice, terms, today)
        expect({ interest, indemnity, unclaimed: uncountedDays }).toEqual(expected)
      },
    ),
    { numRuns: 10_000 },
  )
  // The unknown half-year is among the cases, and not rarely.
  expect(hasUnknown).toBeGreaterThan(100)
})
