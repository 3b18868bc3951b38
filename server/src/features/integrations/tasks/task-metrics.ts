import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { countInvocations } from '../../../kit/engine/invocations.ts'
import { watchFigures, watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { readEngineSeen } from './store.ts'

const minute = 60_000
const quarterHour = 15 * minute

/** No more are counted: it is asked at every scrape of every worker. */
const countedMax = 10_000

// Those that wait behind another task of their tenant are not the engine's to begin.
const countPending = sql(
  'tasks.count-backlog',
  `select count(*) as pending,
          count(*) filter (where could_run and since > $1) as under_1m,
          count(*) filter (where could_run and since <= $1 and since > $2) as under_15m,
          count(*) filter (where could_run and since <= $2) as over_15m
     from (select coalesce(p.since, '-infinity') as since,
                  not p.is_running and not exists (
                    select from pending_tasks r where r.tenant_id = p.tenant_id and r.is_running) as could_run
             from pending_tasks p order by p.touched_at nulls first limit ${countedMax}) backlog`,
).as<{ pending: number; under_1m: number; under_15m: number; over_15m: number }>()

/** Tasks that wait or run; and of those that could run, how long they have waited for the engine. */
export const readBacklog = async (query: Query, wall: number) =>
  (await query(countPending, [iso(wall - minute), iso(wall - quarterHour)]))[0]!

/** Whether tasks wait for the engine; and what the engine says of itself, if there is one. */
export function registerTaskMetrics(
  metrics: Metrics,
  pool: Pool,
  clock: Clock,
  adminUrl: string | null,
): void {
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
    'Tasks that no engine has begun, by the time they have waited; without those behind another task of their tenant',
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
    'relance_engine_silent_seconds',
    'Time since the engine last answered a worker; no sample if it never did, or if this worker has no engine',
    [],
    async () => {
      if (adminUrl === null) return []
      const [seen] = await query(readEngineSeen, [])
      return seen?.at == null ? [] : [{ labels: {}, figure: Math.max(0, clock.wall() - seen.at) / 1_000 }]
    },
  )
  watchFigures(
    metrics,
    'relance_engine_invocations',
    'What the engine holds, by status; backing-off means that the last attempt failed; no sample while it is away',
    ['status'],
    async () =>
      adminUrl === null
        ? []
        : (await countInvocations(adminUrl)).map(({ status, count }) => ({
            labels: { status },
            figure: count,
          })),
  )
}
