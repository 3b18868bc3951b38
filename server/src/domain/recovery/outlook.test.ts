import { expect, it } from 'vitest'
import { HOUR } from '../time.ts'
import type { FutureAction } from './forecast.ts'
import { type OpenRecovery, outlookOf } from './outlook.ts'

const now = Date.parse('2026-11-16T09:00:00Z')
const later = now + 48 * HOUR

const action = (changes: Partial<FutureAction> = {}): FutureAction => ({
  invoiceId: 'A',
  step: 'relance_email_1',
  communicationId: null,
  day: 5,
  channel: 'email',
  leadInvoiceId: 'A',
  kind: 'send',
  at: later,
  because: null,
  shifts: [],
  ...changes,
})
const open = (changes: Partial<OpenRecovery> = {}): OpenRecovery => ({
  status: 'in_recovery',
  holds: [],
  isWaiting: true,
  because: null,
  isOnItsWay: false,
  ...changes,
})
const shift = (because: 'weekly_cap' | 'sunday', until: number) => ({
  because,
  detail: '',
  from: now - 72 * HOUR,
  until,
})
const told = (
  actions: readonly FutureAction[],
  recoveries: readonly OpenRecovery[],
  { stopped = null, waitsFor = () => [] }: Partial<Parameters<typeof outlookOf>[2]> = {},
) => outlookOf(actions, recoveries, { now, stopped, waitsFor })

it('a message comes next, and what still moves it says why nothing leaves before', () => {
  const shifts = [shift('sunday', now - HOUR), shift('weekly_cap', later), shift('weekly_cap', later)]
  expect(told([action({ shifts })], [open()])).toEqual({
    next: 'message',
    at: later,
    channel: 'email',
    because: ['weekly_cap'],
  })
})

it('where nothing moves it, its own day has not come', () => {
  expect(told([action()], [open()]).because).toEqual(['cascade'])
  expect(told([action({ because: 'sign_of_life' })], [open()]).because).toEqual(['sign_of_life'])
  expect(told([action({ shifts: [shift('sunday', now)], because: 'sunday' })], [open()]).because).toEqual([
    'sunday',
  ])
})

it('a pause that ends by itself is the reason of what follows it, as a rule is that of a message asked for', () => {
  expect(told([action({ because: 'resume' })], [open()], { waitsFor: () => ['debtor'] })).toEqual({
    next: 'message',
    at: later,
    channel: 'email',
    because: ['debtor'],
  })
})

it('a decision to come has its day, one that waits has none', () => {
  const decide = action({ kind: 'decide', channel: null })
  const decision = { next: 'decision', at: null, channel: null, because: ['awaiting_decision'] }
  expect(told([decide], [open()])).toEqual({ ...decision, at: later })
  const waits = open({ isWaiting: false, because: 'awaiting_decision' })
  expect(told([decide], [waits])).toEqual(decision)
  expect(told([], [waits, open({ status: 'paused', holds: ['dispute'], isWaiting: false })])).toEqual({
    ...decision,
    because: ['awaiting_decision', 'dispute'],
  })
})

it('nothing is planned for a reason, whatever it is', () => {
  const reasonsOf = (...recoveries: OpenRecovery[]) => {
    const outlook = told([], recoveries)
    expect([outlook.next, outlook.at]).toEqual(['nothing', null])
    return outlook.because
  }
  expect(reasonsOf()).toEqual(['completed'])
  expect(reasonsOf(open({ status: 'paused', holds: ['reply', 'asked'], isWaiting: false }))).toEqual([
    'reply',
    'asked',
  ])
  expect(reasonsOf(open({ isWaiting: false, because: 'calendar_missing' }))).toEqual(['calendar_missing'])
  expect(reasonsOf(open({ status: 'pending', isWaiting: false }))).toEqual(['pending'])
  expect(reasonsOf(open({ isOnItsWay: true }))).toEqual(['on_its_way'])
  const stand = action({ kind: 'stand', at: null, because: 'no_provider' })
  expect(told([stand], [open()]).because).toEqual(['no_provider'])
  expect(told([action()], [open()], { stopped: 'sending_stopped' })).toEqual({
    next: 'nothing',
    at: null,
    channel: null,
    because: ['sending_stopped'],
  })
})
