import type { Channel } from '../contact/channel.ts'
import { type Because, type ContactFile, judgeContact } from '../contact/contact-rules.ts'
import { nextLegalSlot } from '../contact/next-legal-slot.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { rankOf, type Step } from './cascade.ts'

/** A message that is due: a step of an invoice's cascade, or a message requested outside the cascade. */
export interface DueMessage {
  readonly invoiceId: string
  /** The rank depends on the step, even if the message is sent on another channel. */
  readonly step: Pick<Step, 'name' | 'channel'>
  readonly channel: Channel
  readonly dueDate: LocalDate
  /** Outside the cascade: it is never grouped. */
  readonly isExtra: boolean
}

export type WakeDecision<Due extends DueMessage> =
  | { kind: 'contact'; lead: Due; grouped: Due[] }
  | { kind: 'wait'; until: Instant; because: Because }
  | { kind: 'park'; because: Because }

/** Sorts by: the rank of the step, the rank of the channel really used, extra messages first, the oldest due date, the id. */
export function byPriority(left: DueMessage, right: DueMessage): number {
  return (
    rankOf(right.step) - rankOf(left.step) ||
    rankOf(right) - rankOf(left) ||
    Number(right.isExtra) - Number(left.isExtra) ||
    (left.dueDate < right.dueDate ? -1 : left.dueDate > right.dueDate ? 1 : 0) ||
    (left.invoiceId < right.invoiceId ? -1 : 1)
  )
}

type GroupableMessage = Pick<DueMessage, 'step' | 'channel' | 'isExtra'>

/**
 * Which steps are grouped into a message: those of equal or lower rank. A message counts as a formal notice only for invoices
 * whose own formal notice is due, and a registered letter is never replaced by a weaker channel.
 */
export const mayBeGrouped = (lead: GroupableMessage, other: GroupableMessage): boolean =>
  !lead.isExtra && !other.isExtra && rankOf(other.step) <= rankOf(lead.step) && rankOf(other) <= rankOf(lead)

/**
 * What to do with a debtor now: send one message for a lead invoice with the others grouped into it, wait for a legal moment,
 * or park the agenda for a person. The message with the highest priority goes first. If it has to wait until another day, a
 * message of lower priority may be sent today.
 */
export function decideWake<Due extends DueMessage>(
  file: ContactFile,
  due: readonly [Due, ...Due[]],
  now: Instant,
  seed: string,
): WakeDecision<Due> {
  const { calendar } = file
  if (calendar === null) return { kind: 'park', because: 'calendar_missing' }
  const today = localTime(calendar.zones[0], now).date
  const ordered = due.toSorted(byPriority)
  let soonest: { until: Instant; because: Because } | null = null
  let blockedBecause: Because | null = null
  for (const lead of ordered) {
    const verdict = judgeContact(file, lead.channel, now)
    if (verdict.allowed) {
      const grouped = ordered.filter(other => other !== lead && mayBeGrouped(lead, other))
      return { kind: 'contact', lead, grouped }
    }
    const plan = nextLegalSlot(file, lead.channel, now, { spreadSeed: seed })
    if (plan.at === null) {
      blockedBecause = plan.because
      continue
    }
    // Of several obstacles, the last one determines the moment.
    const wait = { until: plan.at, because: plan.shifts.at(-1)?.because ?? verdict.because }
    if (localTime(calendar.zones[0], plan.at).date === today) return { kind: 'wait', ...wait }
    if (soonest === null || wait.until < soonest.until) soonest = wait
  }
  return soonest
    ? { kind: 'wait', ...soonest }
    : { kind: 'park', because: blockedBecause ?? 'calendar_missing' }
}
