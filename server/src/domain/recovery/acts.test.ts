import { expect, it } from 'vitest'
import { cents } from '../money/money.ts'
import { type InvoiceToActOn, mayAct } from './acts.ts'
import { fullReach } from './cascade.ts'

const running: InvoiceToActOn = {
  invoiceStatus: 'in_recovery',
  recovery: { status: 'in_recovery', holds: [] },
  escalation: { to: 'step', step: 2 },
  isLeaving: false,
  debtorHold: null,
  reach: fullReach(cents(120_000)),
  neverBecause: null,
  isTimeBarred: false,
  isConsumer: false,
  isDisputed: false,
  sums: { amount: cents(120_000), paid: cents(0), credited: cents(0), claimed: 0 },
  isWaived: false,
  hasPayment: false,
  hasRequest: false,
  hasAmicableStageEnded: false,
}
const refused = (because: string) => ({ allowed: false, because })

it('nobody is escalated before the first contact', () => {
  expect(mayAct('escalate', running)).toEqual({ allowed: true })
  const escalation = { to: null, because: 'first_contact_pending' } as const
  expect(mayAct('escalate', { ...running, escalation })).toEqual(refused('first_contact_pending'))
})

it('where only the court is left, an escalation names the first thing that is missing', () => {
  expect(mayAct('escalate', { ...running, escalation: { to: 'court' } })).toEqual({ allowed: true })
  const escalation = { to: null, because: 'court', missing: ['deadline_running', 'time_barred'] } as const
  expect(mayAct('escalate', { ...running, escalation })).toEqual(refused('deadline_running'))
})

it('where only the proof of the formal notice is missing the act is possible: the creditor may confirm it', () => {
  const missing = (...codes: ['formal_notice_unproven', ...'deadline_running'[]]) =>
    mayAct('escalate', { ...running, escalation: { to: null, because: 'court', missing: codes } })
  expect(missing('formal_notice_unproven')).toEqual({ allowed: true })
  expect(missing('formal_notice_unproven', 'deadline_running')).toEqual(refused('deadline_running'))
})

it('a step is not jumped over while its message leaves; the court does not wait for it', () => {
  expect(mayAct('escalate', { ...running, isLeaving: true })).toEqual(refused('message_leaving'))
  const escalation = { to: null, because: 'first_contact_pending' } as const
  expect(mayAct('escalate', { ...running, escalation, isLeaving: true })).toEqual(refused('message_leaving'))
  expect(mayAct('escalate', { ...running, escalation: { to: 'court' }, isLeaving: true })).toEqual({
    allowed: true,
  })
})

it('a message needs a debtor who may be reached: not held, on some channel, by rules that are known', () => {
  expect(mayAct('message', running)).toEqual({ allowed: true })
  expect(mayAct('message', { ...running, debtorHold: 'reply' })).toEqual({
    ...refused('held'),
    by: ['reply'],
  })
  const unreached = { ...running.reach, hasMobile: false, hasPhone: false, hasAddress: false }
  expect(mayAct('message', { ...running, reach: unreached })).toEqual({ allowed: true })
  expect(mayAct('message', { ...running, reach: { ...unreached, closed: ['email'] } })).toEqual(
    refused('no_channel'),
  )
  expect(mayAct('message', { ...running, neverBecause: 'foreign_consumer' })).toEqual(
    refused('foreign_consumer'),
  )
})

it('past the time bar a consumer is not written to, others are, and nobody is asked for a promise', () => {
  const barred = { ...running, isTimeBarred: true }
  expect(mayAct('message', { ...barred, isConsumer: true })).toEqual(refused('time_barred'))
  expect(mayAct('message', barred)).toEqual({ allowed: true })
  expect(mayAct('message', { ...running, isConsumer: true })).toEqual({ allowed: true })
  for (const isConsumer of [true, false])
    expect(mayAct('promise', { ...barred, isConsumer })).toEqual(refused('time_barred'))
})

it('nothing is filed before the amicable stage has ended', () => {
  expect(mayAct('file', running)).toEqual(refused('amicable_stage_runs'))
  expect(mayAct('file', { ...running, hasAmicableStageEnded: true })).toEqual({ allowed: true })
})
