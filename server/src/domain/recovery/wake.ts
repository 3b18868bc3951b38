import type { Channel } from '../contact/channel.ts'
import { type Because, type ContactFile, judgeContact, nextLegalSlot } from '../contact/contact-rules.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { rankOf, type Step } from './cascade.ts'

/** Something to send that has come due: a step of an invoice's cascade, or a message asked for beside it. */
export interface DueMessage {
  readonly invoiceId: string
  /** Its rank is that of the step, also where it goes by another channel. */
  readonly step: Pick<Step, 'name' | 'channel'>
  readonly channel: Channel
  readonly dueDate: LocalDate
  /** Beside the cascade: it goes alone. */
  readonly isExtra: boolean
}

export type WakeDecision<Due extends DueMessage> =
  | { kind: 'contact'; serve: Due; along: Due[] }
  | { kind: 'wait'; until: Instant; because: Because }
  | { kind: 'park'; because: Because }

/** Furthest first: the highest rank of due step, then what really goes furthest, then the oldest due date, then the id. */
export function byReach(left: DueMessage, right: DueMessage): number {
  return (
    rankOf(right.step) - rankOf(left.step) ||
    rankOf(right) - rankOf(left) ||
    Number(right.isExtra) - Number(left.isExtra) ||
    (left.dueDate < right.dueDate ? -1 : left.dueDate > right.dueDate ? 1 : 0) ||
    (left.invoiceId < right.invoiceId ? -1 : 1)
  )
}

type Traveller = Pick<DueMessage, 'step' | 'channel' | 'isExtra'>

/**
 * Who travels with a message: steps of equal or lower rank. A formal notice is one only for those whose own is due, and a
 * registered letter is never replaced by anything less.
 */
export const mayTravelWith = (leader: Traveller, other: Traveller): boolean =>
  !leader.isExtra &&
  !other.isExtra &&
  rankOf(other.step) <= rankOf(leader.step) &&
  rankOf(other) <= rankOf(leader)

/**
 * What to do with a debtor now: contact it for one invoice and take the others along, wait for a legal moment, or leave it to
 * a person. The furthest goes first; where it has to wait beyond today, it does not hold up what may go today.
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
  const ordered = due.toSorted(byReach)
  let soonest: { until: Instant; because: Because } | null = null
  let stuck: Because | null = null
  for (const serve of ordered) {
    const verdict = judgeContact(file, serve.channel, now)
    if (verdict.allowed) {
      const along = ordered.filter(other => other !== serve && mayTravelWith(serve, other))
      return { kind: 'contact', serve, along }
    }
    const plan = nextLegalSlot(file, serve.channel, now, { spreadSeed: seed })
    if (plan.at === null) {
      stuck = plan.because
      continue
    }
    // Of several obstacles the last is the one that decides the moment.
    const wait = { until: plan.at, because: plan.shifts.at(-1)?.because ?? verdict.because }
    if (localTime(calendar.zones[0], plan.at).date === today) return { kind: 'wait', ...wait }
    if (soonest === null || wait.until < soonest.until) soonest = wait
  }
  return soonest ? { kind: 'wait', ...soonest } : { kind: 'park', because: stuck ?? 'calendar_missing' }
}
