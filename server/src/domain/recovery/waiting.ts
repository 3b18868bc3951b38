import { type AwayChannel, awayChannelAt, lookAgainAt } from '../contact/away-channel.ts'
import type { Channel } from '../contact/channel.ts'
import { type ContactFile, longestDay } from '../contact/contact-rules.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { isAnswer, type Reach, type Step, stepOutcomeOf } from './cascade.ts'
import { type Due, type PausedRecovery, wishOf } from './hold.ts'
import type { PlanningContext } from './next-step.ts'
import { planAt } from './plan-step.ts'
import type { Hold, RecoveryStatus } from './recovery-state.ts'
import { isNothingAsked } from './time-bar.ts'

/*
 * What waits for a debtor, and the next moment at which it can be sent.
 */

/** A recovery that waits for its moment: that of its step, or that of the end of its pause. */
export interface WaitingRecovery extends PausedRecovery {
  readonly invoiceId: string
  readonly reach: Reach
  readonly dueDate: LocalDate
  /** The last day before the time bar. */
  readonly limitationEndsOn: LocalDate
  /** The moment of its next message as it was announced when a person acted on another invoice: it does not leave earlier. */
  readonly notBefore?: Instant | null
}

/** A message outside the cascade that waits for its moment. */
export interface WaitingExtra {
  readonly id: string
  readonly invoiceId: string
  readonly step: string
  readonly channel: Channel
  readonly at: Instant
  /** The wanted moment; default: `at`. */
  readonly wish?: Instant
  readonly dueDate: LocalDate
  /** The last day before the time bar of its invoice. */
  readonly limitationEndsOn: LocalDate
  /** The recovery status of its invoice. */
  readonly recovery: RecoveryStatus
  /** What a collector needs for its invoice; absent: the creditor writes itself. */
  readonly reach?: Pick<Reach, 'collected'>
  /** The law wants this message: it is sent although the debtor wants no messages. */
  readonly isDuty?: boolean
}

/** The debtor and the moment of the look. */
export interface LookContext extends Omit<PlanningContext, 'reach'> {
  /** The hold on every recovery of the debtor. */
  readonly hold: Hold | null
  /** When the pause of the debtor ends by itself; absent or null: it does not. */
  readonly pausedUntil?: Instant | null
  /** Channels that the person closed, or that have no provider. */
  readonly unusable: readonly Channel[]
  /** Those of them that the debtor closed by asking for no more messages. Absent: none. */
  readonly optedOut?: readonly Channel[]
  /** The rules as they would be if every message in transit failed; absent if none is in transit. */
  readonly rulesWithoutOpen?: ContactFile
  /** Channels that are unavailable at the moment. Their messages wait and use up no attempt. */
  readonly away?: readonly AwayChannel[]
}

export const isAway = (channel: Channel, { away, now }: LookContext): boolean =>
  awayChannelAt(away, channel, now) !== null

/** The next allowed moment of each channel, from now or from a later moment. */
export type SlotOf = (channel: Channel, from?: Instant) => Due

/** Each moment is found once per look. */
export function nextSlots(context: LookContext): SlotOf {
  const slots = new Map<string, Due>()
  return (channel, from = context.now) => {
    const key = `${channel} ${from}`
    const known = slots.get(key)
    if (known) return known
    const slot = nextSlot(context.rules, channel, { ...context, now: from })
    slots.set(key, slot)
    return slot
  }
}

/** The next allowed moment at which the channel can be used. */
export function nextSlot(rules: ContactFile, channel: Channel, { away, now, seed }: LookContext): Due {
  const awayChannel = awayChannelAt(away, channel, now)
  if (!awayChannel) {
    const { at, because } = planAt(rules, channel, now, seed)
    return { at, because }
  }
  const { at, because } = planAt(rules, channel, lookAgainAt(awayChannel, now, seed), seed)
  return { at, because: at === null ? because : awayChannel.because }
}

/**
 * The moment of a waiting step, judged again: an obstacle may be gone, so that the step can be sent earlier, but not before its
 * wish. Whether it has to wait longer is decided when its moment comes.
 */
export function judgeAgain(
  { due }: WaitingRecovery,
  channel: Channel | null,
  { now }: LookContext,
  slotOf: SlotOf,
): Due {
  const wish = wishOf(due)
  if (channel === null || due.at === null || due.at <= now || wish! >= due.at) return due
  const slot = slotOf(channel, Math.max(now, wish!))
  return slot.at !== null && slot.at < due.at ? slot : due
}

/**
 * Whether its moment is on a later day, and is the one that was wished: a look changes nothing about it. A debtor may have
 * hundreds of these, and a forecast looks hundreds of times.
 */
export const waitsBeyondToday = ({ due, notBefore }: WaitingRecovery, now: Instant): boolean =>
  due.at !== null && due.at > now + longestDay && wishOf(due)! >= due.at && (notBefore ?? 0) <= due.at

/** No act of a person makes a message leave earlier than it was announced. */
export const notEarlier = (due: Due, { notBefore }: WaitingRecovery): Due =>
  due.at !== null && notBefore != null && notBefore > due.at ? { ...due, at: notBefore } : due

/** The moment of a message outside the cascade, judged again. Answers are not contacts: only the hours can delay them. */
export function judgeExtraAgain(
  { at, wish = at, step, channel }: WaitingExtra,
  now: Instant,
  slotOf: SlotOf,
): Due {
  const due = { at, because: null }
  if (at <= now || wish >= at || isAnswer(step)) return due
  const slot = slotOf(channel, Math.max(now, wish))
  return slot.at !== null && slot.at < at ? slot : due
}

/** The channel on which a step that is due today is sent; null if it is not sent. */
export function channelToSend(
  recovery: WaitingRecovery,
  { rules, hold, now }: Pick<LookContext, 'rules' | 'hold' | 'now'>,
): Channel | null {
  if (hold !== null || recovery.status !== 'in_recovery') return null
  const outcome = stepOutcomeOf(stepOf(recovery), recovery.reach)
  return outcome.kind === 'send' && !isNothingAsked(rules, recovery, now) ? outcome.channel : null
}

/** Whether nothing can be sent for the recovery until an address is corrected. It is held at once: the moment of its step changes nothing. */
export function waitsForAddress(
  recovery: WaitingRecovery,
  { rules, hold, now }: Pick<LookContext, 'rules' | 'hold' | 'now'>,
): boolean {
  const { status, reach } = recovery
  if (hold !== null || status !== 'in_recovery' || !reach.refused?.length) return false
  return stepOutcomeOf(stepOf(recovery), reach).kind === 'wait' && !isNothingAsked(rules, recovery, now)
}

/** Whether a moment is in the past, now, or later on the same local day of the debtor. */
export function isToday({ calendar }: Pick<ContactFile, 'calendar'>, at: Instant, now: Instant): boolean {
  if (at <= now) return true
  if (at > now + longestDay) return false
  const zone = calendar?.zones[0]
  return zone !== undefined && localTime(zone, at).date === localTime(zone, now).date
}

export const stepOf = ({ progress }: WaitingRecovery): Step => progress.cascade.steps[progress.step]!
