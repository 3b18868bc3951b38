import { anchorOf, type Cascade, type Planned, planAgain, planNext } from './cascade.ts'
import type { ContactFile } from './contact-rules.ts'
import { type Instant, type LocalDate, MINUTE } from './time.ts'

/** What became of a message: accepted by its provider, refused for now or for good, or nobody knows. */
export type Fate = 'accepted' | 'retryable' | 'permanent' | 'unknown'

/** Where a recovery stands when a message for its current step has met its fate. */
export interface Position {
  readonly cascade: Cascade
  readonly step: number
  readonly attempt: number
  readonly startedAt: Instant
  readonly dueDate: LocalDate
}

export interface Motion {
  /** The step is over, well or badly, and the cascade goes on. */
  readonly isOver: boolean
  readonly step: number
  readonly attempt: number
  readonly next: Planned | { at: null; because: null }
}

export const attemptsMax = 3
const retryDelays = [5 * MINUTE, 30 * MINUTE]

/** Delivered or possibly delivered: it counts as a contact. A refusal before delivery does not. */
export const countsAsContact = (fate: Fate): boolean => fate === 'accepted' || fate === 'unknown'

/**
 * A failed attempt is repeated, three at most; a message with an unknown fate is never repeated, but a notice with legal
 * effect is given anew, in a new slot. Otherwise the cascade goes on.
 */
export function afterSend(
  position: Position,
  fate: Fate,
  rules: ContactFile,
  now: Instant,
  seed: string,
): Motion {
  const { cascade, attempt } = position
  const step = cascade.steps[position.step]!
  const isWorthRepeating = fate === 'retryable' || (fate === 'unknown' && step.hasLegalEffect === true)
  if (isWorthRepeating && attempt + 1 < attemptsMax) {
    const from = fate === 'retryable' ? now + (retryDelays[attempt] ?? retryDelays.at(-1)!) : now
    return {
      isOver: false,
      step: position.step,
      attempt: attempt + 1,
      next: planAgain(rules, step, from, seed),
    }
  }
  const following = cascade.steps[position.step + 1]
  if (!following) return { isOver: true, step: position.step, attempt: 0, next: { at: null, because: null } }
  const anchor = anchorOf(rules.calendar, position.startedAt, position.dueDate)
  const last = { at: now, wasContact: countsAsContact(fate) }
  return {
    isOver: true,
    step: position.step + 1,
    attempt: 0,
    next: planNext(rules, following, anchor, last, seed),
  }
}
