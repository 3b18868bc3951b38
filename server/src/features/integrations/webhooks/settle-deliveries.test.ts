import { beforeEach, expect, it } from 'vitest'
import { insertEvents, queueEvents, useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { egress } from '../../../kit/egress/egress.ts'
import type { DeliveryContext } from './delivery-context.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const receiver = useReceiver()
const path = '/api/v1/webhooks'
const [second, minute] = [1_000, 60_000]

let sandbox: Sandbox
let tenantId: string
let webhookId: string
beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  await installation.sql('delete from account_mails')
  sandbox = await newSandbox(installation)
  tenantId = sandbox.tenantId
  receiver.received.length = 0
  receiver.status = 500
  const body = { url: receiver.url, events: ['invoice.created'] }
  webhookId = (await sandbox.done<{ id: string }>('POST', path, body)).id
})

const queueNewEvents = async (count: number, attempts = 0) => {
  const ids = await insertEvents(installation, tenantId, { count })
  await queueEvents(installation, { tenantId, webhookId }, ids, { attempts })
  return ids
}
const queued = () =>
  installation.sql<{ event_id: string; attempts: number; deferrals: number; due_at: Date }>(
    'select event_id, attempts, deferrals, due_at from webhook_queue where webhook_id = $1 order by event_id',
    [webhookId],
  )
interface Listed {
  id: string
  status: string
  attempts: number
  error: string | null
  nextRetryAt?: string
}
const deliveries = () => sandbox.done<Listed[]>('GET', `${path}/${webhookId}/deliveries`)
const webhook = () =>
  sandbox.done<{ enabled: boolean; failing: number; disabled_because: string | null }>(
    'GET',
    `${path}/${webhookId}`,
  )
const noticeKinds = async () =>
  (await installation.sql<{ kind: string }>('select kind from account_mails order by created_at')).map(
    ({ kind }) => kind,
  )

/** The same context with a resolver that always fails with this code. */
function withFailingResolver(code: string): DeliveryContext {
  const resolve = () => Promise.reject(Object.assign(new Error('no answer'), { code }))
  const client = egress({ profile: 'tenant', resolve })
  return { ...delivery.context, clients: { for: () => client, close: () => client.close() } }
}
const useHostNameAsUrl = () =>
  installation.sql('update webhooks set url = $2 where id = $1', [
    webhookId,
    'https://hooks.receiver.example/relance',
  ])

it('a fault of ours uses up no attempt and is listed nowhere; each time it is deferred for longer', async () => {
  await useHostNameAsUrl()
  const [id] = await queueNewEvents(1)
  const context = withFailingResolver('EAI_AGAIN')
  const waits: number[] = []
  for (let times = 1; times <= 10; times++) {
    await delivery.deliverDue(context)
    const [line] = await queued()
    expect(line).toMatchObject({ event_id: id, attempts: 0, deferrals: times })
    waits.push(Math.round((line!.due_at.getTime() - delivery.context.clock.wall()) / second))
    delivery.advanceClock(line!.due_at.getTime() - delivery.context.clock.wall())
  }
  for (const [i, wait] of [30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800].entries())
    expect(Math.abs(waits[i]! - wait), `${i}`).toBeLessThan(5)
  expect(await deliveries()).toEqual([])
  expect(await webhook()).toMatchObject({ enabled: true, failing: 0 })
})

it('a name that does not resolve for so long counts as an attempt after the tenth time, and so does each further one', async () => {
  await useHostNameAsUrl()
  const [id] = await queueNewEvents(1)
  await installation.sql('update webhook_queue set deferrals = 10')
  await delivery.deliverDue(withFailingResolver('EAI_AGAIN'))
  expect(await deliveries()).toMatchObject([{ id, status: 'failed', attempts: 1, error: 'EAI_AGAIN' }])
  delivery.advanceClock(30 * second)
  await delivery.deliverDue(withFailingResolver('EAI_AGAIN'))
  expect(await deliveries()).toMatchObject([{ attempts: 2 }])
  expect(await webhook()).toMatchObject({ failing: 2 })
})

