import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** Metrics that show whether wake-ups or messages are late. */
export function registerAgendaMetrics(metrics: Metrics, pool: Pool, clock: Clock): void {
  const readFigure = (text: string) => async () =>
    (await pool.query<{ figure: number | null }>(text, [iso(clock.wall())])).rows[0]?.figure ?? 0
  watchQuery(
    metrics,
    'relance_oldest_overdue_agenda_seconds',
    'How late the most overdue wake-up is',
    readFigure(
      'select extract(epoch from $1::timestamptz - min(wake_at))::float8 as figure from agendas where armed_gen <> wake_gen and wake_at <= $1',
    ),
  )
  watchQuery(
    metrics,
    'relance_sends_pending',
    'Messages reserved or being sent',
    readFigure('select count(*)::float8 as figure from pending_sends where $1::timestamptz is not null'),
  )
  watchQuery(
    metrics,
    'relance_agendas_dispatched',
    'Wake-ups dispatched and not yet done',
    readFigure(
      'select count(*)::float8 as figure from agendas where armed_gen = wake_gen and wake_at is not null and armed_at <= $1',
    ),
  )
}
