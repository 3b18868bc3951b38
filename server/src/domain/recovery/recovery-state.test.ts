import { describe, expect, test } from 'vitest'
import type { InvoiceStatus } from '../money/invoice-state.ts'
import { DAY } from '../time.ts'
import {
  anchorAfterPause,
  blockingHolds,
  type Hold,
  holds,
  mayTrigger,
  type RecoveryStatus,
  recoveryStatusAfter,
  recoveryStatuses,
  type TriggerAction,
  triggerActions,
  withHold,
  withoutHolds,
} from './recovery-state.ts'

const closed: RecoveryStatus[] = ['pending', 'completed', 'cancelled', 'judicial']

test('every reason to wait pauses a running recovery', () => {
  for (const hold of holds)
    expect(withHold({ status: 'in_recovery', holds: [] }, hold)).toEqual({ status: 'paused', holds: [hold] })
})

test('a paused recovery gathers reasons, each once', () => {
  const disputed = withHold({ status: 'paused', holds: ['asked'] }, 'dispute')
  expect(disputed).toEqual({ status: 'paused', holds: ['asked', 'dispute'] })
  expect(withHold(disputed, 'asked')).toEqual(disputed)
})

test('what is not running is neither held nor released', () => {
  for (const status of closed) {
    const state = { status, holds: [] as Hold[] }
    expect(withHold(state, 'asked')).toBe(state)
    expect(withoutHolds(state, ['asked'])).toBe(state)
  }
  const running = { status: 'in_recovery' as const, holds: [] }
  expect(withoutHolds(running, ['asked'])).toBe(running)
})

test('a recovery goes on when the last reason is gone, not before', () => {
  const state = { status: 'paused' as const, holds: ['asked', 'dispute', 'promise'] as Hold[] }
  expect(withoutHolds(state, ['dispute'])).toEqual({ status: 'paused', holds: ['asked', 'promise'] })
  expect(withoutHolds(state, ['asked', 'dispute', 'promise'])).toEqual({ status: 'in_recovery', holds: [] })
  expect(withoutHolds(state, ['upheld'])).toEqual(state)
})

test('a dispute, an insolvency, a wrong person, a refused address, a reported situation, an unread reply and a paused debtor have to end before anybody resumes', () => {
  expect(blockingHolds(holds)).toEqual([
    'dispute',
    'insolvency',
    'wrong_person',
    'address_refused',
    'situation',
    'reply',
    'debtor',
  ])
})

test('a pause moves the anchor by its length, and never back', () => {
  expect(anchorAfterPause(1000, 5 * DAY, 9 * DAY)).toBe(1000 + 4 * DAY)
  expect(anchorAfterPause(1000, 9 * DAY, 5 * DAY)).toBe(1000)
})

describe('which action is possible in which status', () => {
  const possible: Record<TriggerAction, RecoveryStatus[]> = {
    start: ['pending'],
    pause: ['in_recovery'],
    resume: ['paused'],
    cancel: ['in_recovery', 'paused'],
    escalate: ['in_recovery'],
  }
  const pairs = triggerActions.flatMap(action => recoveryStatuses.map(status => [action, status] as const))
  test.each(pairs)('%s of a recovery that is %s', (action, status) => {
    const verdict = mayTrigger(action, { status, holds: [] }, 'imported')
    expect(verdict).toEqual(
      possible[action].includes(status)
        ? { allowed: true }
        : { allowed: false, because: action === 'start' ? 'already_started' : 'wrong_status' },
    )
  })
})

test('a settled invoice is not started', () => {
  for (const invoice of ['paid', 'written_off'] as const)
    expect(mayTrigger('start', { status: 'pending', holds: [] }, invoice)).toEqual({
      allowed: false,
      because: invoice,
    })
  expect(mayTrigger('start', { status: 'completed', holds: [] }, 'paid')).toMatchObject({
    because: 'already_started',
  })
})

test('resuming is refused with the holds that stand in the way, and cancelling is not', () => {
  const state = { status: 'paused' as const, holds: ['asked', 'dispute', 'insolvency'] as Hold[] }
  expect(mayTrigger('resume', state, 'disputed')).toEqual({
    allowed: false,
    because: 'held',
    by: ['dispute', 'insolvency'],
  })
  expect(mayTrigger('cancel', state, 'disputed')).toEqual({ allowed: true })
  const soft = { status: 'paused' as const, holds: ['asked', 'promise', 'upheld', 'reopened'] as Hold[] }
  expect(mayTrigger('resume', soft, 'partial')).toEqual({ allowed: true })
})

test('paid or written off ends what has begun, and money that leaves again reopens it paused', () => {
  const settled: InvoiceStatus[] = ['paid', 'written_off']
  for (const after of settled) {
    for (const status of ['in_recovery', 'paused', 'completed', 'judicial'] as const)
      expect(recoveryStatusAfter(status, 'imported', after)).toBe('completed')
    for (const status of ['pending', 'cancelled'] as const)
      expect(recoveryStatusAfter(status, 'imported', after)).toBe(status)
    expect(recoveryStatusAfter('completed', after, 'partial')).toBe('paused')
  }
  expect(recoveryStatusAfter('completed', 'imported', 'partial')).toBe('completed')
  expect(recoveryStatusAfter('in_recovery', 'paid', 'partial')).toBe('in_recovery')
  expect(recoveryStatusAfter('judicial', 'imported', 'partial')).toBe('judicial')
})
