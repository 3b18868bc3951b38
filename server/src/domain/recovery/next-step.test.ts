import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import type { Channel } from '../contact/channel.ts'
import { judgeContact, type PastContact } from '../contact/contact-rules.ts'
import { cents } from '../money/money.ts'
import { addDays, DAY, HOUR, type Instant, localTime, MINUTE } from '../time.ts'
import { cascadeOf, fullReach, type Reach, type Step } from './cascade.ts'
import {
  afterSend,
  afterSkip,
  attemptsMax,
  type CascadeProgress,
  countsAsContact,
  escalationTarget,
  type PlanningContext,
  replan,
  type SendOutcome,
} from './next-step.ts'

const monday = paris('2026-11-16 09:00')
const cascade = cascadeOf('fr_b2b_standard', 1)
const reach = fullReach(cents(1_200_00))
const dayOf = (at: Instant | null) => localTime('Europe/Paris', at!).date

const at = (step: number, attempt = 0): CascadeProgress => ({
  cascade,
  step,
  attempt,
  anchor: monday,
  notice: null,
})
const planning = (
  now: Instant,
  contacts: PastContact[] = [],
  less: Partial<Reach> = {},
): PlanningContext => ({
  rules: fileOf('69002', contacts),
  reach: { ...reach, ...less },
  now,
  seed: 'seed',
})
const contacted = (now: Instant, channel: Channel = 'email') => planning(now, [{ at: now, channel }])

it('an accepted first email is followed by the reminder of day 5', () => {
  const nextStep = afterSend(at(0), 'accepted', contacted(monday))
  expect(nextStep).toMatchObject({ isOver: true, step: 1, attempt: 0, notice: null })
  expect(dayOf(nextStep.plan.at)).toBe('2026-11-21')
})

it('what was accepted or may have arrived counts as a contact, a refusal does not', () => {
  const fates: SendOutcome[] = ['accepted', 'unknown', 'retryable', 'permanent']
  expect(fates.map(countsAsContact)).toEqual([true, true, false, false])
})

it('a refusal for now is tried again after five minutes, then after half an hour, then the cascade goes on', () => {
  const first = afterSend(at(0, 0), 'retryable', planning(monday))
  expect(first).toMatchObject({ isOver: false, step: 0, attempt: 1, plan: { at: monday + 5 * MINUTE } })
  const second = afterSend(at(0, 1), 'retryable', planning(monday))
  expect(second).toMatchObject({ isOver: false, step: 0, attempt: 2, plan: { at: monday + 30 * MINUTE } })
  expect(afterSend(at(0, 2), 'retryable', planning(monday))).toMatchObject({
    isOver: true,
    step: 1,
    attempt: 0,
  })
  expect(attemptsMax).toBe(3)
})

it('a second attempt that would come too late in the day goes the next morning', () => {
  const late = paris('2026-11-16 19:58')
  const { plan } = afterSend(at(0), 'retryable', planning(late))
  expect(dayOf(plan.at)).toBe('2026-11-17')
  expect(plan.because).toBe('outside_hours')
})

it('a refusal for good is not repeated, and leaves a day, not three', () => {
  const late = paris('2026-11-24 10:00')
  const nextStep = afterSend(at(1), 'permanent', planning(late))
  expect(nextStep).toMatchObject({ isOver: true, step: 2, attempt: 0 })
  expect(dayOf(nextStep.plan.at)).toBe('2026-11-25')
})

it('a notice with legal effect and an unknown outcome is sent again, but not before the cool-down is over', () => {
  const nextStep = afterSend(at(0), 'unknown', contacted(monday))
  expect(nextStep).toMatchObject({ isOver: false, step: 0, attempt: 1 })
  expect(nextStep.plan.at! - monday).toBeGreaterThanOrEqual(72 * HOUR)
  expect(afterSend(at(0, 2), 'unknown', contacted(monday))).toMatchObject({ isOver: true, step: 1 })
})

it('a notice that was grouped into a call and may have arrived is not sent again before three days', () => {
  const nextStep = afterSend(at(0), 'unknown', contacted(paris('2026-11-16 10:00'), 'voice'))
  expect(nextStep).toMatchObject({ isOver: false, attempt: 1 })
  expect(dayOf(nextStep.plan.at)).toBe('2026-11-19')
})

it('a plain reminder with an unknown outcome is never repeated', () => {
  expect(afterSend(at(1), 'unknown', contacted(monday))).toMatchObject({ isOver: true, step: 2, attempt: 0 })
})

