import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvoiceStatus, invoiceStatuses, isClosed } from '../money/invoice-state.ts'
import { mayWriteOff } from '../money/write-off.ts'
import {
  appliedBy,
  balanceOf,
  mayCredit,
  mayDispute,
  mayPay,
  mayPromise,
  mayResolve,
  owedOf,
} from './account.ts'
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

it('a payment settles at most the principal and what was claimed, a credit at most the principal', () => {
  const sums = { amount: 100, paid: 30, credited: 20, claimed: 40 }
  expect(mayPay(sums, 90)).toEqual({ allowed: true })
  expect(mayPay(sums, 91)).toEqual({ allowed: false, because: 'too_much' })
  expect(mayPay({ ...sums, paid: 120 }, 1)).toEqual({ allowed: false, because: 'paid' })
  expect(mayCredit('partial', sums, 50)).toEqual({ allowed: true })
  expect(mayCredit('partial', sums, 51)).toEqual({ allowed: false, because: 'too_much' })
})

it('what is open may be disputed, also after the amicable stage, and once at a time', () => {
  expect(allowedFor(status => mayDispute(status, false))).toEqual(
    invoiceStatuses.filter(status => !isClosed(status)),
  )
  expect(mayDispute('judicial', true)).toEqual({ allowed: false, because: 'disputed' })
  expect(mayDispute('disputed', true)).toEqual({ allowed: false, because: 'disputed' })
  for (const status of ['paid', 'written_off', 'cancelled'] as const)
    expect(mayDispute(status, true)).toEqual({ allowed: false, because: status })
})

it('a dispute accepted in part is worth a sum, and a consumer who is not right is told who mediates', () => {
  const business = { creditedCents: 0, isConsumer: false, hasMediator: false }
  expect(mayResolve('partly', business)).toEqual({ allowed: false, because: 'credit_missing' })
  expect(mayResolve('partly', { ...business, creditedCents: 1 })).toEqual({ allowed: true })
  for (const outcome of ['rejected', 'upheld'] as const)
    expect(mayResolve(outcome, business)).toEqual({ allowed: true })
  const consumer = { creditedCents: 1, isConsumer: true, hasMediator: false }
  for (const outcome of ['rejected', 'partly'] as const) {
    expect(mayResolve(outcome, consumer)).toEqual({ allowed: false, because: 'mediator_missing' })
    expect(mayResolve(outcome, { ...consumer, hasMediator: true })).toEqual({ allowed: true })
  }
  expect(mayResolve('upheld', consumer)).toEqual({ allowed: true })
})

it('a payment pays the principal, then the flat sum, then the interest, and the rest is overpaid', () => {
  const sums = { amount: 1_000_00, paid: 0, credited: 0, claimed: 57_98 }
  const parts = (principal: number, indemnity: number, interest: number, overpaid: number, owed: number) => ({
    principal,
    indemnity,
    interest,
    overpaid,
    owed,
  })
  expect(appliedBy(sums, 400_00)).toEqual(parts(400_00, 0, 0, 0, 657_98))
  expect(appliedBy({ ...sums, paid: 400_00 }, 620_00)).toEqual(parts(600_00, 20_00, 0, 0, 37_98))
  expect(appliedBy({ ...sums, paid: 1_020_00 }, 50_00)).toEqual(parts(0, 20_00, 17_98, 12_02, 0))
})

it('a promise needs something that is owed, and reminders that can wait', () => {
  expect(recoveryStatuses.filter(recovery => mayPromise('partial', recovery, false).allowed)).toEqual([
    'in_recovery',
    'paused',
  ])
  expect(mayPromise('paid', 'paused', true)).toEqual({ allowed: false, because: 'paid' })
  expect(mayPromise('imported', 'pending', false)).toEqual({ allowed: false, because: 'not_running' })
  expect(mayPromise('disputed', 'paused', false)).toEqual({ allowed: true })
  expect(mayPromise('imported', 'paused', true)).toEqual({ allowed: false, because: 'time_barred' })
})

it('a day to pay is today or within sixty days', () => {
  expect(judgePayDay('2026-11-15', '2026-11-16')).toBe('past')
  expect(judgePayDay('2026-11-16', '2026-11-16')).toBeNull()
  expect(judgePayDay('2027-01-15', '2026-11-16')).toBeNull()
  expect(judgePayDay('2027-01-16', '2026-11-16')).toBe('too_far')
})

it('insolvency and a wrong address hold a debtor, insolvency before the address', () => {
  const free = {
    isInsolvent: false,
    isWrongPerson: false,
    hasSituation: false,
    hasUnreadReply: false,
    isPaused: false,
  }
  expect(debtorHolds(free)).toEqual([])
  expect(debtorHolds({ ...free, isWrongPerson: true })).toEqual(['wrong_person'])
  expect(debtorHolds({ ...free, isPaused: true })).toEqual(['debtor'])
  const every = {
    isInsolvent: true,
    isWrongPerson: true,
    hasSituation: true,
    hasUnreadReply: true,
    isPaused: true,
  }
  expect(debtorHolds(every)).toEqual(['insolvency', 'wrong_person', 'situation', 'reply', 'debtor'])
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
