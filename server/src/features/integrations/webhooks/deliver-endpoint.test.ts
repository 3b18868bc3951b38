import { createHmac } from 'node:crypto'
import pg from 'pg'
import { beforeEach, expect, it } from 'vitest'
import { deliveryContextOf } from '../../../../test/harness/deliveries.ts'
import { insertEvents, queueEvents, useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { startReceiver } from '../../../../test/harness/receiver.ts'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { deliverEndpoint } from './deliver-endpoint.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const [second, minute] = [1_000, 60_000]

let sandbox: Sandbox
let tenantId: string
let webhookId: string
let secret: string
beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  sandbox = await newSandbox(installation)
  tenantId = sandbox.tenantId
  receiver.received.length = 0
  receiver.status = 200
  const body = { url: receiver.url, events: ['invoice.created'] }
  ;({ id: webhookId, secret } = await sandbox.done<{ id: string; secret: string }>('POST', path, body))
})

const queueNewEvents = async (count: number, options?: { dueAt?: number; attempts?: number }) => {
  const ids = await insertEvents(installation, tenantId, { count })
  await queueEvents(installation, { tenantId, webhookId }, ids, options)
  return ids
}
const queueLength = async () =>
  (await installation.sql('select 1 from webhook_queue where webhook_id = $1', [webhookId])).length
const endpointRow = async (id = webhookId) =>
  (
    await installation.sql<{
      wake_at: Date | null
      busy_until: Date | null
      failing: number
      generation: string
    }>('select wake_at, busy_until, failing, generation from webhook_endpoints where webhook_id = $1', [id])
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
  const ids = await queueNewEvents(20)
  expect(await delivery.deliverDue()).toHaveLength(1)
  expect(idsReceived()).toEqual(ids)
  expect(most).toBe(8)
  expect(await queueLength()).toBe(0)
  expect(await endpointRow()).toMatchObject({ wake_at: null, busy_until: null, failing: 0 })
  expect((await deliveries()).every(({ status, attempts }) => status === 'delivered' && attempts === 1)).toBe(
    true,
  )
})

it('a task that comes late or twice does nothing: several at the same time post each event once', async () => {
  const ids = await queueNewEvents(20)
  const [task] = await delivery.due()
  await Promise.all([
    deliverEndpoint(delivery.context, task!),
    deliverEndpoint(delivery.context, task!),
    deliverEndpoint(delivery.context, task!),
  ])
  expect(idsReceived()).toEqual(ids)
  await queueNewEvents(1)
  await deliverEndpoint(delivery.context, task!)
  expect(receiver.received).toHaveLength(20)
  expect(await queueLength()).toBe(1)
})

it('an event that no longer exists is dropped and listed nowhere', async () => {
  await queueEvents(installation, { tenantId, webhookId }, [uuidv7(Date.now())])
  const [left] = await queueNewEvents(1)
  await delivery.deliverDue()
  expect(idsReceived()).toEqual([left])
  expect((await deliveries()).map(({ id }) => id)).toEqual([left])
  expect(await queueLength()).toBe(0)
})

it('a worker that dies between the response and the commit sends again with the same id, and it counts as one attempt', async () => {
  const [id] = await queueNewEvents(1)
  const dyingContext = deliveryContextOf(installation, delivery.context.clock)
  const client = dyingContext.clients.for(webhookId)
  const request: typeof client.request = async asked => {
    const reply = await client.request(asked)
    await dyingContext.pool.end()
    return reply
  }
  const [task] = await delivery.due()
  await expect(
    deliverEndpoint(
      { ...dyingContext, clients: { ...dyingContext.clients, for: () => ({ request }) } },
      task!,
    ),
  ).rejects.toThrow()
  await dyingContext.clients.close()
  expect(idsReceived()).toEqual([id])
  expect(await deliveries()).toEqual([])
  // The worker may still be alive; only an expired lease shows that it is not.
  expect(await delivery.deliverDue()).toEqual([])
  delivery.advanceClock(delivery.context.leaseMs + second)
  await delivery.deliverDue()
  expect(idsReceived()).toEqual([id, id])
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
})

it('a locked endpoint makes the delivery wait, and what was sent is still recorded', async () => {
  const [id] = await queueNewEvents(1)
  const owner = new pg.Client({ connectionString: installation.database.adminUrl })
  await owner.connect()
  let unlocked: Promise<unknown> | undefined
  receiver.status = async () => {
    await owner.query('begin')
    await owner.query('select 1 from webhook_endpoints where webhook_id = $1 for update', [webhookId])
    unlocked = new Promise(resolve => setTimeout(resolve, 1_500)).then(() => owner.query('commit'))
    return 200
  }
  await delivery.deliverDue()
  await unlocked
  await owner.end()
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
  expect(await endpointRow()).toMatchObject({ wake_at: null, busy_until: null })
})

