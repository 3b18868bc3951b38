import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvoiceStatus, invoiceStatuses, isClosed } from '../money/invoice-state.ts'
import { mayWriteOff } from '../money/write-off.ts'
import { balanceOf, mayCredit, mayDispute, mayPromise, owedOf } from './account.ts'
import { judgePayDay } from './promise.ts'
import { debtorHolds, recoveryStatuses } from './recovery-state.ts'

const allowedFor = (may: (status: InvoiceStatus) => { allowed: boolean }) =>
  invoiceStatuses.filter(status => may(status).allowed)

it('nothing is asked for any more once it is paid, given up or cancelled', () => {
  expect(invoiceStatuses.filter(isClosed)).toEqual(['paid', 'written_off', 'cancelled'])
  const open = invoiceStatuses.filter(status => !isClosed(status))
  expect(allowedFor(mayWriteOff)).toEqual(open)
  expect(allowedFor(status => mayCredit(status, { amount: 100, paid: 0, credited: 0 }, 100))).toEqual(open)
})

it('what is open may be disputed once, and not before the court', () => {
  expect(allowedFor(mayDispute)).toEqual(['draft', 'imported', 'lrar_sent', 'in_recovery', 'partial'])
  for (const status of ['paid', 'written_off', 'cancelled', 'judicial', 'disputed'] as const)
    expect(mayDispute(status)).toEqual({ allowed: false, because: status })
})

it('a promise needs something that is owed, and reminders that can wait', () => {
  expect(recoveryStatuses.filter(recovery => mayPromise('partial', recovery).allowed)).toEqual([
    'in_recovery',
    'paused',
  ])
  expect(mayPromise('paid', 'paused')).toEqual({ allowed: false, because: 'paid' })
  expect(mayPromise('imported', 'pending')).toEqual({ allowed: false, because: 'not_running' })
  expect(mayPromise('disputed', 'paused')).toEqual({ allowed: true })
})

it('a day to pay is today or within sixty days', () => {
  expect(judgePayDay('2026-11-15', '2026-11-16')).toBe('past')
  expect(judgePayDay('2026-11-16', '2026-11-16')).toBeNull()
  expect(judgePayDay('2027-01-15', '2026-11-16')).toBeNull()
  expect(judgePayDay('2027-01-16', '2026-11-16')).toBe('too_far')
})

it('insolvency and a wrong address hold a debtor, insolvency before the address', () => {
  const free = { isInsolvent: false, isWrongPerson: false, hasUnreadReply: false, isPaused: false }
  expect(debtorHolds(free)).toEqual([])
  expect(debtorHolds({ ...free, isWrongPerson: true })).toEqual(['wrong_person'])
  expect(debtorHolds({ ...free, isPaused: true })).toEqual(['debtor'])
  const every = { isInsolvent: true, isWrongPerson: true, hasUnreadReply: true, isPaused: true }
  expect(debtorHolds(every)).toEqual(['insolvency', 'wrong_person', 'reply', 'debtor'])
})

it('money pays the principal, then what was claimed for late payment; what is owed and what is paid of it add up', () => {
  expect(owedOf({ amount: 100, paid: 30, credited: 20, claimed: 40 })).toEqual({
    balance: 50,
    accessories: 40,
    total: 90,
    paidAccessories: 0,
  })
  expect(owedOf({ amount: 100, paid: 90, credited: 20, claimed: 40 })).toEqual({
    balance: 0,
    accessories: 30,
    total: 30,
    paidAccessories: 10,
  })
  const sum = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(sum, sum, sum, sum, (amount, paid, credited, claimed) => {
      const sums = { amount, paid, credited, claimed }
      const { balance, accessories, total, paidAccessories } = owedOf(sums)
      expect(balance).toBe(balanceOf(sums).balance)
      expect(total).toBe(balance + accessories)
      expect(accessories + paidAccessories).toBe(claimed)
      expect(Math.min(balance, accessories, paidAccessories)).toBeGreaterThanOrEqual(0)
      // Nobody pays of the claim while something of the principal is open.
      expect(balance === 0 || paidAccessories === 0).toBe(true)
    }),
  )
})
