import { beforeEach, expect, it } from 'vitest'
import { useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import type { DeliveryTask } from './deliver-endpoint.ts'
import { placesOf, takeDueEndpoints } from './take-due-endpoints.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const minute = 60_000

const tenants: string[] = []
beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  while (tenants.length < 20) {
    const owner = { name: 'Atelier Martin', ownerEmail: 'comptabilite@atelier-martin.example' }
    const { production, sandbox } = (await installation.server.createCompany(owner)).tenants
    tenants.push(production, sandbox)
  }
})

interface EndpointFields {
  failing?: number
  /** How many minutes ago it became due. */
  due?: number
  busyUntil?: number
  enabled?: boolean
}
/** Inserts identical endpoints of one tenant. */
async function insertEndpoints(
  tenantId: string,
  count: number,
  fields: EndpointFields = {},
): Promise<string[]> {
  const { failing = 0, due = 1, busyUntil, enabled = true } = fields
  const ids = Array.from({ length: count }, () => uuidv7(Date.now()))
  const wakeAt = new Date(delivery.context.clock.wall() - due * minute).toISOString()
  await installation.sql(
    `insert into webhook_endpoints (tenant_id, webhook_id, events, enabled, wake_at, busy_until, failing)
     select $1, id, '{debt.paid}', $3, $4, $5, $6 from unnest($2::uuid[]) id`,
    [
      tenantId,
      ids,
      enabled,
      wakeAt,
      busyUntil === undefined ? null : new Date(busyUntil).toISOString(),
      failing,
    ],
  )
  return ids
}
const among = (ids: readonly string[], tasks: readonly DeliveryTask[]) =>
  tasks.filter(({ webhookId }) => ids.includes(webhookId)).length

it('however many failing endpoints are overdue, a healthy one is taken in the same pass', async () => {
  const failing: string[] = []
  for (const tenantId of tenants.slice(1))
    failing.push(...(await insertEndpoints(tenantId, 40, { failing: 3, due: 60 })))
  const healthy = await insertEndpoints(tenants[0]!, 1)
  const tasks = await delivery.due()
  expect(among(healthy, tasks)).toBe(1)
  expect(among(failing, tasks)).toBe(64)
  // The limit of failing endpoints is used up now, that of healthy ones is not.
  const next = await insertEndpoints(tenants[0]!, 3)
  expect(await delivery.due()).toHaveLength(3)
  expect(among(next, await delivery.due())).toBe(0)
})

it('healthy endpoints have places of their own', async () => {
  for (const tenantId of tenants) await insertEndpoints(tenantId, 12, { due: 60 })
  const failing = await insertEndpoints(tenants[0]!, 1, { failing: 1 })
  const tasks = await delivery.due()
  expect(tasks).toHaveLength(128 + 1)
  expect(among(failing, tasks)).toBe(1)
})

it('a tenant with many due endpoints gets its share, and another tenant’s endpoint is taken too', async () => {
  const [first, second] = tenants as [string, string]
  const greedy = await insertEndpoints(first, 20, { due: 60 })
  const modest = await insertEndpoints(second, 1)
  const tasks = await delivery.due()
  expect([among(greedy, tasks), among(modest, tasks)]).toEqual([12, 1])
  // Endpoints already taken count; failing ones are counted separately.
  const failing = await insertEndpoints(first, 1, { failing: 1 })
  expect((await delivery.due()).map(({ webhookId }) => webhookId)).toEqual(failing)
})

it('the most overdue endpoint comes first; one that is disabled, not due or being delivered to does not come', async () => {
  const { wall } = delivery.context.clock
  const [tenantId] = tenants as [string]
  const late = await insertEndpoints(tenantId, 1, { due: 5 })
  const later = await insertEndpoints(tenantId, 1, { due: 1 })
  const latest = await insertEndpoints(tenantId, 1, { due: 60, busyUntil: wall() - 1 })
  await insertEndpoints(tenantId, 1, { due: -1 })
  await insertEndpoints(tenantId, 1, { enabled: false })
  await insertEndpoints(tenantId, 1, { busyUntil: wall() + minute })
  expect((await delivery.due()).map(({ webhookId }) => webhookId)).toEqual([...latest, ...late, ...later])
})

it('a taken endpoint is left alone for the length of its lease, and is then taken again', async () => {
  await insertEndpoints(tenants[0]!, 1)
  const [task] = await delivery.due()
  expect(task).toMatchObject({ tenantId: tenants[0], generation: 1 })
  expect(await delivery.due()).toEqual([])
  delivery.advanceClock(delivery.context.leaseMs - minute)
  expect(await delivery.due()).toEqual([])
  delivery.advanceClock(minute + 1)
  expect(await delivery.due()).toEqual([task])
})

it('two workers that look at the same moment never take the same endpoint', async () => {
  for (const tenantId of tenants.slice(0, 10)) await insertEndpoints(tenantId, 5)
  const places = { ...placesOf }
  const taken = await Promise.all([1, 2, 3, 4].map(() => takeDueEndpoints(delivery.context, places)))
  const ids = taken.flat().map(({ webhookId }) => webhookId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length + (await delivery.due()).length).toBe(50)
})

it('a worker takes no more than it has places for, and leaves the rest to the others', async () => {
  for (const tenantId of tenants.slice(0, 4)) await insertEndpoints(tenantId, 5)
  const failing = await insertEndpoints(tenants[0]!, 3, { failing: 1 })
  const first = await takeDueEndpoints(delivery.context, { healthy: 7, failing: 0 })
  expect([first.length, among(failing, first)]).toEqual([7, 0])
  const second = await takeDueEndpoints(delivery.context, { healthy: 128, failing: 64 })
  expect([second.length, among(failing, second)]).toEqual([13 + 3, 3])
})

it('what another worker takes between the look and the taking is left to it', async () => {
  await insertEndpoints(tenants[0]!, 5)
  const { pool } = delivery.context
  let byOther: DeliveryTask[] = []
  const query = async (asked: { text: string }) => {
    const result = await pool.query(asked)
    if (asked.text.includes('count(*)')) byOther = await takeDueEndpoints(delivery.context, { ...placesOf })
    return result
  }
  const context = { ...delivery.context, pool: { query } as unknown as Pool }
  expect(await takeDueEndpoints(context, { ...placesOf })).toEqual([])
  expect(byOther).toHaveLength(5)
})
