import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { DeliveryTask } from './deliver-endpoint.ts'
import type { DeliveryContext } from './delivery-context.ts'

/**
 * How many endpoints one worker delivers to at the same time. Failing endpoints have separate places: however many of them
 * hang, they never block the healthy ones.
 */
export const placesOf = { healthy: 128, failing: 64 } as const
/** How many places of each kind one tenant may use across all workers. Workers that take at the same moment may exceed it. */
const perTenant = 12

export type EndpointKind = keyof typeof placesOf
export type Places = Record<EndpointKind, number>
export interface TakenEndpoint extends DeliveryTask {
  kind: EndpointKind
}

interface DueRow {
  tenant_id: string
  webhook_id: string
  generation: number
  is_failing: boolean
}
const dueWhere = (isFailing: boolean) =>
  `(select tenant_id, webhook_id, generation, ${isFailing} as is_failing from webhook_endpoints
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
  `select tenant_id, failing > 0 as is_failing, count(*)::integer as busy from webhook_endpoints
    where busy_until is not null and busy_until > $1 group by 1, 2`,
).as<{ tenant_id: string; is_failing: boolean; busy: number }>()
// Skips an endpoint that another worker has taken or is taking now.
const take = sql(
  'webhooks.take-endpoints',
  `with free as (
     select p.row_at
       from jsonb_to_recordset($1::jsonb) as x("tenantId" uuid, "webhookId" uuid, generation bigint)
      cross join lateral (
        select ctid as row_at from webhook_endpoints
         where tenant_id = x."tenantId" and webhook_id = x."webhookId" and generation = x.generation and enabled
           and (busy_until is null or busy_until <= $2)
           for no key update skip locked) p)
   update webhook_endpoints set busy_until = $3 where ctid = any (array(select row_at from free)) returning webhook_id`,
).as<{ webhook_id: string }>()

const kindOf = (isFailing: boolean): EndpointKind => (isFailing ? 'failing' : 'healthy')

/** Takes due endpoints for this worker, as many as it has free places. No other worker delivers to them during the lease. */
export async function takeDueEndpoints(
  { pool, clock, leaseMs }: Pick<DeliveryContext, 'pool' | 'clock' | 'leaseMs'>,
  freePlaces: Places,
): Promise<TakenEndpoint[]> {
  const wall = clock.wall()
  const query = queryOn(pool)
  const due = await query(findDue, [iso(wall)])
  if (due.length === 0) return []
  const free = { ...freePlaces }
  const busyOf = new Map<string, number>()
  const occupy = (key: string, count: number) => busyOf.set(key, (busyOf.get(key) ?? 0) + count)
  for (const { tenant_id, is_failing, busy } of await query(countBusy, [iso(wall)]))
    occupy(`${kindOf(is_failing)} ${tenant_id}`, busy)
  const chosen: TakenEndpoint[] = []
  for (const { tenant_id, webhook_id, generation, is_failing } of due) {
    const kind = kindOf(is_failing)
    const key = `${kind} ${tenant_id}`
    if (free[kind] <= 0 || (busyOf.get(key) ?? 0) >= perTenant) continue
    free[kind]--
    occupy(key, 1)
    chosen.push({ tenantId: tenant_id, webhookId: webhook_id, generation, kind })
  }
  if (chosen.length === 0) return []
  const taken = await query(take, [JSON.stringify(chosen), iso(wall), iso(wall + leaseMs)])
  const ours = new Set(taken.map(row => row.webhook_id))
  return chosen.filter(({ webhookId }) => ours.has(webhookId))
}
