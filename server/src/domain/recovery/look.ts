import type { Channel } from '../contact/channel.ts'
import { forAnswers, judgeContact } from '../contact/contact-rules.ts'
import type { Instant } from '../time.ts'
import {
  isAnswer,
  isImmediate,
  isObsolete,
  isOvertaken,
  needsLetterFirst,
  notCollectedBecause,
  type SkipBecause,
  type StepOutcome,
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
  type Released,
  startHold,
} from './hold.ts'
import { afterSkip, type NextStep } from './next-step.ts'
import { type Hold, withoutHolds } from './recovery-state.ts'
import { isNothingAsked } from './time-bar.ts'
import {
  channelToSend,
  isAway,
  isToday,
  judgeAgain,
  judgeExtraAgain,
  type LookContext,
  nextSlot,
  nextSlots,
  notEarlier,
  type SlotOf,
  stepOf,
  type WaitingExtra,
  type WaitingRecovery,
  waitsBeyondToday,
  waitsForAddress,
} from './waiting.ts'

/** The result for a due recovery that sends no message. */
export type Advance =
  | { kind: 'held'; by: Hold; breaksPromise: boolean; change: Pausable }
  | { kind: 'pause_over'; breaksPromise: boolean; change: Released }
  | { kind: 'skip'; because: SkipBecause; nextStep: NextStep }
  /** A person has to decide what follows. */
  | { kind: 'decide' }
  /** It cannot be sent and must not be skipped. */
  | { kind: 'stand'; because: 'time_barred' | Extract<StepOutcome, { kind: 'stand' }>['because'] }

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
  /** Messages outside the cascade that can no longer be sent. */
  readonly undeliverable: readonly Extra[]
  /** Due recoveries and messages that have to wait, each with its next moment. */
  readonly postponed: readonly Postponed<Recovery, Extra>[]
  readonly next:
    | { kind: 'answer'; extra: Extra }
    | {
        kind: 'contact'
        lead: Candidate<Recovery, Extra>
        /** The message names their invoices and executes their steps too. */
        grouped: readonly Candidate<Recovery, Extra>[]
      }
    /** No allowed moment is known: a person has to look. */
    | { kind: 'park'; because: string }
    /** Only messages in transit prevent the contact. Nothing is postponed because of them until they have an outcome. */
    | { kind: 'wait_for_outcome' }
    | null
}

/**
 * Decides what is due today, what advances without a message, and what is sent. The wake carries it out; a forecast simulates it
 * look by look. Recoveries and messages are sorted with the earliest first.
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
    if (waitsForAddress(recovery, context)) {
      advanced.push({ recovery, advance: advanceWithoutMessage(recovery, context) })
      continue
    }
    if (waitsBeyondToday(recovery, now)) continue
    const channel = channelToSend(recovery, context)
    const judged = judgeAgain(recovery, channel, context, slotOf)
    const due = channel === null ? judged : notEarlier(judged, recovery)
    if (due.at !== null && isToday(rules, due.at, now)) {
      // Its own moment has come, and the announced one is later today.
      if (due.at > now && recovery.due.at! <= now) moved.push({ recovery, extra: null, ...due })
      if (channel !== null && isAway(channel, context)) {
        if (due.at <= now) moved.push({ recovery, extra: null, ...slotOf(channel) })
      } else if (channel !== null) candidates.push(stepCandidate(recovery, channel, due.at))
      else if (due.at <= now) advanced.push({ recovery, advance: advanceWithoutMessage(recovery, context) })
    } else if (due !== recovery.due) moved.push({ recovery, extra: null, ...due })
  }
  const due: Extra[] = []
  for (const extra of extras) {
    const judged = judgeExtraAgain(extra, now, slotOf)
    if (judged.at! <= now) due.push(extra)
    else if (judged.at !== extra.at) moved.push({ recovery: null, extra, ...judged })
  }
  const undeliverable = due.filter(extra => isUndeliverable(extra, context))
  const deliverable = due.filter(extra => !undeliverable.includes(extra))
  const { answer, later } = nextAnswer<Recovery, Extra>(deliverable, context)
  const contacts = deliverable.filter(({ step }) => !isAnswer(step))
  for (const extra of contacts)
    if (isAway(extra.channel, context)) moved.push({ recovery: null, extra, ...slotOf(extra.channel) })
    else candidates.push(extraCandidate<Recovery, Extra>(extra, now))
  const decided = { advanced, undeliverable, postponed: [...moved, ...later] }
  if (answer) return { ...decided, next: { kind: 'answer', extra: answer } }
  const { dropped, ...next } = decideNext(candidates, decided.postponed, context, slotOf)
  const skipped = dropped.map(recovery => ({
    recovery,
    advance: skipStep(recovery, 'notice_instead', context),
  }))
  return { ...decided, advanced: [...advanced, ...skipped], ...next }
}

/** Decides which of today's candidates are sent, or what they wait for. */
function decideNext<Recovery extends WaitingRecovery, Extra extends WaitingExtra>(
  candidates: readonly Candidate<Recovery, Extra>[],
  postponed: readonly Postponed<Recovery, Extra>[],
  { rules, rulesWithoutOpen, now, seed }: LookContext,
  slotOf: SlotOf,
): Pick<Look<Recovery, Extra>, 'next' | 'postponed'> & { dropped: readonly Recovery[] } {
  // Steps due later today are sent with a step that is due now, but never on their own. A message that a person asked for makes
  // none of them leave earlier.
  const dueNow = candidates.filter(({ at }) => at <= now)
  const mayLeave = candidates.filter(({ recovery }) => (recovery?.notBefore ?? now) <= now)
  const competing = dueNow.some(({ recovery }) => recovery !== null) ? mayLeave : dueNow
  const [one, ...others] = competing
  if (!one) return { postponed, next: null, dropped: [] }
  const decision = decideWake(rules, [one, ...others], now, seed)
  if (decision.kind === 'park') return { postponed, next: decision, dropped: [] }
  if (decision.kind === 'contact') {
    const { kind, lead, grouped, dropped } = decision
    return { postponed, next: { kind, lead, grouped }, dropped: dropped.map(({ recovery }) => recovery!) }
  }
  if (rulesWithoutOpen) {
    const otherwise = decideWake(rulesWithoutOpen, [one, ...others], now, seed)
    const isSooner = otherwise.kind === 'wait' && otherwise.until < decision.until
    if (otherwise.kind === 'contact' || isSooner)
      return { postponed, next: { kind: 'wait_for_outcome' }, dropped: [] }
  }
  const isStillToday = isToday(rules, decision.until, now)
  const wait = { at: decision.until, because: decision.because }
  // Candidates that wait for a moment of today get the same moment, so that they are sent together. Beyond today each waits for
  // the next moment of its own channel.
  const later = competing.map(({ recovery, extra, channel }) => ({
    recovery,
    extra,
    ...(isStillToday ? wait : slotOf(channel)),
  }))
  return { postponed: [...postponed, ...later], next: null, dropped: [] }
}

