import { type Clock, iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { watchQuery } from '../../../kit/metrics.ts'
import { lowestId } from '../../../kit/uuid.ts'
import type { Metrics } from '../metrics.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The first night begins at 01:00 UTC: midnight has passed where most companies are. */
const firstAt = hour
/** Each tenant has a different moment in these hours, so that they do not all start at once. */
const spreadMs = 4 * hour
/** A worker that does not renew its lease on a night within this time loses the night. */
const leaseMs = minute / 2
const retryMs = 10 * minute
/** After this many failures a tenant waits for its next night. */
const triesPerNight = 3

/** The next moment of a tenant's night. The end of an id is random, and so are the moments. */
export function nextNight(tenantId: string, wall: number): number {
  const share = Number.parseInt(tenantId.slice(-8), 16) / 2 ** 32
  const today = Math.floor(wall / day) * day + firstAt + Math.floor(share * spreadMs)
  return today > wall ? today : today + day
}

const countTaken = sql(
  'nights.count-taken',
  'select count(*) as count from tenant_nights where taken_until is not null and taken_until > $1',
).as<{ count: number }>()
const takeDue = sql(
  'nights.take-due',
  `with due as (
     select ctid as row_at from tenant_nights where due_at <= $1 and (taken_until is null or taken_until <= $1)
      order by due_at limit $3 for no key update skip locked)
   update tenant_nights set taken_until = $2 where ctid = any (array(select row_at from due)) returning tenant_id`,
).as<{ tenant_id: string }>()
const giveBack = sql(
  'nights.give-back',
  'update tenant_nights set taken_until = null, due_at = $2 where tenant_id = $1 and due_at <= $2',
)
const find = sql(
  'nights.find',
  'select after_debtor_id from tenant_nights where tenant_id = $1 and due_at <= $2',
).as<{ after_debtor_id: string | null }>()
const beginScores = sql(
  'nights.begin-scores',
  `update tenant_nights set after_debtor_id = '${lowestId}', scored = 0, taken_until = $2
    where tenant_id = $1 and after_debtor_id is null`,
)
// A worker that lost the night finds another debtor id than it read, and changes nothing.
const advance = sql(
  'nights.advance',
  `update tenant_nights set after_debtor_id = $3, scored = scored + $4, taken_until = $5
    where tenant_id = $1 and after_debtor_id = $2 returning tenant_id`,
)
const finish = sql(
  'nights.finish',
  `update tenant_nights
      set after_debtor_id = null, scored = scored + $3, done_at = $4, due_at = $5, taken_until = null, failures = 0
    where tenant_id = $1 and after_debtor_id = $2 returning tenant_id`,
)
const fail = sql(
  'nights.fail',
  `update tenant_nights
      set failures = failures + 1, taken_until = null,
          due_at = case when (failures + 1) % ${triesPerNight} = 0 then $3::timestamptz else $2::timestamptz end,
          after_debtor_id = case when (failures + 1) % ${triesPerNight} = 0 then null else after_debtor_id end
    where tenant_id = $1 returning failures`,
).as<{ failures: number }>()
const listFailing = sql(
  'nights.list-failing',
  'select tenant_id, failures from tenant_nights where failures > 0 limit 1000',
).as<{ tenant_id: string; failures: number }>()
const oldestDue = sql(
  'nights.oldest-due',
  // A night that was never done is due since 'epoch', which says nothing about its lateness.
  `select due_at from tenant_nights where due_at > 'epoch' and due_at <= $1 order by due_at limit 1`,
).as<{ due_at: number }>()

/** The tenants whose night begins or continues now; `most` may be under way at once. */
export async function takeDueNights(query: Query, wall: number, most: number): Promise<string[]> {
  const free = most - (await query(countTaken, [iso(wall)]))[0]!.count
  if (free <= 0) return []
  const taken = await query(takeDue, [iso(wall), iso(wall + leaseMs), free])
  return taken.map(row => row.tenant_id)
}

/** The night continues later, after the others that are due. */
export const giveNightBack = (query: Query, tenantId: string, wall: number): Promise<unknown> =>
  query(giveBack, [tenantId, iso(wall)])

/** Null: the night of this tenant is done. `after`: null before its scores are begun. */
export const findNight = async (query: Query, tenantId: string, wall: number) =>
  (await query(find, [tenantId, iso(wall)]))[0] ?? null

export const beginNightScores = (query: Query, tenantId: string, wall: number): Promise<unknown> =>
  query(beginScores, [tenantId, iso(wall + leaseMs)])

/** Saves the progress with the scores of a batch; `last` null: it was the last batch. False: another worker has continued. */
export async function advanceNight(
  tx: Tx,
  tenantId: string,
  { after, last, scored, wall }: { after: string; last: string | null; scored: number; wall: number },
): Promise<boolean> {
  const rows =
    last === null
      ? await tx.rows(finish, [tenantId, after, scored, iso(wall), iso(nextNight(tenantId, wall))])
      : await tx.rows(advance, [tenantId, after, last, scored, iso(wall + leaseMs)])
  return rows.length > 0
}

/** The night is retried some minutes later, and after a few failures at the time of the next night. */
export const failNight = (query: Query, tenantId: string, wall: number): Promise<unknown> =>
  query(fail, [tenantId, iso(wall + retryMs), iso(nextNight(tenantId, wall))])

/** The tenants whose last night failed; a thousand at most. */
export const listFailingNights = (query: Query) => query(listFailing, [])

/** How late the most overdue night is. */
export async function nightsLateMs(query: Query, wall: number): Promise<number> {
  const [oldest] = await query(oldestDue, [iso(wall)])
  return oldest ? wall - oldest.due_at : 0
}

export function registerNightMetrics(metrics: Metrics, pool: Pool, clock: Clock): void {
  const query = queryOn(pool)
  watchQuery(
    metrics,
    'relance_nights_failing',
    'Tenants whose last night failed; 1,000 means that or more',
    async () => (await listFailingNights(query)).length,
  )
  watchQuery(
    metrics,
    'relance_oldest_due_night_seconds',
    'How late the night of a tenant is that is due and not done',
    async () => (await nightsLateMs(query, clock.wall())) / 1_000,
  )
}
