import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { watchFigures, watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

const minute = 60_000
const quarterHour = 15 * minute

/** The count stops here, because it runs at every scrape of every worker. */
const countedMax = 10_000

// Tasks that wait behind another task of their lane cannot run yet.
const countPending = sql(
  'tasks.count-backlog',
  `select count(*) as pending,
          count(*) filter (where could_run and since > $1) as under_1m,
          count(*) filter (where could_run and since <= $1 and since > $2) as under_15m,
          count(*) filter (where could_run and since <= $2) as over_15m
     from (select coalesce(p.since, '-infinity') as since,
                  not p.is_running and not exists (
                    select from pending_tasks r where r.tenant_id = p.tenant_id and r.lane = p.lane and r.is_running) as could_run
             from pending_tasks p order by p.since limit ${countedMax}) backlog`,
).as<{ pending: number; under_1m: number; under_15m: number; over_15m: number }>()

/** Tasks that wait or run; and of those that could run, how long they have waited. */
export const readBacklog = async (query: Query, wall: number) =>
  (await query(countPending, [iso(wall - minute), iso(wall - quarterHour)]))[0]!

const countJobs = sql(
  'tasks.count-jobs',
  `select name as queue, state::text as state, count(*) as count
     from (select name, state from jobs.job where state < 'completed' limit ${countedMax}) unfinished group by name, state`,
).as<{ queue: string; state: string; count: number }>()

/** Metrics about waiting tasks, and about the jobs that run them. */
export function registerTaskMetrics(metrics: Metrics, pool: Pool, clock: Clock): void {
  const query = queryOn(pool)
  watchQuery(
    metrics,
    'relance_tasks_pending',
    'Tasks that wait or run; 10,000 means that or more',
    async () => (await readBacklog(query, clock.wall())).pending,
  )
  watchFigures(
    metrics,
    'relance_tasks_waiting',
    'Tasks that could run and were not begun, by the time they have waited; without those behind another task of their lane',
    ['age'],
    async () => {
      const backlog = await readBacklog(query, clock.wall())
      return [
        { labels: { age: 'under_1m' }, figure: backlog.under_1m },
        { labels: { age: '1m_to_15m' }, figure: backlog.under_15m },
        { labels: { age: 'over_15m' }, figure: backlog.over_15m },
      ]
    },
  )
  watchFigures(
    metrics,
    'relance_jobs',
    'Jobs of pg-boss that have not ended, by queue and state; retry means that the last try failed',
    ['queue', 'state'],
    async () =>
      (await query(countJobs, [])).map(({ queue, state, count }) => ({
        labels: { queue, state },
        figure: count,
      })),
  )
}
