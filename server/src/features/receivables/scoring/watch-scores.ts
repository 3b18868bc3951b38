import type { Pool } from '../../../kit/db/pool.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** Metrics: how many scores are outdated, and the progress of the nightly run. */
export function watchScores(metrics: Metrics, pool: Pool): void {
  const readFigure = (text: string) => async () =>
    (await pool.query<{ figure: number | null }>(text)).rows[0]?.figure ?? 0
  watchQuery(
    metrics,
    'relance_scores_marked',
    'Debtors whose score has to be worked out again; 10,000 means that or more',
    readFigure('select count(*)::float8 as figure from (select 1 from score_marks limit 10000) marked'),
  )
  watchQuery(
    metrics,
    'relance_nightly_scoring_scored',
    'Debtors the latest nightly scoring has scored so far',
    readFigure('select scored::float8 as figure from score_walks'),
  )
  watchQuery(
    metrics,
    'relance_nightly_scoring_running',
    '1 while a nightly scoring is running, else 0',
    readFigure('select (finished_at is null)::integer::float8 as figure from score_walks'),
  )
}
