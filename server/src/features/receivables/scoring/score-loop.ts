import { startLeading } from '../../../kit/lead.ts'
import { drainMarks } from './drain-marks.ts'
import { walkOn } from './night-walk.ts'
import type { Scorer } from './scorer.ts'

/** What changed comes first, and again after each batch of the night's walk; the walk goes on however much changes. */
export function startScoring(scorer: Scorer, pollMs: number): { stop(): Promise<void> } {
  const { pool, log } = scorer
  const pass = async () => {
    const isMore = await drainMarks(scorer)
    return (await walkOn(scorer)) || isMore
  }
  return startLeading({ pool, log, loop: 'scores', pollMs, pass })
}
