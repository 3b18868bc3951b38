import { beforeEach, expect, it } from 'vitest'
import { useHandCourier } from '../../../../test/harness/hand-courier.ts'
import { useHouse } from '../../../../test/harness/house.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { armPumps } from './arm-pumps.ts'
import type { PumpTask } from './pump.ts'

const house = useHouse({ hasWorker: false })
const hand = useHandCourier(house)
const minute = 60_000

const tenants: string[] = []
beforeEach(async () => {
  await house.sql('delete from webhook_pumps')
  while (tenants.length < 20) {
    const owner = { name: 'Atelier Martin', ownerEmail: 'comptabilite@atelier-martin.example' }
    const { production, sandbox } = (await house.installation.createCompany(owner)).tenants
    tenants.push(production, sandbox)
  }
})

interface Pump {
  failing?: number
  /** Minutes ago it was to be looked at. */
  due?: number
  busyUntil?: number
  enabled?: boolean
}
/** Endpoints of one tenant, all alike. */
async function endpoints(tenantId: string, count: number, pump: Pump = {}): Promise<string[]> {
  const { failing = 0, due = 1, busyUntil, enabled = true } = pump
  const ids = Array.from({ length: count }, () => uuidv7(Date.now()))
  const wakeAt = new Date(hand.world.clock.wall() - due * minute).toISOString()
  await house.sql(
    `insert into webhook_pumps (tenant_id, webhook_id, events, enabled, wake_at, busy_until, failing)
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
const among = (ids: readonly string[], tasks: readonly PumpTask[]) =>
  tasks.filter(({ webhookId }) => ids.includes(webhookId)).length

it('however many that fail have been due for long, one that answers is handed over in the same pass', async () => {
  const sick: string[] = []
  for (const tenantId of tenants.slice(1))
    sick.push(...(await endpoints(tenantId, 40, { failing: 3, due: 60 })))
  const healthy = await endpoints(tenants[0]!, 1)
  const tasks = await hand.due()
  expect(among(healthy, tasks)).toBe(1)
  expect(among(sick, tasks)).toBe(64)
  // Theirs are taken now, and those of the others are not.
  const next = await endpoints(tenants[0]!, 3)
  expect(await hand.due()).toHaveLength(3)
  expect(among(next, await hand.due())).toBe(0)
})

it('those that answer have places of their own as well, and no more than those', async () => {
  for (const tenantId of tenants) await endpoints(tenantId, 12, { due: 60 })
  const sick = await endpoints(tenants[0]!, 1, { failing: 1 })
  const tasks = await hand.due()
  expect(tasks).toHaveLength(128 + 1)
  expect(among(sick, tasks)).toBe(1)
})

it('a tenant with many due endpoints gets its share, and another tenant’s endpoint is handed over too', async () => {
  const [first, second] = tenants as [string, string]
  const greedy = await endpoints(first, 20, { due: 60 })
  const modest = await endpoints(second, 1)
  const tasks = await hand.due()
  expect([among(greedy, tasks), among(modest, tasks)]).toEqual([12, 1])
  // What it has in hand counts; a sick one is counted apart.
  const sick = await endpoints(first, 1, { failing: 1 })
  expect((await hand.due()).map(({ webhookId }) => webhookId)).toEqual(sick)
})

it('who has waited longest comes first, and nobody comes who is switched off, not due or in somebody’s hands', async () => {
  const { wall } = hand.world.clock
  const [tenantId] = tenants as [string]
  const late = await endpoints(tenantId, 1, { due: 5 })
  const later = await endpoints(tenantId, 1, { due: 1 })
  const latest = await endpoints(tenantId, 1, { due: 60, busyUntil: wall() - 1 })
  await endpoints(tenantId, 1, { due: -1 })
  await endpoints(tenantId, 1, { enabled: false })
  await endpoints(tenantId, 1, { busyUntil: wall() + minute })
  expect((await hand.due()).map(({ webhookId }) => webhookId)).toEqual([...latest, ...late, ...later])
})

it('what was handed over is left alone for as long as somebody may be at it, and then comes again', async () => {
  await endpoints(tenants[0]!, 1)
  const [task] = await hand.due()
  expect(task).toMatchObject({ v: 1, tenantId: tenants[0], gen: 1 })
  expect(await hand.due()).toEqual([])
  hand.letPass(hand.world.leaseMs - minute)
  expect(await hand.due()).toEqual([])
  hand.letPass(minute + 1)
  expect(await hand.due()).toEqual([task])
})

it('whoever was quick has begun already, and its lease is its own', async () => {
  const [id] = await endpoints(tenants[0]!, 1)
  await armPumps(hand.world, {
    name: 'quick',
    // Taken and done with before the pass could note that it was handed over.
    hand: async () => void (await house.sql('update webhook_pumps set gen = gen + 1, wake_at = null')),
  })
  expect(await house.sql('select busy_until from webhook_pumps where webhook_id = $1', [id])).toEqual([
    { busy_until: null },
  ])
})

it('a hand-over that fails marks nobody', async () => {
  await endpoints(tenants[0]!, 1)
  const away = { name: 'away', hand: () => Promise.reject(new Error('the engine is away')) }
  await expect(armPumps(hand.world, away)).rejects.toThrow('away')
  expect(await hand.due()).toHaveLength(1)
})