it('a shifted step does not push the later ones: they are anchored to the start', () => {
  const late = monday + 7 * DAY
  const nextStep = afterSend(at(1), 'accepted', contacted(late))
  // Step 3, the text message, stays on day 9 + what the gap of three days asks: 26 November, not day 16.
  expect(dayOf(nextStep.plan.at)).toBe('2026-11-26')
  expect(dayOf(afterSend(at(2), 'accepted', contacted(late, 'sms')).plan.at)).toBe('2026-11-30')
})

it('a formal notice is given once it may have arrived, and the next contact waits for its time', () => {
  const posted = paris('2026-12-14 10:00')
  const given = afterSend(at(6), 'accepted', contacted(posted, 'lrar'))
  expect(given).toMatchObject({ isOver: true, step: 7, notice: { at: posted, receiptAt: null } })
  // 23 days after posting is 6 January.
  expect(dayOf(given.plan.at)).toBe('2027-01-06')
  const unknown = afterSend(at(6), 'unknown', contacted(posted, 'lrar'))
  expect(unknown).toMatchObject({ isOver: false, step: 6, attempt: 1, notice: { at: posted } })
  expect(dayOf(unknown.plan.at)).toBe('2026-12-17')
  expect(afterSend(at(6, 2), 'unknown', contacted(posted, 'lrar')).notice).toEqual({
    at: posted,
    receiptAt: null,
  })
})

it('a formal notice that was refused was not given; a later message leaves an old notice alone', () => {
  const posted = paris('2026-12-14 10:00')
  for (const outcome of ['permanent', 'retryable'] as const)
    expect(afterSend(at(6), outcome, planning(posted)).notice).toBeNull()
  const notice = { at: posted, receiptAt: posted + 3 * DAY }
  const call = afterSend({ ...at(7), notice }, 'accepted', contacted(paris('2026-12-28 10:00'), 'voice'))
  expect(call.notice).toBe(notice)
})

it('a step left out is followed a day later, or on the day of the next if that is later', () => {
  expect(dayOf(afterSkip(at(2), planning(paris('2026-11-25 10:00'))).plan.at)).toBe('2026-11-30')
  const late = afterSkip(at(2), planning(paris('2026-12-02 10:00')))
  expect(late).toMatchObject({ isOver: true, step: 3, attempt: 0 })
  expect(dayOf(late.plan.at)).toBe('2026-12-03')
})

it('the next step is planned on the channel it will really use', () => {
  // Without an address the notice is an email, and the cool-down after the last email ends 15 minutes too late for that day.
  const now = paris('2026-12-11 10:00')
  const file = planning(now, [{ at: now, channel: 'email' }], { hasAddress: false })
  const nextStep = afterSend(at(5), 'accepted', file)
  expect(nextStep.plan).toMatchObject({ at: paris('2026-12-14 10:15'), because: 'channel_cooldown' })
  expect(afterSend(at(5), 'accepted', contacted(now)).plan.because).toBeNull()
})

it('no hours of calls move a call that will be skipped', () => {
  const skipped = afterSend(at(3), 'accepted', planning(paris('2026-12-02 10:00'), [], { hasPhone: false }))
  // Day 18 is 4 December; with the gap of three days the call falls on Saturday the 5th. A call would wait until Monday.
  expect(dayOf(skipped.plan.at)).toBe('2026-12-05')
  expect(skipped.plan).toMatchObject({ channel: null })
  const called = afterSend(at(3), 'accepted', planning(paris('2026-12-02 10:00'), []))
  expect(dayOf(called.plan.at)).toBe('2026-12-07')
})

it('after the last step nothing comes', () => {
  const nextStep = afterSkip(at(9, 2), planning(paris('2027-01-10 10:00')))
  expect(nextStep).toEqual({
    isOver: true,
    step: 9,
    attempt: 0,
    notice: null,
    plan: { at: null, because: null },
  })
})

it('a recovery planned anew after a pause begins today, without a burst of what was missed', () => {
  const now = paris('2027-02-01 10:00')
  const last = { at: paris('2026-11-21 10:00'), wasContact: true }
  expect(replan(at(2), last, planning(now)).at).toBe(now)
  expect(replan(at(2), null, planning(now)).at).toBe(now)
  const moved = { ...at(2), anchor: now - 3 * DAY }
  expect(dayOf(replan(moved, last, planning(now)).at)).toBe('2027-02-08')
})

it('a receipt of the formal notice brings the next contact forward', () => {
  const posted = paris('2026-12-14 10:00')
  const last = { at: posted, wasContact: true }
  const now = paris('2026-12-18 11:00')
  const replanned = replan({ ...at(7), notice: { at: posted, receiptAt: now } }, last, planning(now))
  // The 26th is a Saturday, and nobody calls on one.
  expect(dayOf(replanned.at)).toBe('2026-12-28')
  expect(dayOf(replan({ ...at(7), notice: { at: posted, receiptAt: null } }, last, planning(now)).at)).toBe(
    '2027-01-06',
  )
})

