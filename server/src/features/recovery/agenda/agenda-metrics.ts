import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { watchFigures, watchQuery } from '../../../kit/metrics.ts'
import { momentOf } from '../../../kit/uuid.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { countPending, listAwayProviders, listParked, listStopsOfAll } from './status-store.ts'

/*
 * Whether wake-ups or messages of production are late. Each query uses an index and reads a limited number of rows, because
 * every scrape of every worker runs it.
 */

const oldestDue = sql(
  'agenda.oldest-due',
  `select wake_at from agendas
    where taken_generation <> wake_generation and wake_at is not null and is_sandbox = false and wake_at <= $1 order by wake_at limit 1`,
).as<{ wake_at: number }>()
const isTakenSql = 'taken_generation = wake_generation and wake_at is not null and is_sandbox = false'
const oldestTaken = sql(
  'agenda.oldest-taken',
  `select taken_at from agendas where ${isTakenSql} and taken_at <= $1 order by taken_at limit 1`,
).as<{ taken_at: number }>()
const countTaken = sql(
  'agenda.count-taken',
  `select count(*) as count from (select 1 from agendas where ${isTakenSql} and taken_at <= $1 order by taken_at limit 10000) taken`,
).as<{ count: number }>()

const countUnknown = sql(
  'agenda.count-unknown',
  `select (select count(*) from (select 1 from unknown_messages where since > $1 order by since limit 1000) a) as under_1h,
          (select count(*) from (select 1 from unknown_messages where since <= $1 and since > $2 order by since limit 1000) b) as under_48h,
          (select count(*) from (select 1 from unknown_messages where since <= $2 order by since limit 1000) c) as over_48h`,
).as<{ under_1h: number; under_48h: number; over_48h: number }>()

const hour = 3_600_000

export function registerAgendaMetrics(metrics: Metrics, pool: Pool, clock: Clock): void {
  const query = queryOn(pool)
  const secondsSince = (moment: number | undefined, wall: number) =>
    moment === undefined ? 0 : Math.max(0, wall - moment) / 1_000
  watchQuery(
    metrics,
    'relance_oldest_overdue_agenda_seconds',
    'How late the most overdue wake-up is that no worker has taken; sandboxes not counted',
    async () => {
      const wall = clock.wall()
      return secondsSince((await query(oldestDue, [iso(wall)]))[0]?.wake_at, wall)
    },
  )
  watchQuery(
    metrics,
    'relance_oldest_taken_agenda_seconds',
    'How long ago the wake-up was taken that is longest under way; one that fails waits here for its next try; sandboxes not counted',
    async () => {
      const wall = clock.wall()
      return secondsSince((await query(oldestTaken, [iso(wall)]))[0]?.taken_at, wall)
    },
  )
  watchQuery(
    metrics,
    'relance_agendas_taken',
    'Wake-ups taken and not yet done; 10,000 means that or more; sandboxes not counted',
    async () => (await query(countTaken, [iso(clock.wall())]))[0]!.count,
  )
  watchQuery(
    metrics,
    'relance_agendas_parked',
    'Debtors that wait for a person; 1,000 means that or more; sandboxes not counted',
    async () => (await query(listParked, [1_000])).length,
  )
  watchQuery(
    metrics,
    'relance_sends_pending',
    'Messages reserved or being sent; 5,000 means that or more; sandboxes not counted',
    async () => (await query(countPending, []))[0]!.count,
  )
  watchQuery(
    metrics,
    'relance_oldest_pending_send_seconds',
    'Age of the oldest message that is reserved or being sent, of the 5,000 that are tried next; sandboxes not counted',
    async () => {
      const oldest = (await query(countPending, []))[0]!.oldest
      return secondsSince(oldest === null ? undefined : momentOf(oldest), clock.wall())
    },
  )
  watchQuery(
    metrics,
    'relance_sending_stopped',
    '1 while the sending of everybody is stopped, else 0',
    async () => Math.min(1, (await query(listStopsOfAll, [])).length),
  )
  watchFigures(
    metrics,
    'relance_unknown_messages',
    'Messages of the last 31 days whose outcome nobody knows, by the time since it was lost; 1,000 means that or more; sandboxes not counted',
    ['age'],
    async () => {
      const wall = clock.wall()
      const [row] = await query(countUnknown, [iso(wall - hour), iso(wall - 48 * hour)])
      return [
        { labels: { age: 'under_1h' }, figure: row!.under_1h },
        { labels: { age: '1h_to_48h' }, figure: row!.under_48h },
        { labels: { age: 'over_48h' }, figure: row!.over_48h },
      ]
    },
  )
  watchFigures(
    metrics,
    'relance_provider_away',
    '1 while nothing is sent by a channel because its provider is away; a provider that is there has no sample',
    ['channel', 'provider'],
    async () =>
      (await query(listAwayProviders, [])).map(({ channel, provider }) => ({
        labels: { channel, provider },
        figure: 1,
      })),
  )
}
