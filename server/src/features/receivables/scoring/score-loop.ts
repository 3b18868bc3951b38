import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { scoreMarkedDebtors } from './score-marked-debtors.ts'
import type { ScoringContext } from './scoring-context.ts'

/** Computes the scores of debtors with new facts; those of all debtors are computed at night. */
export const startScoringLoop = (
  context: ScoringContext,
  heartbeat: Leadership,
  pollMs: number,
): { stop(): Promise<void> } =>
  startLeaderLoop({
    heartbeat,
    log: context.log,
    loop: 'scores',
    pollMs,
    pass: () => scoreMarkedDebtors(context),
  })
