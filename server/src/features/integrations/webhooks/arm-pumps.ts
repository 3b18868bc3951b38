import { iso } from '../../../kit/clock.ts'
import { type Statement, sql } from '../../../kit/db/statement.ts'
import type { Dispatcher } from '../../../kit/engine/hand-over.ts'
import type { Courier } from './courier.ts'
import type { PumpTask } from './pump.ts'

/**
 * How many endpoints are worked on at once. Those whose last attempts failed have places of their own: however many hang, an
 * endpoint that answers finds one free. And no tenant has more than its share of either.
 */
const placesOf = { healthy: 128, sick: 64 } as const
const perTenant = 12

type Lane = keyof typeof placesOf

interface DueRow {
  tenant_id: string
  webhook_id: string
  gen: number
  is_sick: boolean
}
const dueWhere = (isSick: boolean) =>
  `(select tenant_id, webhook_id, gen, ${isSick} as is_sick from webhook_pumps
     where wake_at is not null and enabled and wake_at <= $1 and (busy_until is null or busy_until <= $1)
       and ${isSick ? 'failing > 0' : 'failing = 0'}
     order by wake_at limit 500)`
// Each kind is looked at for itself: those that fail may be due by the thousand, and all before one that answers.
const findDue = sql(
  'webhooks.list-due-endpoints',
  `${dueWhere(false)} union all ${dueWhere(true)}`,
).as<DueRow>()
const countBusy = sql(
  'webhooks.count-busy',
  `select tenant_id, failing > 0 as is_sick, count(*)::integer as busy from webhook_pumps
    where busy_until is not null and busy_until > $1 group by 1, 2`,
).as<{ tenant_id: string; is_sick: boolean; busy: number }>()
// Whoever was quick has begun already: its generation is another one.
const markHanded = sql(
  'webhooks.mark-dispatched',
  `update webhook_pumps p set busy_until = $2
     from jsonb_to_recordset($1::jsonb) as x("tenantId" uuid, "webhookId" uuid, gen bigint)
    where p.tenant_id = x."tenantId" and p.webhook_id = x."webhookId" and p.gen = x.gen`,
)

const laneOf = (isSick: boolean): Lane => (isSick ? 'sick' : 'healthy')

/** Hands over the endpoints that are due, as far as there are places. */
export async function armPumps(
  { pool, clock, leaseMs }: Pick<Courier, 'pool' | 'clock' | 'leaseMs'>,
  dispatcher: Dispatcher<PumpTask>,
): Promise<void> {
  const wall = clock.wall()
  const ask = async <Row>({ name, text }: Statement<Row>, values: unknown[]) =>
    (await pool.query({ name, text, values })).rows as Row[]
  const due = await ask(findDue, [iso(wall)])
  if (due.length === 0) return
  const free: Record<Lane, number> = { ...placesOf }
  const taken = new Map<string, number>()
  const take = (tenantId: string, isSick: boolean, places: number) => {
    const lane = laneOf(isSick)
    free[lane] -= places
    taken.set(`${lane} ${tenantId}`, (taken.get(`${lane} ${tenantId}`) ?? 0) + places)
  }
  for (const { tenant_id, is_sick, busy } of await ask(countBusy, [iso(wall)])) take(tenant_id, is_sick, busy)
  const tasks: PumpTask[] = []
  for (const { tenant_id, webhook_id, gen, is_sick } of due) {
    const lane = laneOf(is_sick)
    if (free[lane] <= 0 || (taken.get(`${lane} ${tenant_id}`) ?? 0) >= perTenant) continue
    take(tenant_id, is_sick, 1)
    tasks.push({ v: 1, tenantId: tenant_id, webhookId: webhook_id, gen })
  }
  if (tasks.length === 0) return
  await dispatcher.hand(tasks)
  await ask(markHanded, [JSON.stringify(tasks), iso(wall + leaseMs)])
}
