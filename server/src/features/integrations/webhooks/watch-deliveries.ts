import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** Metrics: delay of the outbox and of healthy endpoints, and the number of failing endpoints. */
export function watchDeliveries(metrics: Metrics, pool: Pool, clock: Clock): void {
  const watch = (name: string, help: string, text: string) =>
    watchQuery(
      metrics,
      name,
      help,
      async () =>
        (await pool.query<{ figure: number | null }>(text, [iso(clock.wall())])).rows[0]?.figure ?? 0,
    )
  watch(
    'relance_outbox_lag_seconds',
    'Age of the oldest event in the outbox, not yet queued for its webhooks',
    'select extract(epoch from $1::timestamptz - min(recorded_at))::float8 as figure from outbox',
  )
  watch(
    'relance_webhook_lag_seconds',
    'How late the most overdue healthy endpoint is',
    'select extract(epoch from $1::timestamptz - min(wake_at))::float8 as figure from webhook_endpoints where enabled and failing = 0 and wake_at <= $1',
  )
  watch(
    'relance_webhooks_failing',
    'Endpoints whose last attempts failed',
    'select count(*)::float8 as figure from webhook_endpoints where enabled and failing > 0 and $1::timestamptz is not null',
  )
}
