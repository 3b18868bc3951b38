import type { Pool } from '../../../kit/db/pool.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** Metrics: how many scores are outdated. */
export function watchScores(metrics: Metrics, pool: Pool): void {
  const readFigure = (text: string) => async () =>
    (await pool.query<{ figure: number | null }>(text)).rows[0]?.figure ?? 0
  watchQuery(
    metrics,
    'relance_scores_marked',
    'Debtors whose score has to be worked out again; 10,000 means that or more',
    readFigure('select count(*)::float8 as figure from (select 1 from score_marks limit 10000) marked'),
  )
}
