import { beforeEach, expect, it } from 'vitest'
import { insertEvents, queueEvents, useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { replayEvents } from './replay-events.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const path = '/api/v1/webhooks'
const minute = 60_000

let sandbox: Sandbox
let tenantId: string
let webhookId: string
beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  sandbox = await newSandbox(installation)
  tenantId = sandbox.tenantId
  const body = { url: 'http://127.0.0.1:1/', events: ['invoice.created'] }
  webhookId = (await sandbox.done<{ id: string }>('POST', path, body)).id
})

const recover = (since: number) =>
  sandbox.done('POST', `${path}/${webhookId}/recover`, { since: new Date(since).toISOString() })
const recovering = async () =>
  (await sandbox.done<{ recovering: { since: string } | null }>('GET', `${path}/${webhookId}`)).recovering
const queued = async () =>
  (
    await installation.sql<{ event_id: string }>(
      'select event_id from webhook_queue where webhook_id = $1 order by event_id',
      [webhookId],
    )
  ).map(row => row.event_id)

it('a replay reads two thousand events at a time, queues those the endpoint subscribes to, and ends', async () => {
  const start = Date.now() - 10 * minute
  await insertEvents(installation, tenantId, { count: 4_700, type: 'debt.paid', at: start })
  const mine = await insertEvents(installation, tenantId, { count: 300, at: start + minute })
  await recover(start)
  const seen: (string | undefined)[] = []
  for (let steps = 0; steps < 3; steps++) {
    expect(await replayEvents(delivery.context)).toBe(true)
    seen.push((await recovering())?.since)
  }
  expect(seen).toEqual([new Date(start).toISOString(), new Date(start).toISOString(), undefined])
  expect(await queued()).toEqual(mine)
  expect(await replayEvents(delivery.context)).toBe(false)
  const [endpoint] = await installation.sql<{ wake_at: Date }>(
    'select wake_at from webhook_endpoints where webhook_id = $1',
    [webhookId],
  )
  expect(endpoint!.wake_at.getTime()).toBeLessThanOrEqual(delivery.context.clock.wall())
})

it('an endpoint with five hundred queued events gets more when fewer are left', async () => {
  const start = Date.now() - 10 * minute
  const ids = await insertEvents(installation, tenantId, { count: 2_500, at: start })
  await recover(start)
  expect(await replayEvents(delivery.context)).toBe(true)
  expect(await queued()).toEqual(ids.slice(0, 2_000))
  expect(await replayEvents(delivery.context)).toBe(false)
  await installation.sql('delete from webhook_queue where event_id > $1', [ids[498]])
  expect(await replayEvents(delivery.context)).toBe(true)
  expect(await queued()).toEqual([...ids.slice(0, 499), ...ids.slice(2_000)])
  expect(await recovering()).toBe(null)
})

it('what was delivered is not replayed; what failed, or was never tried, is; what is queued stays as it is', async () => {
  const start = Date.now() - 10 * minute
  const [delivered, failed, waiting, missed] = (await insertEvents(installation, tenantId, {
    count: 4,
    at: start,
  })) as [string, string, string, string]
  const at = new Date().toISOString()
  for (const [id, status] of [
    [delivered, 'delivered'],
    [failed, 'failed'],
    [waiting, 'failed'],
  ])
    await installation.sql(
      `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, created_at)
       values ($1, $2, $3, 'invoice.created', $4, 1, $5, $5)`,
      [tenantId, webhookId, id, status, at],
    )
  await queueEvents(installation, { tenantId, webhookId }, [waiting], {
    dueAt: Date.now() + minute,
    attempts: 2,
  })
  await recover(start)
  await replayEvents(delivery.context)
  expect(await queued()).toEqual([failed, waiting, missed])
  expect(await installation.sql('select attempts from webhook_queue where event_id = $1', [waiting])).toEqual(
    [{ attempts: 2 }],
  )
})

it('only from the moment asked for until that of the asking, and only of its own tenant', async () => {
  const start = Date.now() - 10 * minute
  await insertEvents(installation, tenantId, { count: 3, at: start - 1 })
  const mine = await insertEvents(installation, tenantId, { count: 3, at: start })
  await insertEvents(installation, installation.company.tenants.production, { count: 3, at: start + minute })
  await recover(start)
  await insertEvents(installation, tenantId, { count: 3, at: Date.now() + 1_000 })
  await replayEvents(delivery.context)
  expect(await queued()).toEqual(mine)
})

it('an endpoint that is switched off during a replay recovers nothing more', async () => {
  const start = Date.now() - 10 * minute
  await insertEvents(installation, tenantId, { count: 4_000, type: 'debt.paid', at: start })
  await insertEvents(installation, tenantId, { count: 1, at: start + minute })
  await recover(start)
  await replayEvents(delivery.context)
  await sandbox.done('PUT', `${path}/${webhookId}`, { enabled: false })
  expect(await replayEvents(delivery.context)).toBe(false)
  await sandbox.done('PUT', `${path}/${webhookId}`, { enabled: true })
  expect(await replayEvents(delivery.context)).toBe(false)
  expect(await queued()).toEqual([])
})