it('a name that does not exist is the receiver’s own fault at once', async () => {
  await useHostNameAsUrl()
  await queueNewEvents(1)
  await delivery.deliverDue(withFailingResolver('ENOTFOUND'))
  expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 1, error: 'ENOTFOUND' }])
})

it('failures are counted until something arrives', async () => {
  await queueNewEvents(5)
  await delivery.deliverDue()
  expect(await webhook()).toMatchObject({ enabled: true, failing: 5 })
  delivery.advanceClock(30 * second)
  const [first] = await queued()
  receiver.status = ({ headers }) => (headers['webhook-id'] === first!.event_id ? 204 : 503)
  await delivery.deliverDue()
  expect(await webhook()).toMatchObject({ failing: 0 })
  expect((await queued()).map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2])
})

it('a fifth failure switches the webhook off and deletes everything still queued for it', async () => {
  const [last] = await queueNewEvents(1, 4)
  await queueNewEvents(20)
  await delivery.deliverDue()
  // The requests of the same round were sent; the rest is not.
  expect(receiver.received).toHaveLength(8)
  expect(await queued()).toEqual([])
  expect(await webhook()).toMatchObject({ enabled: false, disabled_because: 'failing' })
  const listed = await deliveries()
  expect(listed).toHaveLength(8)
  expect(listed.map(({ id }) => id)).toContain(last)
  for (const delivery of listed) expect(delivery).not.toHaveProperty('nextRetryAt')
  expect(await noticeKinds()).toEqual(['webhook_disabled'])
  const auditEvents = await installation.sql(
    `select data, actor from audit_log where subject_id = $1 and type = 'webhook.disabled'`,
    [webhookId],
  )
  expect(auditEvents).toEqual([
    { data: { webhookId, because: 'failing' }, actor: { kind: 'worker', id: 'delivery' } },
  ])
})

it('an owner is warned once a day of one webhook, however many deliveries fail a third time', async () => {
  await queueNewEvents(3, 2)
  await delivery.deliverDue()
  expect(await noticeKinds()).toEqual(['webhook_failing'])
  delivery.advanceClock(10 * minute)
  await queueNewEvents(1, 2)
  await delivery.deliverDue()
  expect(await noticeKinds()).toEqual(['webhook_failing'])
  await installation.sql('update webhook_endpoints set warned_at = $1', [
    new Date(delivery.context.clock.wall() - 24 * 60 * minute).toISOString(),
  ])
  await queueNewEvents(1, 2)
  await delivery.deliverDue()
  expect(await noticeKinds()).toEqual(['webhook_failing', 'webhook_failing'])
})

it('a redirect counts as delivered, and the owner is warned of it once a day', async () => {
  receiver.status = 308
  await queueNewEvents(3)
  await delivery.deliverDue()
  expect(await deliveries()).toMatchObject(
    Array.from({ length: 3 }, () => ({ status: 'delivered', error: 'redirect' })),
  )
  expect(await noticeKinds()).toEqual(['webhook_redirecting'])
  await queueNewEvents(1)
  await delivery.deliverDue()
  expect(await noticeKinds()).toEqual(['webhook_redirecting'])
  expect(await webhook()).toMatchObject({ enabled: true, failing: 0 })
})

it('what failed earlier and is sent again counts on, and begins a series of its own', async () => {
  const [id] = await queueNewEvents(1, 3)
  await delivery.deliverDue()
  const [line] = await queued()
  expect(line).toMatchObject({ attempts: 4 })
  await sandbox.done('PUT', `${path}/${webhookId}`, { enabled: false })
  await sandbox.done('PUT', `${path}/${webhookId}`, { enabled: true })
  await sandbox.done('POST', `${path}/${webhookId}/deliveries/${id}/retry`)
  await delivery.deliverDue()
  expect(await queued()).toMatchObject([{ event_id: id, attempts: 1 }])
  expect(await deliveries()).toMatchObject([{ id, status: 'failed', attempts: 2 }])
})
