import { createHmac } from 'node:crypto'
import pg from 'pg'
import { beforeEach, expect, it } from 'vitest'
import { courierOf } from '../../../../test/harness/couriers.ts'
import { makeHappen, queueFor, useHandCourier } from '../../../../test/harness/hand-courier.ts'
import { useHouse } from '../../../../test/harness/house.ts'
import { startReceiver } from '../../../../test/harness/receiver.ts'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { pump } from './pump.ts'

const house = useHouse({ hasWorker: false })
const hand = useHandCourier(house)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const [second, minute] = [1_000, 60_000]

let sandbox: Sandbox
let tenantId: string
let webhookId: string
let secret: string
beforeEach(async () => {
  await house.sql('delete from webhook_pumps')
  sandbox = await newSandbox(house)
  tenantId = sandbox.tenantId
  receiver.received.length = 0
  receiver.status = 200
  const body = { url: receiver.url, events: ['invoice.created'] }
  ;({ id: webhookId, secret } = await sandbox.done<{ id: string; secret: string }>('POST', path, body))
})

const queueNew = async (count: number, options?: { dueAt?: number; attempts?: number }) => {
  const ids = await makeHappen(house, tenantId, { count })
  await queueFor(house, { tenantId, webhookId }, ids, options)
  return ids
}
const queueLength = async () =>
  (await house.sql('select 1 from webhook_queue where webhook_id = $1', [webhookId])).length
const pumpRow = async (id = webhookId) =>
  (
    await house.sql<{ wake_at: Date | null; busy_until: Date | null; failing: number; gen: string }>(
      'select wake_at, busy_until, failing, gen from webhook_pumps where webhook_id = $1',
      [id],
    )
  )[0]!
interface Listed {
  id: string
  status: string
  attempts: number
  nextRetryAt?: string
}
const deliveries = (id = webhookId) => sandbox.done<Listed[]>('GET', `${path}/${id}/deliveries?limit=100`)
const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id']).sort()

it('everything that is due is posted in one go, eight at a time, and the endpoint then sleeps', async () => {
  let [open, most] = [0, 0]
  receiver.status = async () => {
    most = Math.max(most, ++open)
    await new Promise(resolve => setTimeout(resolve, 20))
    open--
    return 204
  }
  const ids = await queueNew(20)
  expect(await hand.pass()).toHaveLength(1)
  expect(idsReceived()).toEqual(ids)
  expect(most).toBe(8)
  expect(await queueLength()).toBe(0)
  expect(await pumpRow()).toMatchObject({ wake_at: null, busy_until: null, failing: 0 })
  expect((await deliveries()).every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(
    true,
  )
})

it('a hint that comes late or twice does nothing: two at the same time post each event once', async () => {
  const ids = await queueNew(20)
  const [task] = await hand.due()
  await Promise.all([pump(hand.world, task!), pump(hand.world, task!), pump(hand.world, task!)])
  expect(idsReceived()).toEqual(ids)
  await queueNew(1)
  await pump(hand.world, task!)
  expect(receiver.received).toHaveLength(20)
  expect(await queueLength()).toBe(1)
})

it('an event that is gone is dropped without a word', async () => {
  await queueFor(house, { tenantId, webhookId }, [uuidv7(Date.now())])
  const [left] = await queueNew(1)
  await hand.pass()
  expect(idsReceived()).toEqual([left])
  expect((await deliveries()).map(({ id }) => id)).toEqual([left])
  expect(await queueLength()).toBe(0)
})

it('a courier that dies between the answer and the writing sends again with the same id, and it was one attempt', async () => {
  const [id] = await queueNew(1)
  const dying = courierOf(house, hand.world.clock)
  const client = dying.clients.for(webhookId)
  const request: typeof client.request = async asked => {
    const reply = await client.request(asked)
    await dying.pool.end()
    return reply
  }
  const [task] = await hand.due()
  await expect(
    pump({ ...dying, clients: { ...dying.clients, for: () => ({ request }) } }, task!),
  ).rejects.toThrow()
  await dying.clients.close()
  expect(idsReceived()).toEqual([id])
  expect(await deliveries()).toEqual([])
  // Whoever holds it may be alive; only a long silence says that it is not.
  expect(await hand.pass()).toEqual([])
  hand.letPass(hand.world.leaseMs + second)
  await hand.pass()
  expect(idsReceived()).toEqual([id, id])
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
})

it('somebody who holds the endpoint for a while makes the courier wait, and not forget what it has sent', async () => {
  const [id] = await queueNew(1)
  const owner = new pg.Client({ connectionString: house.database.adminUrl })
  await owner.connect()
  let letGo: Promise<unknown> | undefined
  receiver.status = async () => {
    await owner.query('begin')
    await owner.query('select 1 from webhook_pumps where webhook_id = $1 for update', [webhookId])
    letGo = new Promise(resolve => setTimeout(resolve, 1_500)).then(() => owner.query('commit'))
    return 200
  }
  await hand.pass()
  await letGo
  await owner.end()
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
  expect(await pumpRow()).toMatchObject({ wake_at: null, busy_until: null })
})

it('a database that has no connection for a while makes it wait as well', async () => {
  const [id] = await queueNew(1)
  const { pool } = hand.world
  let refusals = 0
  const connect = async () => {
    if (receiver.received.length === 1 && ++refusals <= 2)
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return pool.connect()
  }
  const [task] = await hand.due()
  await pump({ ...hand.world, pool: { connect } as typeof pool }, task!)
  expect(refusals).toBe(3)
  expect(idsReceived()).toEqual([id])
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
})

it.each([
  ['switched off', () => sandbox.done('PUT', `${path}/${webhookId}`, { enabled: false })],
  ['deleted', () => sandbox.call('DELETE', `${path}/${webhookId}`)],
] as const)('a webhook that is %s while it is being posted to gets nothing more', async (_, stop) => {
  await queueNew(20)
  let stopped: Promise<unknown> | undefined
  receiver.status = async () => {
    stopped ??= stop()
    await stopped
    return 500
  }
  await hand.pass()
  expect(receiver.received).toHaveLength(8)
  expect(await queueLength()).toBe(0)
  hand.letPass(180 * minute)
  expect(await hand.pass()).toEqual([])
  expect(receiver.received).toHaveLength(8)
})

it('a rotated secret signs the next retry, and a changed URL gets it', async () => {
  receiver.status = 500
  const [id] = await queueNew(1)
  await hand.pass()
  const fresh = (await sandbox.done<{ secret: string }>('POST', `${path}/${webhookId}/rotate-secret`)).secret
  hand.letPass(30 * second)
  await hand.pass()
  const signed = (key: string) => createHmac('sha256', key).update(receiver.received[0]!.body).digest('hex')
  expect(receiver.received.map(({ headers }) => headers['x-service-signature'])).toEqual([
    signed(secret),
    signed(fresh),
  ])
  const moved = await startReceiver(200)
  await sandbox.done('PUT', `${path}/${webhookId}`, { url: moved.url })
  hand.letPass(5 * minute)
  await hand.pass()
  await moved.stop()
  expect(receiver.received).toHaveLength(2)
  expect(moved.received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual([
    [id, receiver.received[0]!.body],
  ])
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 3 }])
})

