import type { Pool } from '../../../kit/db/pool.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** How far behind the scores are, and how far tonight's walk has come. */
export function watchScores(metrics: Metrics, pool: Pool): void {
  const ask = (text: string) => async () =>
    (await pool.query<{ figure: number | null }>(text)).rows[0]?.figure ?? 0
  watchQuery(
    metrics,
    'relance_scores_marked',
    'Debtors whose score has to be worked out again; 10,000 means that or more',
    ask('select count(*)::float8 as figure from (select 1 from score_marks limit 10000) marked'),
  )
  watchQuery(
    metrics,
    'relance_score_walk_scored',
    'Debtors the latest nightly walk has scored so far',
    ask('select scored::float8 as figure from score_walks'),
  )
  watchQuery(
    metrics,
    'relance_score_walk_running',
    'Whether a nightly walk has begun and not ended',
    ask('select (finished_at is null)::integer::float8 as figure from score_walks'),
  )
}
