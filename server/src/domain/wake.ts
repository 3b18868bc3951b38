import { rankOf, type Step } from './cascade.ts'
import type { Channel } from './channel.ts'
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
  | { kind: 'park'; because: Because }

/** A due step that sends; one without a channel is a person's to decide and never takes a slot. */
export interface SendingStep extends DueStep {
  readonly step: Step & { readonly channel: Channel }
}

/** Furthest first: the highest rank of due step, then the oldest due date, then the id. */
export function furthest<Due extends DueStep>(due: readonly [Due, ...Due[]]): Due {
  return due.reduce((best, next) => {
    const ahead =
      rankOf(next.step) - rankOf(best.step) ||
      (next.dueDate < best.dueDate ? 1 : next.dueDate > best.dueDate ? -1 : 0) ||
      (next.invoiceId < best.invoiceId ? 1 : -1)
    return ahead > 0 ? next : best
  })
}

/** What to do with a debtor now: contact it for one invoice, wait for a legal moment, or leave it to a person. */
export function decideWake<Due extends SendingStep>(
  file: ContactFile,
  due: readonly [Due, ...Due[]],
  now: Instant,
  seed: string,
): WakeDecision<Due> {
  const serve = furthest(due)
  const { channel } = serve.step
  const verdict = judgeContact(file, channel, now)
  if (verdict.allowed) return { kind: 'contact', serve }
  const plan = nextLegalSlot(file, channel, now, { spreadSeed: seed })
  if (plan.at === null) return { kind: 'park', because: plan.because }
  // Of several obstacles the last is the one that decides the moment.
  return { kind: 'wait', until: plan.at, because: plan.shifts.at(-1)?.because ?? verdict.because }
}
