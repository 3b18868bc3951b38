import { rankOf, type Step } from './cascade.ts'
import { type Because, type ContactFile, judgeContact, nextLegalSlot } from './contact-rules.ts'
import type { Instant, LocalDate } from './time.ts'

/** One step of one invoice that has come due. */
export interface DueStep {
  readonly invoiceId: string
  readonly step: Step
  readonly dueDate: LocalDate
}

export type WakeDecision<Due extends DueStep> =
  | { kind: 'contact'; serve: Due }
  | { kind: 'wait'; until: Instant; because: Because }
  | { kind: 'park'; because: Because | 'awaiting_decision' }

/** Furthest first: the highest rank of due step, then the oldest due date, then the id. */
export function furthest<Due extends DueStep>(due: readonly Due[]): Due | null {
  return due.reduce<Due | null>((best, next) => {
    if (!best) return next
    const ahead =
      rankOf(next.step) - rankOf(best.step) ||
      (next.dueDate < best.dueDate ? 1 : next.dueDate > best.dueDate ? -1 : 0) ||
      (next.invoiceId < best.invoiceId ? 1 : -1)
    return ahead > 0 ? next : best
  }, null)
}

/** What to do with a debtor now: contact it for one invoice, wait for a legal moment, or leave it to a person. */
export function decideWake<Due extends DueStep>(
  file: ContactFile,
  due: readonly Due[],
  now: Instant,
  seed: string,
): WakeDecision<Due> {
  // Steps without a channel are a person's to decide; they never take a slot from one that sends.
  const serve = furthest(due.filter(item => item.step.channel !== null))
  if (!serve?.step.channel) return { kind: 'park', because: 'awaiting_decision' }
  const verdict = judgeContact(file, serve.step.channel, now)
  if (verdict.allowed) return { kind: 'contact', serve }
  const plan = nextLegalSlot(file, serve.step.channel, now, { spreadSeed: seed })
  if (plan.at === null) return { kind: 'park', because: plan.because }
  // Of several obstacles the last is the one that decides the moment.
  return { kind: 'wait', until: plan.at, because: plan.shifts.at(-1)?.because ?? verdict.because }
}
