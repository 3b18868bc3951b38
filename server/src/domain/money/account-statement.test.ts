import { expect, test } from 'vitest'
import { accountStatementOf, type OpenInvoice } from './account-statement.ts'

const invoice = (number: string, changes: Partial<OpenInvoice> = {}): OpenInvoice => ({
  number,
  issueDate: '2026-05-01',
  dueDate: '2026-06-01',
  currency: 'EUR',
  amountCents: 10_000,
  paidCents: 0,
  balanceCents: 10_000,
  isDisputed: false,
  limitationEndsOn: '2031-06-01',
  ...changes,
})
const on = '2026-06-15'
const business = { on, isConsumer: false, leftOut: 0 }

test('an invoice is due after its due date, and counted in days', () => {
  const { lines } = accountStatementOf(
    [invoice('A'), invoice('B', { dueDate: on }), invoice('C', { dueDate: '2026-06-14' })],
    business,
  )
  expect(lines.map(({ number, standing, daysLate }) => [number, standing, daysLate])).toEqual([
    ['A', 'due', 14],
    ['B', 'not_due', 0],
    ['C', 'due', 1],
  ])
})

test('the sums are per currency, and a disputed invoice is in neither sum to pay', () => {
  const { sums } = accountStatementOf(
    [
      invoice('A', { balanceCents: 4_000 }),
      invoice('B', { isDisputed: true }),
      invoice('C', { dueDate: '2026-07-01' }),
      invoice('D', { currency: 'CHF' }),
    ],
    business,
  )
  expect(sums).toEqual([
    { currency: 'EUR', dueCents: 4_000, notDueCents: 10_000, disputedCents: 10_000 },
    { currency: 'CHF', dueCents: 10_000, notDueCents: 0, disputedCents: 0 },
  ])
})

test('a consumer is not shown what is time-barred; the last day counts', () => {
  const barred = invoice('A', { limitationEndsOn: '2026-06-14' })
  const lastDay = invoice('B', { limitationEndsOn: on })
  const numbersFor = (isConsumer: boolean) =>
    accountStatementOf([barred, lastDay], { ...business, isConsumer }).lines.map(({ number }) => number)
  expect(numbersFor(true)).toEqual(['B'])
  expect(numbersFor(false)).toEqual(['A', 'B'])
})
