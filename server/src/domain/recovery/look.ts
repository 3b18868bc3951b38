import type { Channel } from '../contact/channel.ts'
import { type ContactFile, forAnswers, judgeContact } from '../contact/contact-rules.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import {
  isAnswer,
  isImmediate,
  isObsolete,
  type Reach,
  type SkipBecause,
  type Step,
  stepOutcomeOf,
  stepsSentAfterStop,
} from './cascade.ts'
import { type DueMessage, decideWake } from './decide-wake.ts'
import {
  type Due,
  endHolds,
  holdsEndingNow,
  nothingDue,
  type Pausable,
  type PausedRecovery,
  type Released,
  startHold,
} from './hold.ts'
import { afterSkip, type NextStep, type PlanningContext } from './next-step.ts'
import { planAt } from './plan-step.ts'
import type { Hold, RecoveryStatus } from './recovery-state.ts'
import { isTimeBarred } from './time-bar.ts'

/** A recovery that waits for its moment: that of its step, or that of the end of its pause. */
export interface WaitingRecovery extends PausedRecovery {
  readonly invoiceId: string
  readonly reach: Reach
  readonly dueDate: LocalDate
  readonly acknowledgedAt: Instant | null
}

/** A message beside the cascade that waits for its moment. */
export interface WaitingExtra {
  readonly invoiceId: string
  readonly step: string
  readonly channel: Channel
  readonly at: Instant
  readonly dueDate: LocalDate
  /** Of its invoice. */
  readonly recovery: RecoveryStatus
}

/** The debtor that is looked at, and the moment. */
export interface LookContext extends Omit<PlanningContext, 'reach'> {
  /** What holds every recovery of the debtor. */
  readonly hold: Hold | null
  /** Channels that the person closed, or that have no provider. */
  readonly unusable: readonly Channel[]
}

/** What becomes of a due recovery without a message. */
export type Advance =
  | { kind: 'held'; by: Hold; breaksPromise: boolean; change: Pausable }
  | { kind: 'pause_over'; breaksPromise: boolean; change: Released }
  | { kind: 'skip'; because: SkipBecause; nextStep: NextStep }
  /** A person has to decide what follows. */
  | { kind: 'decide' }
  /** It cannot be sent and must not be left out. */
  | { kind: 'stand'; because: 'time_barred' | 'no_provider' }

interface Candidate<Recovery, Extra> extends DueMessage {
  readonly recovery: Recovery | null
  readonly extra: Extra | null
}

interface Postponed<Recovery, Extra> extends Due {
  readonly recovery: Recovery | null
  readonly extra: Extra | null
}

/** Everything a look at a debtor decides. */
export interface Look<Recovery, Extra> {
  readonly advanced: readonly { readonly recovery: Recovery; readonly advance: Advance }[]
  /** Messages beside the cascade that cannot go any more. */
  readonly undeliverable: readonly Extra[]
  /** What is due and has to wait, each with its next moment. */
  readonly postponed: readonly Postponed<Recovery, Extra>[]
  readonly next:
    | { kind: 'answer'; extra: Extra }
    | { kind: 'contact'; lead: Candidate<Recovery, Extra>; grouped: readonly Candidate<Recovery, Extra>[] }
    /** No legal moment is known: a person has to look. */
    | { kind: 'park'; because: string }
    | null
}

/**
 * What is due today, what goes on without a message, and what is sent. The wake carries it out; a plan plays it through look
 * by look. Recoveries and messages come with the earliest first.
 */
export function decideLook<Recovery extends WaitingRecovery, Extra extends WaitingExtra>(
  recoveries: readonly Recovery[],
  extras: readonly Extra[],
  context: LookContext,
): Look<Recovery, Extra> {
  const { rules, now, seed } = context
  const advanced: { recovery: Recovery; advance: Advance }[] = []
  const candidates: Candidate<Recovery, Extra>[] = []
  for (const recovery of recoveries) {
    if (!isToday(rules, recovery.due.at!, now)) break
    const channel = channelToSend(recovery, context)
    if (channel !== null) candidates.push(stepCandidate(recovery, channel))
    else if (recovery.due.at! <= now)
      advanced.push({ recovery, advance: advanceWithoutMessage(recovery, context) })
  }
  const due = extras.filter(({ at }) => at <= now)
  const undeliverable = due.filter(extra => isUndeliverable(extra, context))
  const deliverable = due.filter(extra => !undeliverable.includes(extra))
  candidates.push(...deliverable.filter(({ step }) => !isAnswer(step)).map(extraCandidate<Recovery, Extra>))
  const { answer, later } = nextAnswer<Recovery, Extra>(deliverable, context)
  const decided = { advanced, undeliverable, postponed: later }
  if (answer) return { ...decided, next: { kind: 'answer', extra: answer } }
  const [one, ...others] = candidates
  // What is due later today goes with what is due now, but wakes nobody by itself.
  const isDue = ({ recovery, extra }: Candidate<Recovery, Extra>) =>
    extra !== null || recovery!.due.at! <= now
  if (!one || !candidates.some(isDue)) return { ...decided, next: null }
  const decision = decideWake(rules, [one, ...others], now, seed)
  if (decision.kind !== 'wait') return { ...decided, next: decision }
  return { ...decided, postponed: [...later, ...postpone(candidates, decision, context)], next: null }
}

