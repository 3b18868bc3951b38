import type { Instant, LocalDate } from '../time.ts'
import type { Reach } from './cascade.ts'
import { type CourtObstacle, courtObstacles, deadlineOf } from './formal-notice.ts'
import { type CascadeProgress, escalationTarget } from './next-step.ts'

/** What decides where an escalation leads. */
export interface EscalationFacts {
  readonly progress: CascadeProgress
  readonly lastStep: string | null
  readonly reach: Reach
  readonly isDisputed: boolean
  readonly isNoticeConfirmed: boolean
  readonly limitationEnds: LocalDate
  readonly today: LocalDate
  readonly now: Instant
}

export type EscalationVerdict =
  | { to: 'step'; step: number }
  | { to: 'court' }
  | { to: null; because: 'first_contact_pending' | 'already_escalated' }
  | { to: null; because: 'court'; missing: readonly [CourtObstacle, ...CourtObstacle[]] }

/**
 * Where an escalation leads: to the next more intrusive step that can be sent, or to the end of the amicable stage if none is left
 * or the time of the formal notice is over. Then the creditor may go to court; nothing is filed by it.
 */
export function judgeEscalation(facts: EscalationFacts): EscalationVerdict {
  const { progress, lastStep, reach, now } = facts
  const { notice } = progress
  const isNoticeOver = notice !== null && now >= deadlineOf(notice)
  const step = isNoticeOver ? null : escalationTarget(progress, lastStep, { reach })
  if (step !== null)
    return lastStep === null ? { to: null, because: 'first_contact_pending' } : { to: 'step', step }
  const [first, ...others] = courtObstacles({ ...facts, notice })
  return first === undefined ? { to: 'court' } : { to: null, because: 'court', missing: [first, ...others] }
}
