import type { Channel } from '../contact/channel.ts'
import type { ContactFile } from '../contact/contact-rules.ts'
import { type Instant, MINUTE } from '../time.ts'
import {
  type Cascade,
  formalNotice,
  hasLegalEffect,
  type Reach,
  rankOf,
  type Step,
  stepOutcomeOf,
} from './cascade.ts'
import type { FormalNotice } from './formal-notice.ts'
import { type PlannedMoment, planAt, planStep, type Timing } from './plan-step.ts'

/** The outcome of a message: accepted by the provider, refused for now or for good, or unknown. `refused`: its address was. */
export type SendOutcome = 'accepted' | 'retryable' | 'permanent' | 'refused' | 'unknown'

/** The position of a recovery in its cascade. */
export interface CascadeProgress {
  readonly cascade: Cascade
  readonly step: number
  readonly attempt: number
  readonly anchor: Instant
  readonly notice: FormalNotice | null
}

/**
 * The input of planning: the debtor's contact file, how it can be reached, the current moment, and a seed to spread messages over
 * a day.
 */
export interface PlanningContext {
  readonly rules: ContactFile
  readonly reach: Reach
  readonly now: Instant
  readonly seed: string
}

export interface NextStep {
  /** The step is finished, with or without success, and the cascade continues. */
  readonly isOver: boolean
  readonly step: number
  readonly attempt: number
  readonly notice: FormalNotice | null
  readonly plan: PlannedMoment | { at: null; because: null }
}

export const attemptsMax = 3
const retryDelays = [5 * MINUTE, 30 * MINUTE]

/** A message that was delivered, or may have been, counts as a contact. One that was refused before delivery does not. */
export const countsAsContact = (outcome: SendOutcome): boolean =>
  outcome === 'accepted' || outcome === 'unknown'

/** The channel to plan a step for; null if nothing would be sent, so that no rule about contacts moves its day. */
export const channelOf = (step: Step, reach: Reach): Channel | null => {
  const outcome = stepOutcomeOf(step, reach)
  return outcome.kind === 'send' ? outcome.channel : null
}

/** A step that waits for an address has no moment of its own: it is due at once, and the look holds it. */
function planOrHold(step: Step, timing: Timing, { rules, reach, now, seed }: PlanningContext): PlannedMoment {
  return stepOutcomeOf(step, reach).kind === 'wait'
    ? { at: now, because: null, shifts: [], wish: now, channel: null }
    : planStep(rules, step, channelOf(step, reach), timing, now, seed)
}

/** Plans the following step of the cascade. */
function planFollowingStep(
  progress: CascadeProgress,
  last: { at: Instant; wasContact: boolean },
  planningContext: PlanningContext,
): NextStep {
  const { anchor, notice } = progress
  const following = progress.cascade.steps[progress.step + 1]
  if (!following)
    return { isOver: true, step: progress.step, attempt: 0, notice, plan: { at: null, because: null } }
  const timing = { anchor, last, notice }
  return {
    isOver: true,
    step: progress.step + 1,
    attempt: 0,
    notice,
    plan: planOrHold(following, timing, planningContext),
  }
}

/**
 * A failed attempt is repeated, up to three attempts. After a refused address the step is sent on another channel, or waits. A message with an unknown outcome is never repeated, except a notice with
 * legal effect, which is sent again in a new slot. Otherwise the cascade continues.
 */
export function afterSend(
  progress: CascadeProgress,
  outcome: SendOutcome,
  planningContext: PlanningContext,
): NextStep {
  const { attempt } = progress
  const step = progress.cascade.steps[progress.step]!
  const isGiven = step.name === formalNotice && countsAsContact(outcome)
  const notice = isGiven ? { at: planningContext.now, receiptAt: null } : progress.notice
  if (outcome === 'refused') {
    const { rules, reach, now, seed } = planningContext
    const channel = channelOf(step, reach)
    const timing = { anchor: progress.anchor, last: null, notice }
    const plan =
      channel === null ? planOrHold(step, timing, planningContext) : planAt(rules, channel, now, seed)
    return { isOver: false, step: progress.step, attempt: 0, notice, plan }
  }
  const isWorthRepeating = outcome === 'retryable' || (outcome === 'unknown' && hasLegalEffect(step))
  if (isWorthRepeating && attempt + 1 < attemptsMax) {
    const { rules, reach, now, seed } = planningContext
    const channel = channelOf(step, reach)
    // It may have arrived, perhaps grouped into a message on another channel. So the gap after a contact applies, not the cool-
    // down.
    const gap = { anchor: progress.anchor, last: { at: now, wasContact: true }, notice: null }
    const plan =
      outcome === 'retryable'
        ? planAt(rules, channel, now + (retryDelays[attempt] ?? retryDelays.at(-1)!), seed)
        : planStep(rules, step, channel, gap, now, seed)
    return { isOver: false, step: progress.step, attempt: attempt + 1, notice, plan }
  }
  return planFollowingStep(
    { ...progress, notice },
    { at: planningContext.now, wasContact: countsAsContact(outcome) },
    planningContext,
  )
}

/** After a skipped step the gap is one day, not three. */
export const afterSkip = (progress: CascadeProgress, planningContext: PlanningContext): NextStep =>
  planFollowingStep(progress, { at: planningContext.now, wasContact: false }, planningContext)

/** Plans the waiting step again from today: after a pause, or after a receipt of the formal notice. */
export function replan(
  progress: CascadeProgress,
  last: { at: Instant; wasContact: boolean } | null,
  planningContext: PlanningContext,
): PlannedMoment {
  const step = progress.cascade.steps[progress.step]!
  const timing = { anchor: progress.anchor, last, notice: progress.notice }
  return planOrHold(step, timing, planningContext)
}

/** The first remaining step that is more intrusive than the last one and can be sent; null if only the court is left. */
export function escalationTarget(
  progress: CascadeProgress,
  lastStep: string | null,
  { reach }: Pick<PlanningContext, 'reach'>,
): number | null {
  const { steps } = progress.cascade
  const done = steps.find(step => step.name === lastStep)
  const rank = done ? rankOf(done) : 0
  const target = steps.findIndex(
    (step, i) => i >= progress.step && rankOf(step) > rank && stepOutcomeOf(step, reach).kind === 'send',
  )
  return target === -1 ? null : target
}
