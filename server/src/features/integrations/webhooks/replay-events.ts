import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { DeliveryContext } from './delivery-context.ts'

/** An endpoint with this many queued events gets no more for now. */
const waitingMax = 500
/** How many events are scanned per batch, whether the endpoint subscribes to them or not. */
const scannedMax = 2_000

interface Recovering {
  tenant_id: string
  webhook_id: string
}
const findRecovering = sql(
  'webhooks.list-replaying',
  `select tenant_id, webhook_id from webhook_endpoints p
    where recover_from is not null and enabled and webhook_id <> all ($1::uuid[])
      and (select count(*) from (
        select 1 from webhook_queue q where q.tenant_id = p.tenant_id and q.webhook_id = p.webhook_id limit ${waitingMax}) w) < ${waitingMax}
    order by recover_from limit 4`,
).as<Recovering>()
const lockEndpoint = sql(
  'webhooks.lock-replay',
  `select recover_from, recover_to from webhook_endpoints
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and enabled for no key update`,
).as<{ recover_from: string | null; recover_to: string }>()
// Events already delivered are not replayed. A subquery per event and not a join: without statistics on a new partition the
// planner would read all deliveries for each event.
const queueMissedEvents = sql(
  'webhooks.queue-replayed',
  `with walked as (
     select id, type from events where id > $2::uuid and id <= $3::uuid order by id limit ${scannedMax}),
   queued as (
     insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
     select p.tenant_id, p.webhook_id, walked.id, $4, $4
       from walked join webhook_endpoints p
         on p.tenant_id = current_setting('relance.tenant')::uuid and p.webhook_id = $1 and walked.type = any (p.events)
      where (select d.status from webhook_deliveries d where d.webhook_id = $1 and d.event_id = walked.id)
            is distinct from 'delivered'
     on conflict do nothing)
   select count(*)::integer as walked, (array_agg(id order by id desc))[1] as last from walked`,
).as<{ walked: number; last: string | null }>()
const saveProgress = sql(
  'webhooks.advance-replay',
  `update webhook_endpoints set recover_from = $2, recover_to = case when $2::uuid is null then null else recover_to end,
          wake_at = least(coalesce(wake_at, $3), $3)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

async function replayNextBatch(context: DeliveryContext, tenantId: string, webhookId: string): Promise<void> {
  const wall = iso(context.clock.wall())
  await transact(context.pool, asWorker(tenantId), [], async ({ tx }) => {
    const [endpoint] = await tx.rows(lockEndpoint, [webhookId])
    if (!endpoint?.recover_from) return
    const [found] = await tx.rows(queueMissedEvents, [
      webhookId,
      endpoint.recover_from,
      endpoint.recover_to,
      wall,
    ])
    tx.atCommit(saveProgress, [webhookId, found!.walked < scannedMax ? null : found!.last, wall])
  })
}

/**
 * Queues the next batch of missed events for each endpoint that asked for a recovery. True if there may be more. Endpoints that
 * fail are skipped, so that they never block the others.
 */
export async function replayEvents(context: DeliveryContext): Promise<boolean> {
  const query = queryOn(context.pool)
  const loop = {
    idsOf: (row: Recovering) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }),
    failure: 'replay of a webhook failed; it is retried',
  }
  const passedOver: string[] = []
  for (;;) {
    const rows = await query(findRecovering, [passedOver])
    const { failed } = await forEachTenant(context.log, rows, loop, row =>
      replayNextBatch(context, row.tenant_id, row.webhook_id),
    )
    if (failed.length < rows.length) return true
    if (rows.length === 0) return false
    passedOver.push(...failed.map(row => row.webhook_id))
  }
}
