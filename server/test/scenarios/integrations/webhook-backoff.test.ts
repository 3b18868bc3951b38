import { beforeEach, expect, it } from 'vitest'
import { insertEvents, queueEvents, useManualDelivery } from '../../harness/manual-delivery.ts'
import { newSandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import { useReceiver } from '../../harness/use-receiver.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const receiver = useReceiver()

beforeEach(async () => {
  await installation.sql('delete from webhook_endpoints')
  receiver.received.length = 0
})

/** An endpoint with so much to come. */
async function openWith(count: number): Promise<void> {
  const sandbox = await newSandbox(installation)
  const body = { url: receiver.url, events: ['invoice.created'] }
  const { id: webhookId } = await sandbox.done<{ id: string }>('POST', '/api/v1/webhooks', body)
  const { tenantId } = sandbox
  await queueEvents(
    installation,
    { tenantId, webhookId },
    await insertEvents(installation, tenantId, { count }),
  )
}

it('an endpoint that keeps failing is retried with back-off, eight at a time, never in a tight loop', async () => {
  receiver.status = 500
  await openWith(20)
  for (const requestCount of [8, 16, 20]) {
    expect(await delivery.deliverDue()).toHaveLength(1)
    expect(receiver.received).toHaveLength(requestCount)
  }
  expect(await delivery.deliverDue()).toEqual([])
})

it('an endpoint that accepts one of eight goes on', async () => {
  receiver.status = () => (receiver.received.length % 8 === 0 ? 200 : 500)
  await openWith(20)
  await delivery.deliverDue()
  expect(receiver.received).toHaveLength(20)
})