it('a database that has no connection for a while makes it wait as well', async () => {
  const [id] = await queueNewEvents(1)
  const { pool } = delivery.context
  let refusals = 0
  const connect = async () => {
    if (receiver.received.length === 1 && ++refusals <= 2)
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return pool.connect()
  }
  const [task] = await delivery.due()
  await deliverEndpoint({ ...delivery.context, pool: { connect } as typeof pool }, task!)
  expect(refusals).toBe(3)
  expect(idsReceived()).toEqual([id])
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 1 }])
})

it.each([
  ['switched off', () => sandbox.done('PUT', `${path}/${webhookId}`, { enabled: false })],
  ['deleted', () => sandbox.call('DELETE', `${path}/${webhookId}`)],
] as const)('a webhook that is %s while it is being posted to gets nothing more', async (_, stop) => {
  await queueNewEvents(20)
  let stopped: Promise<unknown> | undefined
  receiver.status = async () => {
    stopped ??= stop()
    await stopped
    return 500
  }
  await delivery.deliverDue()
  expect(receiver.received).toHaveLength(8)
  expect(await queueLength()).toBe(0)
  delivery.advanceClock(180 * minute)
  expect(await delivery.deliverDue()).toEqual([])
  expect(receiver.received).toHaveLength(8)
})

it('a rotated secret signs the next retry, and a changed URL gets it', async () => {
  receiver.status = 500
  const [id] = await queueNewEvents(1)
  await delivery.deliverDue()
  const fresh = (await sandbox.done<{ secret: string }>('POST', `${path}/${webhookId}/rotate-secret`)).secret
  delivery.advanceClock(30 * second)
  await delivery.deliverDue()
  const signed = (key: string) => createHmac('sha256', key).update(receiver.received[0]!.body).digest('hex')
  expect(receiver.received.map(({ headers }) => headers['x-service-signature'])).toEqual([
    signed(secret),
    signed(fresh),
  ])
  const moved = await startReceiver(200)
  await sandbox.done('PUT', `${path}/${webhookId}`, { url: moved.url })
  delivery.advanceClock(5 * minute)
  await delivery.deliverDue()
  await moved.stop()
  expect(receiver.received).toHaveLength(2)
  expect(moved.received.map(({ headers, body }) => [headers['webhook-id'], body])).toEqual([
    [id, receiver.received[0]!.body],
  ])
  expect(await deliveries()).toMatchObject([{ id, status: 'delivered', attempts: 3 }])
})

it('after its turn an endpoint with more queued events goes to the end of the queue', async () => {
  const neighbour = uuidv7(Date.now())
  const body = { url: receiver.url, events: ['debt.paid'] }
  const { id: other } = await sandbox.done<{ id: string }>('POST', path, body)
  await queueNewEvents(16, { dueAt: Date.now() - 60 * minute })
  await queueEvents(installation, { tenantId, webhookId: other }, [neighbour], { dueAt: Date.now() - minute })
  const [first] = await delivery.due()
  expect(first!.webhookId).toBe(webhookId)
  receiver.status = () => {
    delivery.advanceClock(second)
    return 200
  }
  await deliverEndpoint(delivery.context, first!)
  expect(receiver.received).toHaveLength(8)
  expect(await queueLength()).toBe(8)
  const [mine, others] = [await endpointRow(), await endpointRow(other)]
  expect(mine.busy_until).toBe(null)
  expect(mine.wake_at!.getTime()).toBeGreaterThan(others.wake_at!.getTime())
  expect(mine.wake_at!.getTime()).toBeLessThanOrEqual(delivery.context.clock.wall())
  // And from there it goes on to the end.
  receiver.status = 200
  delivery.advanceClock(delivery.context.leaseMs)
  await delivery.deliverDue()
  expect(await queueLength()).toBe(0)
})

it('one endpoint that cannot be delivered to does not affect the others of its batch', async () => {
  const body = { url: receiver.url, events: ['debt.paid'] }
  const { id: broken } = await sandbox.done<{ id: string }>('POST', path, body)
  await installation.sql(`update webhooks set secret_sealed = 'k1.bm90aGluZw' where id = $1`, [broken])
  await queueEvents(
    installation,
    { tenantId, webhookId: broken },
    await insertEvents(installation, tenantId, { count: 1 }),
  )
  const ids = await queueNewEvents(1)
  expect(await delivery.deliverDue()).toHaveLength(2)
  expect(idsReceived()).toEqual(ids)
  expect(await endpointRow(broken)).toMatchObject({ wake_at: expect.any(Date), busy_until: expect.any(Date) })
})