const escalate = (step: number, lastStep: string | null, less: Partial<Reach> = {}) => {
  const target = escalationTarget(at(step), lastStep, planning(monday, [], less))
  return target === null ? null : cascade.steps[target]!.name
}

it('an escalation jumps to the first remaining step more intrusive than the last one', () => {
  expect(escalate(0, null)).toBe('email_prise_en_charge')
  expect(escalate(1, 'email_prise_en_charge')).toBe('sms_reminder')
  expect(escalate(3, 'sms_reminder')).toBe('ai_call')
  expect(escalate(5, 'ai_call')).toBe('lrar_mise_en_demeure')
  expect(escalate(3, 'email_prise_en_charge')).toBe('ai_call')
})

it('an escalation passes over what cannot be sent', () => {
  expect(escalate(1, 'email_prise_en_charge', { hasMobile: false })).toBe('ai_call')
  expect(escalate(1, 'email_prise_en_charge', { hasMobile: false, hasPhone: false })).toBe(
    'lrar_mise_en_demeure',
  )
  expect(escalate(5, 'ai_call', { missing: ['lrar'] })).toBeNull()
  expect(escalate(5, 'ai_call', { hasAddress: false })).toBe('lrar_mise_en_demeure')
})

it('after the letter only a court is left, and a review is no step to jump to', () => {
  expect(escalate(7, 'lrar_mise_en_demeure')).toBeNull()
  expect(escalate(9, 'email_dernier_avis')).toBeNull()
  const reminders: Step[] = [{ name: 'relance_email_1', channel: 'email', day: 0 }]
  const progress = { ...at(0), cascade: cascadeOf('ours', 1, reminders) }
  expect(escalationTarget(progress, 'relance_email_1', planning(monday))).toBeNull()
})

it('whatever happens, what comes next is legal, in the future, and every step ends after three attempts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 365 * 24 * 60 }),
      fc.constantFrom<SendOutcome>('accepted', 'retryable', 'permanent', 'unknown'),
      fc.integer({ min: 0, max: cascade.steps.length - 2 }),
      fc.integer({ min: 0, max: attemptsMax - 1 }),
      fc.constantFrom('69002', '68000', '97400', '97200'),
      (minutes, outcome, step, attempt, postalCode) => {
        const now = monday + minutes * MINUTE
        const channel = cascade.steps[step]!.channel!
        const rules = fileOf(postalCode, countsAsContact(outcome) ? [{ at: now, channel }] : [])
        const nextStep = afterSend(at(step, attempt), outcome, { rules, reach, now, seed: 'seed' })
        expect(nextStep.isOver || (nextStep.attempt === attempt + 1 && nextStep.attempt < attemptsMax)).toBe(
          true,
        )
        expect(nextStep.step).toBe(nextStep.isOver ? step + 1 : step)
        const plan = nextStep.plan.at!
        expect(plan).toBeGreaterThan(now)
        const nextChannel = cascade.steps[nextStep.step]!.channel
        if (nextChannel) expect(judgeContact(rules, nextChannel, plan)).toEqual({ allowed: true })
        if (nextStep.isOver && countsAsContact(outcome))
          expect(dayOf(plan) >= addDays(dayOf(now), 2)).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})

it('a step whose address was refused is not over: it goes another way, or is due at once to be held', () => {
  const notice = cascade.steps.findIndex(step => step.name === 'lrar_mise_en_demeure')
  const byEmail = afterSend(at(notice), 'refused', planning(monday, [], { refused: ['lrar'] }))
  expect(byEmail).toMatchObject({ isOver: false, step: notice, attempt: 0, notice: null })
  expect(byEmail.plan).toMatchObject({ at: monday, channel: 'email' })
  const waiting = afterSend(at(0), 'refused', planning(monday, [], { refused: ['email'] }))
  expect(waiting).toMatchObject({ isOver: false, step: 0, attempt: 0, plan: { at: monday, channel: null } })
  expect(countsAsContact('refused')).toBe(false)
})

it('the other way after a refused address keeps to the caps: a contact of that day puts it off', () => {
  const notice = cascade.steps.findIndex(step => step.name === 'lrar_mise_en_demeure')
  const contacts: PastContact[] = [{ at: monday - HOUR, channel: 'voice' }]
  const { plan } = afterSend(at(notice), 'refused', planning(monday, contacts, { refused: ['lrar'] }))
  expect(plan).toMatchObject({ channel: 'email', because: 'one_contact_a_day' })
  expect(dayOf(plan.at)).toBe('2026-11-17')
})
