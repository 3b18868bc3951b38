import { expect, test } from 'vitest'
import { fileOf, paris } from '../../../test/simulation/contact-file.ts'
import { defaultCaps, type PastContact } from '../contact/contact-rules.ts'
import { cents } from '../money/money.ts'
import { type Instant, localTime } from '../time.ts'
import { cascadeOf, fullReach, type Reach, stepOutcomeOf } from './cascade.ts'
import { decideWake } from './decide-wake.ts'
import { afterSend, afterSkip, type CascadeProgress, type NextStep, replan } from './next-step.ts'
import { anchorOf, planFirstStep } from './plan-step.ts'

interface Scenario {
  postalCode: string
  start: string
  /** When the registered letter is signed for. */
  signedAt?: string
  reach?: Partial<Reach>
}

/** Simulates one recovery with the rules alone, every message accepted. Returns what happened and on which day. */
function simulate({ postalCode, start, signedAt, reach: less }: Scenario): string[] {
  const cascade = cascadeOf('fr_b2b_standard', 1)
  const dueDate = '2026-10-15'
  const reach = { ...fullReach(cents(1_200_00)), ...less }
  const contacts: PastContact[] = []
  const file = () => fileOf(postalCode, contacts, { caps: defaultCaps })
  const planning = (now: Instant) => ({ rules: file(), reach, now, seed: 'debtor' })
  const happened: string[] = []
  let now = paris(start)
  let progress: CascadeProgress = {
    cascade,
    step: 0,
    attempt: 0,
    anchor: anchorOf(file().calendar, now, dueDate),
    notice: null,
  }
  let due = planFirstStep(file(), cascade, dueDate, now, 'debtor').at
  let receiptAt = signedAt === undefined ? null : paris(signedAt)
  const advance = (nextStep: NextStep) => {
    progress = { ...progress, step: nextStep.step, attempt: nextStep.attempt, notice: nextStep.notice }
    due = nextStep.plan.at
  }
  while (due !== null) {
    if (receiptAt !== null && progress.notice && due > receiptAt) {
      progress = { ...progress, notice: { ...progress.notice, receiptAt } }
      due = replan(progress, { at: progress.notice!.at, wasContact: true }, planning(receiptAt)).at
      receiptAt = null
      continue
    }
    now = due
    const step = cascade.steps[progress.step]!
    const outcome = stepOutcomeOf(step, reach)
    const day = localTime('Europe/Paris', now).date
    if (outcome.kind !== 'send' && outcome.kind !== 'skip') return [...happened, `${day} ${outcome.kind}`]
    if (outcome.kind === 'skip') {
      happened.push(`${day} ${step.name} skipped: ${outcome.because}`)
      advance(afterSkip(progress, planning(now)))
      continue
    }
    const { channel } = outcome
    const message = { invoiceId: 'F-1', step, channel, dueDate, isExtra: false }
    const decision = decideWake(file(), [message], now, 'debtor')
    if (decision.kind === 'park') return [...happened, decision.because]
    if (decision.kind === 'wait') {
      due = decision.until
      continue
    }
    contacts.push({ at: now, channel })
    happened.push(`${day} ${channel}`)
    advance(afterSend(progress, 'accepted', planning(now)))
  }
  return happened
}

test('the worked example of the specification, Lyon, from 16 November 2026, the letter signed by 18 December', () => {
  const story = { postalCode: '69002', start: '2026-11-16 09:00', signedAt: '2026-12-18 11:00' }
  expect(simulate(story)).toEqual([
    '2026-11-16 email',
    '2026-11-21 email',
    '2026-11-25 sms',
    '2026-11-30 email',
    '2026-12-04 voice',
    '2026-12-09 email',
    '2026-12-14 lrar',
    '2026-12-28 voice',
    '2026-12-31 email',
    '2027-01-07 decide',
  ])
})

const letterOf = (postalCode: string) =>
  simulate({ postalCode, start: '2026-11-27 10:00' }).find(line => line.endsWith('lrar'))

test('started on 27 November 2026, the letter leaves on 26 December in Lyon and on the 28th in Colmar', () => {
  expect(letterOf('69002')).toBe('2026-12-26 lrar')
  expect(letterOf('68000')).toBe('2026-12-28 lrar')
})

test('without a receipt of the letter the call waits 23 days', () => {
  const lines = simulate({ postalCode: '69002', start: '2026-11-16 09:00' })
  expect(lines.slice(6)).toEqual([
    '2026-12-14 lrar',
    '2027-01-06 voice',
    '2027-01-09 email',
    '2027-01-12 decide',
  ])
})

test('without a phone and an address the texts and calls are left out and the notice is an email', () => {
  const less = { hasPhone: false, hasMobile: false, hasAddress: false }
  expect(simulate({ postalCode: '69002', start: '2026-11-16 09:00', reach: less })).toEqual([
    '2026-11-16 email',
    '2026-11-21 email',
    '2026-11-25 sms_reminder skipped: no_mobile',
    '2026-11-30 email',
    '2026-12-04 ai_call skipped: no_phone',
    '2026-12-09 email',
    '2026-12-14 email',
    '2027-01-06 ai_call_2 skipped: no_phone',
    '2027-01-07 email',
    '2027-01-11 decide',
  ])
})

test('without a provider for letters the recovery stands on the day of its formal notice', () => {
  const lines = simulate({ postalCode: '69002', start: '2026-11-16 09:00', reach: { missing: ['lrar'] } })
  expect(lines.at(-1)).toBe('2026-12-14 stand')
})
