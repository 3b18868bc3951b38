import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { DeliveryContext } from './delivery-context.ts'

const batchSize = 500

// One statement: an event leaves the outbox only together with its rows in the queue. The update locks the endpoints, so an
// endpoint that is deleted or switched off at the same time gets no row, or loses it with its queue.
const moveOutboxToQueues = sql(
  'webhooks.fan-out',
  `with taken as (
     delete from outbox where ctid = any (array(select ctid from outbox order by recorded_at limit ${batchSize}))
     returning tenant_id, event_id, type),
   woken as (
     update webhook_endpoints p set wake_at = least(coalesce(p.wake_at, $1), $1)
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

/** Moves events from the outbox to the queues of the subscribed endpoints. True if there are more. */
export async function fanOut({ pool, clock }: Pick<DeliveryContext, 'pool' | 'clock'>): Promise<boolean> {
  const { rows } = await pool.query<{ taken: number }>({
    name: moveOutboxToQueues.name,
    text: moveOutboxToQueues.text,
    values: [iso(clock.wall())],
  })
  return rows[0]!.taken === batchSize
}