/** The recovery is held, its pause is over, its step is skipped, a person has to decide, or it is blocked. */
function advanceWithoutMessage(recovery: WaitingRecovery, context: LookContext): Advance {
  const { rules, hold, now, seed } = context
  const planningContext = { rules, reach: recovery.reach, now, seed }
  const breaksPromise = recovery.status === 'paused' && recovery.holds.includes('promise')
  if (hold !== null) {
    return { kind: 'held', by: hold, breaksPromise, change: heldBy(recovery, hold, context) }
  }
  const change = endHolds(recovery, holdsEndingNow(recovery), planningContext)
  if (change) return { kind: 'pause_over', breaksPromise, change }
  if (isNothingAsked(rules, recovery, now)) return { kind: 'stand', because: 'time_barred' }
  const outcome = stepOutcomeOf(stepOf(recovery), recovery.reach)
  switch (outcome.kind) {
    case 'skip':
      return skipStep(recovery, outcome.because, context)
    case 'decide':
    case 'stand':
      return outcome
    case 'wait': {
      const by: Hold = outcome.because
      return { kind: 'held', by, breaksPromise, change: heldBy(recovery, by, context) }
    }
    case 'send':
      throw new Error('what can be sent does not advance without a message')
  }
}

const skipStep = (
  { progress, reach }: WaitingRecovery,
  because: SkipBecause,
  { rules, now, seed }: LookContext,
): Advance => ({ kind: 'skip', because, nextStep: afterSkip(progress, { rules, reach, now, seed }) })

/** The pause of a debtor may end by itself, so holds that are over end now: no later look would end them. */
function heldBy(recovery: WaitingRecovery, hold: Hold, { pausedUntil = null, now }: LookContext): Pausable {
  if (hold !== 'debtor') return { ...startHold(recovery, hold, null, now), due: nothingDue }
  const left = { ...recovery, ...withoutHolds(recovery, holdsEndingNow(recovery)) }
  return { ...startHold(left, hold, null, now), due: dueAfterPause(pausedUntil) }
}

/**
 * Whether an extra message cannot be sent any more: its recovery is stopped or held, it is obsolete, its channel is closed or
 * has no provider, a collector may not send it, or it would remind a consumer of a time-barred debt. A receipt that the law wants is
 * sent although the debtor wants no messages.
 */
const isUndeliverable = (
  extra: WaitingExtra,
  {
    hold,
    unusable,
    optedOut = [],
    rules,
    now,
  }: Pick<LookContext, 'hold' | 'unusable' | 'optedOut' | 'rules' | 'now'>,
): boolean => {
  const { step, channel, recovery, reach = {}, isDuty = false } = extra
  return (
    (unusable.includes(channel) && !(isDuty && optedOut.includes(channel))) ||
    isObsolete(step, recovery) ||
    isOvertaken(step, hold) ||
    (!stepsSentAfterStop.includes(step) &&
      (recovery !== 'in_recovery' ||
        hold !== null ||
        isNothingAsked(rules, extra, now) ||
        notCollectedBecause(reach) !== null ||
        needsLetterFirst(reach, channel)))
  )
}

/** The answer to send now. Answers are not contacts, so they do not compete. One that may not be sent at this hour waits. */
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
  letterId: recovery.reach.collected?.letterId ?? null,
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
  letterId: extra.reach?.collected?.letterId ?? null,
  recovery: null,
  extra,
  at,
})
