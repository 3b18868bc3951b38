import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import type { Courier } from './courier.ts'

/** Whoever has this much waiting is given no more for now. */
const waitingMost = 500
/** How many events are looked at in one go, whether they concern the endpoint or not. */
const walkedMost = 2_000

const findRecovering = sql(
  'webhooks.list-replaying',
  `select tenant_id, webhook_id from webhook_pumps p
    where recover_from is not null and enabled
      and (select count(*) from (
        select 1 from webhook_queue q where q.tenant_id = p.tenant_id and q.webhook_id = p.webhook_id limit ${waitingMost}) w) < ${waitingMost}
    order by recover_from limit 4`,
)
const lockPump = sql(
  'webhooks.lock-replay',
  `select recover_from, recover_to from webhook_pumps
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and enabled for no key update`,
).as<{ recover_from: string | null; recover_to: string }>()
// What was delivered before is not told again: a receiver that missed a day gets that day, and nothing twice. Each event is
// looked up for itself: as a join, where a week is too young to be known to the planner, all deliveries are read for each.
const queueWalked = sql(
  'webhooks.queue-replayed',
  `with walked as (
     select id, type from events where id > $2::uuid and id <= $3::uuid order by id limit ${walkedMost}),
   queued as (
     insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
     select p.tenant_id, p.webhook_id, walked.id, $4, $4
       from walked join webhook_pumps p
         on p.tenant_id = current_setting('relance.tenant')::uuid and p.webhook_id = $1 and walked.type = any (p.events)
      where (select d.status from webhook_deliveries d where d.webhook_id = $1 and d.event_id = walked.id)
            is distinct from 'delivered'
     on conflict do nothing)
   select count(*)::integer as walked, (array_agg(id order by id desc))[1] as last from walked`,
).as<{ walked: number; last: string | null }>()
const walkOn = sql(
  'webhooks.advance-replay',
  `update webhook_pumps set recover_from = $2, recover_to = case when $2::uuid is null then null else recover_to end,
          wake_at = least(coalesce(wake_at, $3), $3)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

async function walk(courier: Courier, tenantId: string, webhookId: string): Promise<void> {
  const wall = iso(courier.clock.wall())
  await transact(courier.pool, asWorker(tenantId), [], async ({ tx }) => {
    const [pump] = await tx.rows(lockPump, [webhookId])
    if (!pump?.recover_from) return
    const [found] = await tx.rows(queueWalked, [webhookId, pump.recover_from, pump.recover_to, wall])
    tx.atCommit(walkOn, [webhookId, found!.walked < walkedMost ? null : found!.last, wall])
  })
}

/** One step further for each endpoint that asked to be told again what it missed. True when there is more to walk. */
export async function tellAgain(courier: Courier): Promise<boolean> {
  const { rows } = await courier.pool.query<{ tenant_id: string; webhook_id: string }>({
    name: findRecovering.name,
    text: findRecovering.text,
  })
  for (const { tenant_id, webhook_id } of rows) await walk(courier, tenant_id, webhook_id)
  return rows.length > 0
}