/** By what a step that is due today goes out; null where it does not. */
export function channelToSend(
  recovery: WaitingRecovery,
  { rules, hold, now }: Pick<LookContext, 'rules' | 'hold' | 'now'>,
): Channel | null {
  if (hold !== null || recovery.status !== 'in_recovery') return null
  const outcome = stepOutcomeOf(stepOf(recovery), recovery.reach)
  return outcome.kind === 'send' && !isTimeBarred(rules, recovery, now) ? outcome.channel : null
}

/** At this moment or before, or later on the same day where the debtor is. */
export function isToday({ calendar }: Pick<ContactFile, 'calendar'>, at: Instant, now: Instant): boolean {
  if (at <= now) return true
  const zone = calendar?.zones[0]
  return zone !== undefined && localTime(zone, at).date === localTime(zone, now).date
}

const stepOf = ({ progress }: WaitingRecovery): Step => progress.cascade.steps[progress.step]!

/** Its pause is over, its step is left out, a person has to decide, or it has to stand. */
function advanceWithoutMessage(recovery: WaitingRecovery, context: LookContext): Advance {
  const { rules, hold, now, seed } = context
  const planningContext = { rules, reach: recovery.reach, now, seed }
  const breaksPromise = recovery.status === 'paused' && recovery.holds.includes('promise')
  if (hold !== null) {
    const change = { ...startHold(recovery, hold, null, now), due: nothingDue }
    return { kind: 'held', by: hold, breaksPromise, change }
  }
  const change = endHolds(recovery, holdsEndingNow(recovery), planningContext)
  if (change) return { kind: 'pause_over', breaksPromise, change }
  if (isTimeBarred(rules, recovery, now)) return { kind: 'stand', because: 'time_barred' }
  const outcome = stepOutcomeOf(stepOf(recovery), recovery.reach)
  switch (outcome.kind) {
    case 'skip':
      return {
        kind: 'skip',
        because: outcome.because,
        nextStep: afterSkip(recovery.progress, planningContext),
      }
    case 'decide':
    case 'stand':
      return outcome
    case 'send':
      throw new Error('what can be sent does not advance without a message')
  }
}

/**
 * Whether an extra message cannot be sent any more: its recovery is stopped or held, it is obsolete, or its channel is closed
 * or has no provider.
 */
const isUndeliverable = (
  { step, channel, recovery }: WaitingExtra,
  { hold, unusable }: Pick<LookContext, 'hold' | 'unusable'>,
): boolean =>
  unusable.includes(channel) ||
  isObsolete(step, recovery) ||
  (!stepsSentAfterStop.includes(step) && (recovery !== 'in_recovery' || hold !== null))

/** The answer to give now: it competes with nothing, since it is no contact. What may not go at this hour waits for the next. */
function nextAnswer<Recovery, Extra extends WaitingExtra>(
  extras: readonly Extra[],
  { rules, now, seed }: LookContext,
): { answer: Extra | null; later: Postponed<Recovery, Extra>[] } {
  const later: Postponed<Recovery, Extra>[] = []
  const hours = forAnswers(rules)
  for (const extra of extras.filter(({ step }) => isAnswer(step))) {
    if (isImmediate(extra.step) || judgeContact(hours, extra.channel, now).allowed)
      return { answer: extra, later }
    const { at, because } = planAt(hours, extra.channel, now, seed)
    later.push({ recovery: null, extra, at, because })
  }
  return { answer: null, later }
}

/**
 * Nothing may be sent now. What waits for a moment of today waits together, to be sent together; beyond today each waits for
 * the next moment of its own channel.
 */
function postpone<Recovery, Extra>(
  candidates: readonly Candidate<Recovery, Extra>[],
  wait: { until: Instant; because: string },
  { rules, now, seed }: LookContext,
): Postponed<Recovery, Extra>[] {
  const isStillToday = isToday(rules, wait.until, now)
  const slots = new Map<Channel, Due>()
  const slotOf = (channel: Channel): Due => {
    if (isStillToday) return { at: wait.until, because: wait.because }
    const known = slots.get(channel)
    if (known) return known
    const { at, because } = planAt(rules, channel, now, seed)
    slots.set(channel, { at, because })
    return { at, because }
  }
  return candidates.map(({ recovery, extra, channel }) => ({ recovery, extra, ...slotOf(channel) }))
}

const stepCandidate = <Recovery extends WaitingRecovery, Extra>(
  recovery: Recovery,
  channel: Channel,
): Candidate<Recovery, Extra> => ({
  invoiceId: recovery.invoiceId,
  step: stepOf(recovery),
  channel,
  dueDate: recovery.dueDate,
  isExtra: false,
  recovery,
  extra: null,
})

const extraCandidate = <Recovery, Extra extends WaitingExtra>(extra: Extra): Candidate<Recovery, Extra> => ({
  invoiceId: extra.invoiceId,
  step: { name: extra.step, channel: extra.channel },
  channel: extra.channel,
  dueDate: extra.dueDate,
  isExtra: true,
  recovery: null,
  extra,
})
