import type { Channel } from '../contact/channel.ts'
import { type Because, type ContactFile, judgeStart } from '../contact/contact-rules.ts'
import { nextLegalSlot } from '../contact/next-legal-slot.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { firstNotice, formalNotice, rankOf, type Step } from './cascade.ts'

/** A message that is due: a step of an invoice's cascade, or a message requested outside the cascade. */
export interface DueMessage {
  readonly invoiceId: string
  /** The rank depends on the step, even if the message is sent on another channel. */
  readonly step: Pick<Step, 'name' | 'channel'>
  readonly channel: Channel
  readonly dueDate: LocalDate
  /** Outside the cascade: it is never grouped. */
  readonly isExtra: boolean
  /** The letter with which a collector began; null or absent: none. */
  readonly letterId?: string | null
}

/** The most invoices that one message names and executes. */
export const groupedMax = 500

export type WakeDecision<Due extends DueMessage> =
  | {
      kind: 'contact'
      lead: Due
      /** Their step is executed by the same message, which names their invoices. */
      grouped: Due[]
      /** Their step is skipped: it would be one more message on the same channel. */
      dropped: Due[]
    }
  | { kind: 'wait'; until: Instant; because: Because }
  | { kind: 'park'; because: Because }

/**
 * Sorts by: the rank of the step, the rank of the channel really used, extra messages first, first contacts next, the oldest due
 * date, the id. A first contact leads reminders of its rank, because it may be grouped into none of them.
 */
export function byPriority(left: DueMessage, right: DueMessage): number {
  return (
    rankOf(right.step) - rankOf(left.step) ||
    rankOf(right) - rankOf(left) ||
    Number(right.isExtra) - Number(left.isExtra) ||
    Number(isFirstContact(right)) - Number(isFirstContact(left)) ||
    (left.dueDate < right.dueDate ? -1 : left.dueDate > right.dueDate ? 1 : 0) ||
    (left.invoiceId < right.invoiceId ? -1 : 1)
  )
}

type GroupableMessage = Pick<DueMessage, 'step' | 'channel' | 'isExtra' | 'letterId'>

const isFirstContact = ({ step }: GroupableMessage) => step.name === firstNotice
const isFormalNotice = ({ step }: GroupableMessage) => step.name === formalNotice

/**
 * Which steps are grouped into a message: those of equal or lower rank, because the message names their invoices as still to be
 * paid. A formal notice executes only formal notices, and a registered letter is never replaced by a weaker channel. A first
 * contact is executed only by a message with the texts of a first contact. A text message or a call of a collector names one
 * letter, so it executes only steps of invoices that this letter was about.
 */
export function mayBeGrouped(lead: GroupableMessage, other: GroupableMessage): boolean {
  if (lead.isExtra || other.isExtra) return false
  if (isFormalNotice(lead) !== isFormalNotice(other)) return false
  if (isFirstContact(other) && !isFirstContact(lead)) return false
  const namesOneLetter = lead.channel === 'sms' || lead.channel === 'voice'
  if (namesOneLetter && (lead.letterId ?? null) !== (other.letterId ?? null)) return false
  return rankOf(other.step) <= rankOf(lead.step) && rankOf(other) <= rankOf(lead)
}

/**
 * Which steps of the same day are skipped because of a message that does not name them. A formal notice by email names only its
 * own invoices. A reminder by email would have to wait until the cool-down of the channel is over, and would then be one more
 * message. A first contact and a formal notice are never skipped: they wait.
 */
const isDropped = (lead: DueMessage, other: DueMessage): boolean =>
  isFormalNotice(lead) &&
  lead.channel === other.channel &&
  !other.isExtra &&
  !isFormalNotice(other) &&
  !isFirstContact(other)

/**
 * What to do with a debtor now: send one message for a lead invoice with the others grouped into it, wait for an allowed moment,
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
    const verdict = judgeStart(file, lead.channel, now)
    if (verdict.allowed) {
      const others = ordered.filter(other => other !== lead)
      const grouped = others.filter(other => mayBeGrouped(lead, other)).slice(0, groupedMax - 1)
      return { kind: 'contact', lead, grouped, dropped: others.filter(other => isDropped(lead, other)) }
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
