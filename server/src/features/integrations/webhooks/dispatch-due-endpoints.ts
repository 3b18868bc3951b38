import { iso } from '../../../kit/clock.ts'
import { type Statement, sql } from '../../../kit/db/statement.ts'
import type { Dispatcher } from '../../../kit/engine/dispatcher.ts'
import type { DeliveryTask } from './deliver-endpoint.ts'
import type { DeliveryContext } from './delivery-context.ts'

/**
 * How many endpoints are delivered to at the same time. Failing endpoints have a limit of their own: however many of them hang,
 * they never block the healthy ones. And no tenant may use more than its share of either.
 */
const concurrencyOf = { healthy: 128, failing: 64 } as const
const perTenant = 12

type EndpointKind = keyof typeof concurrencyOf

interface DueRow {
  tenant_id: string
  webhook_id: string
  gen: number
  is_failing: boolean
}
const dueWhere = (isFailing: boolean) =>
  `(select tenant_id, webhook_id, gen, ${isFailing} as is_failing from webhook_pumps
     where wake_at is not null and enabled and wake_at <= $1 and (busy_until is null or busy_until <= $1)
       and ${isFailing ? 'failing > 0' : 'failing = 0'}
     order by wake_at limit 500)`
// Each kind is selected separately: thousands of failing endpoints may be due before a healthy one.
const findDue = sql(
  'webhooks.list-due-endpoints',
  `${dueWhere(false)} union all ${dueWhere(true)}`,
).as<DueRow>()
const countBusy = sql(
  'webhooks.count-busy',
  `select tenant_id, failing > 0 as is_failing, count(*)::integer as busy from webhook_pumps
    where busy_until is not null and busy_until > $1 group by 1, 2`,
).as<{ tenant_id: string; is_failing: boolean; busy: number }>()
// An endpoint that a worker has already claimed has another generation and is not marked.
const markDispatched = sql(
  'webhooks.mark-dispatched',
  `update webhook_pumps p set busy_until = $2
     from jsonb_to_recordset($1::jsonb) as x("tenantId" uuid, "webhookId" uuid, gen bigint)
    where p.tenant_id = x."tenantId" and p.webhook_id = x."webhookId" and p.gen = x.gen`,
)

const kindOf = (isFailing: boolean): EndpointKind => (isFailing ? 'failing' : 'healthy')

/** Dispatches the due endpoints, within the concurrency limits. */
export async function dispatchDueEndpoints(
  { pool, clock, leaseMs }: Pick<DeliveryContext, 'pool' | 'clock' | 'leaseMs'>,
  dispatcher: Dispatcher<DeliveryTask>,
): Promise<void> {
  const wall = clock.wall()
  const query = async <Row>({ name, text }: Statement<Row>, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as Row[]
  const due = await query(findDue, [iso(wall)])
  if (due.length === 0) return
  const free: Record<EndpointKind, number> = { ...concurrencyOf }
  const occupied = new Map<string, number>()
  const occupy = (tenantId: string, isFailing: boolean, places: number) => {
    const kind = kindOf(isFailing)
    free[kind] -= places
    occupied.set(`${kind} ${tenantId}`, (occupied.get(`${kind} ${tenantId}`) ?? 0) + places)
  }
  for (const { tenant_id, is_failing, busy } of await query(countBusy, [iso(wall)]))
    occupy(tenant_id, is_failing, busy)
  const tasks: DeliveryTask[] = []
  for (const { tenant_id, webhook_id, gen, is_failing } of due) {
    const kind = kindOf(is_failing)
    if (free[kind] <= 0 || (occupied.get(`${kind} ${tenant_id}`) ?? 0) >= perTenant) continue
    occupy(tenant_id, is_failing, 1)
    tasks.push({ v: 1, tenantId: tenant_id, webhookId: webhook_id, gen })
  }
  if (tasks.length === 0) return
  await dispatcher.dispatch(tasks)
  await query(markDispatched, [JSON.stringify(tasks), iso(wall + leaseMs)])
}
