import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from './db/pool.ts'
import { queryOn } from './db/query.ts'
import { sql } from './db/statement.ts'
import { countWorkers, readLoops } from './heartbeat.ts'

/** The metrics of the HTTP layer. A product adds its own metrics to the same registry. */
export interface HttpMetrics {
  readonly registry: Registry
  readonly requests: Histogram<'operation' | 'status'>
  readonly limiterFallback: Counter
}

export function createHttpMetrics(): HttpMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'relance_request_seconds',
      help: 'Duration of answered requests',
      labelNames: ['operation', 'status'],
      registers,
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    }),
    limiterFallback: new Counter({
      name: 'relance_limiter_fallback_total',
      help: 'Requests limited in memory because Redis did not answer',
      registers,
    }),
  }
}

type Registered = Pick<HttpMetrics, 'registry'>

export function watchPool(metrics: Registered, role: string, pool: Pool): void {
  const registers = [metrics.registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `relance_${role}_pool_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('connections', 'Connections open', () => pool.totalCount)
  gauge('idle', 'Connections idle', () => pool.idleCount)
  gauge('waiting', 'Callers waiting for a connection', () => pool.waitingCount)
}

/** A gauge that is read from the database when metrics are scraped, so no request waits for it. */
export function watchQuery(
  metrics: Registered,
  name: string,
  help: string,
  readValue: () => Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    async collect() {
      // If the database does not answer, the value is NaN and the scrape still succeeds.
      this.set(await readValue().catch(() => Number.NaN))
    },
  })
}

/** The same for several figures at once, distinguished by labels. */
export function watchFigures<Label extends string>(
  metrics: Registered,
  name: string,
  help: string,
  labelNames: readonly Label[],
  readFigures: () => Promise<{ labels: Record<Label, string>; figure: number }[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [metrics.registry],
    async collect() {
      this.reset()
      for (const { labels, figure } of await readFigures().catch(() => [])) this.set(labels, figure)
    },
  })
}

// Sessions of this database, standbys that report their queries, replication slots and prepared transactions: each prevents
// PostgreSQL from removing rows that were deleted or changed since. Every role can read the ages of sessions, not their times.
const oldestSnapshot = sql(
  'metrics.oldest-snapshot',
  `select greatest(
     (select max(age(backend_xmin)) from pg_stat_activity where datid is null or datname = current_database()),
     (select max(greatest(age(xmin), age(catalog_xmin))) from pg_replication_slots),
     (select max(age(transaction)) from pg_prepared_xacts where database = current_database())) as transactions`,
)

/** Metrics of the whole installation: living workers, leaders of the loops, and what keeps the database from cleaning up. */
export function watchInstallation(metrics: Registered, pool: Pool): void {
  const query = queryOn(pool)
  watchQuery(metrics, 'relance_workers_alive', 'Workers whose heartbeat is recent', () => countWorkers(query))
  watchFigures(
    metrics,
    'relance_loop_leader',
    '1 if a living worker runs this loop, which runs in one worker at a time; else 0',
    ['loop'],
    async () =>
      (await readLoops(query)).map(({ loop, is_led }) => ({ labels: { loop }, figure: is_led ? 1 : 0 })),
  )
  watchQuery(
    metrics,
    'relance_oldest_snapshot_transactions',
    'Transactions since the oldest one that is still open, or that a standby or a slot still needs',
    async () => (await query(oldestSnapshot, []))[0]!.transactions ?? 0,
  )
}
