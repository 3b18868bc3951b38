import { type AwayChannel, awayChannelAt, lookAgainAt } from '../contact/away-channel.ts'
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
  dueAfterPause,
  endHolds,
  holdsEndingNow,
  nothingDue,
  type Pausable,
  type PausedRecovery,
  type Released,
  startHold,
  wishOf,
} from './hold.ts'
import { afterSkip, type NextStep, type PlanningContext } from './next-step.ts'
import { planAt } from './plan-step.ts'
import { type Hold, type RecoveryStatus, withoutHolds } from './recovery-state.ts'
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
  readonly id: string
  readonly invoiceId: string
  readonly step: string
  readonly channel: Channel
  readonly at: Instant
  /** When it wants to go; left out, it is `at`. */
  readonly wish?: Instant
  readonly dueDate: LocalDate
  /** Of its invoice. */
  readonly recovery: RecoveryStatus
}

/** The debtor that is looked at, and the moment. */
export interface LookContext extends Omit<PlanningContext, 'reach'> {
  /** What holds every recovery of the debtor. */
  readonly hold: Hold | null
  /** When the pause of the debtor ends by itself; left out or null, it does not. */
  readonly pausedUntil?: Instant | null
  /** Channels that the person closed, or that have no provider. */
  readonly unusable: readonly Channel[]
  /** The rules as they would be if every message on its way came to nothing; left out if none is on its way. */
  readonly rulesWithoutOpen?: ContactFile
  /** Channels that cannot be used at the moment. What wants to go by them waits, and uses up no attempt. */
  readonly away?: readonly AwayChannel[]
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
  /** Its moment, as judged by this look. */
  readonly at: Instant
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
    /** Only messages on their way are in the way. Until they have an outcome, nothing is postponed because of them. */
    | { kind: 'wait_for_outcome' }
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
  const { rules, now } = context
  const slotOf = nextSlots(context)
  const advanced: { recovery: Recovery; advance: Advance }[] = []
  const candidates: Candidate<Recovery, Extra>[] = []
  const moved: Postponed<Recovery, Extra>[] = []
  for (const recovery of recoveries) {
    const due = judgeAgain(recovery, context, slotOf)
    if (due.at !== null && isToday(rules, due.at, now)) {
      const channel = channelToSend(recovery, context)
      if (channel !== null && isAway(channel, context)) {
        if (due.at <= now) moved.push({ recovery, extra: null, ...slotOf(channel) })
      } else if (channel !== null) candidates.push(stepCandidate(recovery, channel, due.at))
      else if (due.at <= now) advanced.push({ recovery, advance: advanceWithoutMessage(recovery, context) })
    } else if (due !== recovery.due) moved.push({ recovery, extra: null, ...due })
  }
  const due = extras.filter(extra => isExtraDue(extra, now, slotOf))
  const undeliverable = due.filter(extra => isUndeliverable(extra, context))
  const deliverable = due.filter(extra => !undeliverable.includes(extra))
  const { answer, later } = nextAnswer<Recovery, Extra>(deliverable, context)
  const contacts = deliverable.filter(({ step }) => !isAnswer(step))
  for (const extra of contacts)
    if (isAway(extra.channel, context)) moved.push({ recovery: null, extra, ...slotOf(extra.channel) })
    else candidates.push(extraCandidate<Recovery, Extra>(extra, now))
  const decided = { advanced, undeliverable, postponed: [...moved, ...later] }
  if (answer) return { ...decided, next: { kind: 'answer', extra: answer } }
  return { ...decided, ...decideNext(candidates, decided.postponed, context, slotOf) }
}

/** What is sent of what is due today, or for what it waits. */
function decideNext<Recovery extends WaitingRecovery, Extra extends WaitingExtra>(
  candidates: readonly Candidate<Recovery, Extra>[],
  postponed: readonly Postponed<Recovery, Extra>[],
  { rules, rulesWithoutOpen, now, seed }: LookContext,
  slotOf: (channel: Channel) => Due,
): Pick<Look<Recovery, Extra>, 'next' | 'postponed'> {
  const [one, ...others] = candidates
  // What is due later today goes with what is due now, but wakes nobody by itself.
  if (!one || candidates.every(({ at }) => at > now)) return { postponed, next: null }
  const decision = decideWake(rules, [one, ...others], now, seed)
  if (decision.kind !== 'wait') return { postponed, next: decision }
  if (rulesWithoutOpen) {
    const otherwise = decideWake(rulesWithoutOpen, [one, ...others], now, seed)
    const isSooner = otherwise.kind === 'wait' && otherwise.until < decision.until
    if (otherwise.kind === 'contact' || isSooner) return { postponed, next: { kind: 'wait_for_outcome' } }
  }
  const isStillToday = isToday(rules, decision.until, now)
  const wait = { at: decision.until, because: decision.because }
  // What waits for a moment of today waits together, to be sent together; beyond today each waits for the next moment of its
  // own channel.
  const later = candidates.map(({ recovery, extra, channel }) => ({
    recovery,
    extra,
    ...(isStillToday ? wait : slotOf(channel)),
  }))
  return { postponed: [...postponed, ...later], next: null }
}

