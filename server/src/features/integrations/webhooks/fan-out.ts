import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Courier } from './courier.ts'

const batch = 500

// One statement, one commit: an event leaves the outbox only as lines of the queue. The endpoints are locked by being woken, so
// that one that is deleted or switched off at this moment either gets no line or takes its line with it.
const spread = sql(
  'webhooks.fan-out',
  `with taken as (
     delete from outbox where ctid = any (array(select ctid from outbox order by recorded_at limit ${batch}))
     returning tenant_id, event_id, type),
   woken as (
     update webhook_pumps p set wake_at = least(coalesce(p.wake_at, $1), $1)
      where p.tenant_id = any (array(select tenant_id from taken)) and p.enabled
        and exists (select from taken where taken.tenant_id = p.tenant_id and taken.type = any (p.events))
     returning p.tenant_id, p.webhook_id, p.events),
   queued as (
     insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
     select taken.tenant_id, woken.webhook_id, taken.event_id, $1, $1
       from taken join woken on woken.tenant_id = taken.tenant_id and taken.type = any (woken.events)
     on conflict do nothing)
   select count(*)::integer as taken from taken`,
).as<{ taken: number }>()

/** Brings what happened from the outbox to the endpoints that asked for it. True when there is more. */
export async function fanOut({ pool, clock }: Pick<Courier, 'pool' | 'clock'>): Promise<boolean> {
  const { rows } = await pool.query<{ taken: number }>({
    name: spread.name,
    text: spread.text,
    values: [iso(clock.wall())],
  })
  return rows[0]!.taken === batch
}