it('after its turn an endpoint with more to come goes to the end of the line', async () => {
  const neighbour = uuidv7(Date.now())
  const body = { url: receiver.url, events: ['debt.paid'] }
  const { id: other } = await sandbox.done<{ id: string }>('POST', path, body)
  await queueNew(16, { dueAt: Date.now() - 60 * minute })
  await queueFor(house, { tenantId, webhookId: other }, [neighbour], { dueAt: Date.now() - minute })
  const [first] = await hand.due()
  expect(first!.webhookId).toBe(webhookId)
  receiver.status = () => {
    hand.letPass(second)
    return 200
  }
  await pump(hand.world, first!)
  expect(receiver.received).toHaveLength(8)
  expect(await queueLength()).toBe(8)
  const [mine, others] = [await pumpRow(), await pumpRow(other)]
  expect(mine.busy_until).toBe(null)
  expect(mine.wake_at!.getTime()).toBeGreaterThan(others.wake_at!.getTime())
  expect(mine.wake_at!.getTime()).toBeLessThanOrEqual(hand.world.clock.wall())
  // And from there it goes on to the end.
  receiver.status = 200
  hand.letPass(hand.world.leaseMs)
  await hand.pass()
  expect(await queueLength()).toBe(0)
})

it('one endpoint that cannot be served leaves the others of its batch alone', async () => {
  const body = { url: receiver.url, events: ['debt.paid'] }
  const { id: broken } = await sandbox.done<{ id: string }>('POST', path, body)
  await house.sql(`update webhooks set secret_sealed = 'k1.bm90aGluZw' where id = $1`, [broken])
  await queueFor(house, { tenantId, webhookId: broken }, await makeHappen(house, tenantId, { count: 1 }))
  const ids = await queueNew(1)
  expect(await hand.pass()).toHaveLength(2)
  expect(idsReceived()).toEqual(ids)
  expect(await pumpRow(broken)).toMatchObject({ wake_at: expect.any(Date), busy_until: expect.any(Date) })
})