const isAway = (channel: Channel, { away, now }: LookContext): boolean =>
  awayChannelAt(away, channel, now) !== null

/** The next legal moment of each channel, found once per look. */
function nextSlots(context: LookContext): (channel: Channel) => Due {
  const slots = new Map<Channel, Due>()
  return channel => {
    const known = slots.get(channel)
    if (known) return known
    const slot = nextSlot(context.rules, channel, context)
    slots.set(channel, slot)
    return slot
  }
}

/** The next legal moment at which the channel can be used. */
function nextSlot(rules: ContactFile, channel: Channel, { away, now, seed }: LookContext): Due {
  const awayChannel = awayChannelAt(away, channel, now)
  if (!awayChannel) {
    const { at, because } = planAt(rules, channel, now, seed)
    return { at, because }
  }
  const { at, because } = planAt(rules, channel, lookAgainAt(awayChannel, now, seed), seed)
  return { at, because: at === null ? because : awayChannel.because }
}

/**
 * Its moment, recomputed from its wish: what was in the way may be gone, so that it goes earlier. Whether it has to wait longer
 * is found when its moment comes.
 */
function judgeAgain(recovery: WaitingRecovery, context: LookContext, slotOf: (channel: Channel) => Due): Due {
  const { due } = recovery
  const { now } = context
  if (due.at === null || due.at <= now || wishOf(due)! > now) return due
  const channel = channelToSend(recovery, context)
  if (channel === null) return due
  const slot = slotOf(channel)
  return slot.at !== null && slot.at < due.at ? slot : due
}

/** Answers are no contacts: nothing but the hours can be in their way. */
const isExtraDue = (
  { at, wish, step, channel }: WaitingExtra,
  now: Instant,
  slotOf: (channel: Channel) => Due,
): boolean => {
  if (at <= now) return true
  if (isAnswer(step) || (wish ?? at) > now) return false
  const slot = slotOf(channel)
  return slot.at !== null && slot.at <= now
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
    return { kind: 'held', by: hold, breaksPromise, change: heldBy(recovery, hold, context) }
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

/** The pause of a debtor may end by itself, so what ends before it ends now: nothing would look at it again. */
function heldBy(recovery: WaitingRecovery, hold: Hold, { pausedUntil = null, now }: LookContext): Pausable {
  if (hold !== 'debtor') return { ...startHold(recovery, hold, null, now), due: nothingDue }
  const left = { ...recovery, ...withoutHolds(recovery, holdsEndingNow(recovery)) }
  return { ...startHold(left, hold, null, now), due: dueAfterPause(pausedUntil) }
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
  context: LookContext,
): { answer: Extra | null; later: Postponed<Recovery, Extra>[] } {
  const later: Postponed<Recovery, Extra>[] = []
  const hours = forAnswers(context.rules)
  for (const extra of extras.filter(({ step }) => isAnswer(step))) {
    const { step, channel } = extra
    const mayGo = isImmediate(step) || judgeContact(hours, channel, context.now).allowed
    if (mayGo && !isAway(channel, context)) return { answer: extra, later }
    later.push({ recovery: null, extra, ...nextSlot(hours, channel, context) })
  }
  return { answer: null, later }
}

const stepCandidate = <Recovery extends WaitingRecovery, Extra>(
  recovery: Recovery,
  channel: Channel,
  at: Instant,
): Candidate<Recovery, Extra> => ({
  invoiceId: recovery.invoiceId,
  step: stepOf(recovery),
  channel,
  dueDate: recovery.dueDate,
  isExtra: false,
  recovery,
  extra: null,
  at,
})

const extraCandidate = <Recovery, Extra extends WaitingExtra>(
  extra: Extra,
  at: Instant,
): Candidate<Recovery, Extra> => ({
  invoiceId: extra.invoiceId,
  step: { name: extra.step, channel: extra.channel },
  channel: extra.channel,
  dueDate: extra.dueDate,
  isExtra: true,
  recovery: null,
  extra,
  at,
})
