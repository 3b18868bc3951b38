import { expect, it } from 'vitest'
import { judgePayoutChange, mayConfirmPayout, payoutWaitMs } from './payout-change.ts'

it.each([
  ['a first value counts at once', null, undefined, 'A', 'at_once'],
  ['another value waits', 'A', undefined, 'B', 'waits'],
  ['clearing waits', 'A', undefined, null, 'waits'],
  ['the same value changes nothing', 'A', undefined, 'A', 'unchanged'],
  ['nothing instead of nothing changes nothing', null, undefined, null, 'unchanged'],
  ['the value that waits already does not wait anew', 'A', { value: 'B' }, 'B', 'unchanged'],
  ['the present value leaves what waits as it is', 'A', { value: 'B' }, 'A', 'unchanged'],
  ['a third value waits from now on', 'A', { value: 'B' }, 'C', 'waits'],
  ['clearing that waits already does not wait anew', 'A', { value: null }, null, 'unchanged'],
] as const)('%s', (_, current, pending, wanted, verdict) => {
  expect(judgePayoutChange({ current, pending, wanted, isPayoutKnown: false })).toBe(verdict)
})

it('a first value waits where debtors know already where to pay', () => {
  const change = { current: null, pending: undefined, wanted: 'A' }
  expect(judgePayoutChange({ ...change, isPayoutKnown: true })).toBe('waits')
})

const wall = Date.parse('2026-11-16T08:00:00Z')
const confirmation = { requestedBy: 'anna', personId: 'ben', ownerSince: wall - payoutWaitMs, wall }

it('another owner confirms, from the millisecond on at which they have been one for 24 hours', () => {
  expect(mayConfirmPayout(confirmation)).toEqual({ allowed: true })
  expect(mayConfirmPayout({ ...confirmation, ownerSince: wall - payoutWaitMs + 1 })).toEqual({
    allowed: false,
    because: 'new_owner',
  })
  expect(mayConfirmPayout({ ...confirmation, requestedBy: null })).toEqual({ allowed: true })
})

it('nobody confirms their own change', () => {
  expect(mayConfirmPayout({ ...confirmation, personId: 'anna' })).toEqual({
    allowed: false,
    because: 'own_change',
  })
})
