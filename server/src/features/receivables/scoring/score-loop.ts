import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { scoreNextBatch } from './nightly-scoring.ts'
import { scoreMarkedDebtors } from './score-marked-debtors.ts'
import type { ScoringContext } from './scoring-context.ts'

/** Marked debtors come first, and again after each batch of the nightly run; the nightly run always makes progress. */
export function startScoringLoop(
  context: ScoringContext,
  heartbeat: Leadership,
  pollMs: number,
): { stop(): Promise<void> } {
  const { log } = context
  const pass = async () => {
    const hasMore = await scoreMarkedDebtors(context)
    return (await scoreNextBatch(context)) || hasMore
  }
  return startLeaderLoop({ heartbeat, log, loop: 'scores', pollMs, pass })
}
