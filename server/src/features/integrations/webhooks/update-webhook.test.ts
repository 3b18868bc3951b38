import { createHmac } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

const installation = useInstallation()
const receiver = useReceiver()
const path = '/api/v1/webhooks'

interface Created {
  id: string
  secret: string
}

let sandbox: Sandbox
let id: string
let secret: string
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  const body = { url: receiver.url, events: ['cascade.action'], description: 'Accounting' }
  ;({ id, secret } = await sandbox.done<Created>('POST', path, body))
})

const change = (body: object) => sandbox.call('PUT', `${path}/${id}`, body)
const auditEvents = async () =>
  (
    await installation.sql<{ type: string; data: object }>(
      'select type, data from audit_log where subject_id = $1 order by id',
      [id],
    )
  ).slice(1)

/** Queues a delivery that is due later. */
async function queueDelivery(attempts: number): Promise<string> {
  const eventId = uuidv7(Date.now())
  const later = new Date(Date.now() + 3_600_000).toISOString()
  await installation.sql(
    `with queued as (
       insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at) values ($1, $2, $3, $4, $5, $4))
     insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at,
       created_at) values ($1, $2, $3, 'cascade.action', 'failed', $5, $4, $4)`,
    [sandbox.tenantId, id, eventId, later, attempts],
  )
  return eventId
}

it('a part of a webhook changes, the rest stays, and the whole comes back', async () => {
  const before = await sandbox.done('GET', `${path}/${id}`)
  const events = ['debt.paid', 'payment.received']
  expect((await change({ events, description: null })).body.data).toEqual({
    ...before,
    events,
    description: null,
  })
  expect((await change({ url: `${receiver.url}/v2` })).body.data).toMatchObject({
    url: `${receiver.url}/v2`,
    events,
  })
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({ url: `${receiver.url}/v2`, events })
  expect(await auditEvents()).toMatchObject([
    { type: 'webhook.updated', data: { changed: ['events', 'description'], events } },
    { type: 'webhook.updated', data: { changed: ['url'] } },
  ])
})

it('a new URL is judged like the first: refused it changes nothing, unknown it is taken with a warning', async () => {
  const refused = await change({ url: 'https://192.168.1.1/', description: 'never' })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'WH_002'])
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({ description: 'Accounting' })
  const taken = await change({ url: 'https://hooks.nowhere.invalid/' })
  expect([taken.status, taken.body.warnings?.[0]?.code]).toEqual([200, 'url_not_resolving'])
  expect((await change({})).body.error.code).toBe('VAL_001')
  expect((await change({ secret: 'mine' })).body.error.code).toBe('VAL_001')
})

it('switched off it drops what was queued and plans no retry; other events do not', async () => {
  await queueDelivery(1)
  await change({ events: ['debt.paid'] })
  const deliveries = () => sandbox.done<object[]>('GET', `${path}/${id}/deliveries`)
  expect(await deliveries()).toMatchObject([{ status: 'failed', nextRetryAt: expect.any(String) }])
  expect((await change({ enabled: false })).body.data).toMatchObject({
    enabled: false,
    disabled_because: 'owner',
  })
  expect(await installation.sql('select 1 from webhook_queue where webhook_id = $1', [id])).toEqual([])
  const [delivery] = await deliveries()
  expect(delivery).not.toHaveProperty('nextRetryAt')
  expect((await change({ enabled: false })).status).toBe(200)
  expect((await auditEvents()).slice(1)).toEqual([
    { type: 'webhook.disabled', data: { webhookId: id, because: 'owner' } },
  ])
})

it('switched on again it begins without its failures', async () => {
  await installation.sql(
    `update webhook_endpoints set enabled = false, disabled_because = 'failing', failing = 7, warned_at = $2 where webhook_id = $1`,
    [id, new Date().toISOString()],
  )
  expect((await change({ description: 'still off' })).body.data).toMatchObject({
    enabled: false,
    disabled_because: 'failing',
    failing: 7,
  })
  expect((await change({ enabled: true })).body.data).toMatchObject({
    enabled: true,
    disabled_because: null,
    failing: 0,
  })
  expect(
    await installation.sql('select failing, warned_at from webhook_endpoints where webhook_id = $1', [id]),
  ).toEqual([{ failing: 0, warned_at: null }])
  expect((await auditEvents()).at(-1)).toEqual({ type: 'webhook.enabled', data: { webhookId: id } })
})

it('what is subscribed to is known to the tenant, by enabled webhooks alone', async () => {
  const subscribed = async () =>
    (
      await installation.sql<{ subscribed_events: string[] }>(
        'select subscribed_events from tenants where id = $1',
        [sandbox.tenantId],
      )
    )[0]!.subscribed_events
  await change({ events: ['debt.paid', 'payment.failed'] })
  expect(await subscribed()).toEqual(['debt.paid', 'payment.failed'])
  await change({ enabled: false })
  expect(await subscribed()).toEqual([])
  await change({ enabled: true })
  expect(await subscribed()).toEqual(['debt.paid', 'payment.failed'])
  await sandbox.call('DELETE', `${path}/${id}`)
  expect(await subscribed()).toEqual([])
})

it('deleted it is gone with what was queued, and deleted again it was never there', async () => {
  await queueDelivery(0)
  const answer = await sandbox.call('DELETE', `${path}/${id}`)
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(await installation.sql('select 1 from webhook_queue where webhook_id = $1', [id])).toEqual([])
  for (const [method, rest] of [
    ['DELETE', ''],
    ['GET', ''],
    ['GET', '/deliveries'],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
  ] as const) {
    const again = await sandbox.call(method, `${path}/${id}${rest}`)
    expect([again.status, again.body.error.code], `${method} ${rest}`).toEqual([404, 'RES_001'])
  }
  expect((await auditEvents()).at(-1)).toEqual({
    type: 'webhook.deleted',
    data: { webhookId: id, host: new URL(receiver.url).host },
  })
})

it('a new secret is returned this once, and the old one signs nothing any more', async () => {
  const answer = await sandbox.call<{ secret: string }>('POST', `${path}/${id}/rotate-secret`)
  expect([answer.status, Object.keys(answer.body.data)]).toEqual([200, ['secret']])
  expect(answer.body).toMatchObject({ message: expect.stringContaining('not shown again') })
  const fresh = answer.body.data.secret
  expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(fresh).not.toBe(secret)
  await sandbox.done('POST', `${path}/${id}/test`)
  const { headers, body } = receiver.received.at(-1)!
  expect(headers['x-service-signature']).toBe(hexOf(fresh, body))
  expect(headers['x-service-signature']).not.toBe(hexOf(secret, body))
  expect((await auditEvents()).at(-1)).toMatchObject({ type: 'webhook.secret_rotated' })
})

const hexOf = (key: string, body: string) => createHmac('sha256', key).update(body).digest('hex')
