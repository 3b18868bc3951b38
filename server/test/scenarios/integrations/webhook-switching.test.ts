import { beforeEach, expect, it } from 'vitest'
import { switchCompany } from '../../harness/operator.ts'
import { newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { useReceiver } from '../../harness/use-receiver.ts'

const installation = useInstallation()
const receiver = useReceiver()
const path = '/api/v1/webhooks'

let sandbox: Sandbox
let id: string
let startedAt: string
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  receiver.received.length = 0
  receiver.status = 204
  startedAt = new Date().toISOString()
  id = (await sandbox.done<{ id: string }>('POST', path, { url: receiver.url, events: ['invoice.created'] }))
    .id
})

interface Listed {
  id: string
  status: string
  attempts: number
  nextRetryAt?: string
}
const deliveries = () => sandbox.done<Listed[]>('GET', `${path}/${id}/deliveries`)
const untilListed = (isTrue: (listed: Listed[]) => boolean) => eventually(deliveries, isTrue)
const invoice = async () => (await sandbox.invoice({})).id
const receivedInvoiceIds = () => receiver.events().map(({ data }) => data.invoiceId)
const queued = () => installation.sql('select 1 from webhook_queue where tenant_id = $1', [sandbox.tenantId])
const waitBriefly = () => new Promise(resolve => setTimeout(resolve, 600))

it('switched off, a webhook is retried no more and events pass it by; recovered, it is told those and nothing twice', async () => {
  const delivered = await invoice()
  await untilListed(([first]) => first?.status === 'delivered')
  receiver.status = 500
  const failed = await invoice()
  const [waiting] = await untilListed(listed => listed.length === 2)
  expect(waiting).toMatchObject({ status: 'failed', attempts: 1, nextRetryAt: expect.any(String) })

  await sandbox.done('PUT', `${path}/${id}`, { enabled: false })
  expect((await deliveries())[0]).not.toHaveProperty('nextRetryAt')
  const missed = await invoice()
  await waitBriefly()
  expect(await queued()).toEqual([])
  expect(await installation.sql('select 1 from outbox where tenant_id = $1', [sandbox.tenantId])).toEqual([])
  expect(receivedInvoiceIds()).toEqual([delivered, failed])

  receiver.status = 200
  await sandbox.done('PUT', `${path}/${id}`, { enabled: true })
  await waitBriefly()
  expect(receiver.received).toHaveLength(2)
  await sandbox.done('POST', `${path}/${id}/recover`, { since: startedAt })
  await eventually(receivedInvoiceIds, ids => ids.length === 4)
  expect(receivedInvoiceIds().slice(2).sort()).toEqual([failed, missed].sort())
  const after = await invoice()
  await eventually(receivedInvoiceIds, ids => ids.length === 5)
  expect(receivedInvoiceIds()[4]).toBe(after)
  const seen = await untilListed(listed => listed.length === 4)
  expect(seen.map(({ status, attempts }) => `${status} ${attempts}`).sort()).toEqual([
    'delivered 1',
    'delivered 1',
    'delivered 1',
    'delivered 2',
  ])
})

it('deleted, it is retried no more and told nothing', async () => {
  receiver.status = 503
  await invoice()
  await untilListed(listed => listed.length === 1)
  expect(await queued()).toHaveLength(1)
  expect((await sandbox.call('DELETE', `${path}/${id}`)).status).toBe(204)
  expect(await queued()).toEqual([])
  await invoice()
  await waitBriefly()
  expect(receiver.received).toHaveLength(1)
  expect(await queued()).toEqual([])
})

it('asked for, a delivered event is sent again under its id, and a failed one at once instead of later', async () => {
  await invoice()
  const [delivered] = await untilListed(([first]) => first?.status === 'delivered')
  const retry = (delivery: string) => sandbox.done('POST', `${path}/${id}/deliveries/${delivery}/retry`)
  await retry(delivered!.id)
  await untilListed(([first]) => first?.attempts === 2)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([
    delivered!.id,
    delivered!.id,
  ])

  receiver.status = 500
  await invoice()
  const [failed] = await untilListed(listed => listed.length === 2)
  expect(Date.parse(failed!.nextRetryAt!) - Date.now()).toBeGreaterThan(20_000)
  receiver.status = 200
  await retry(failed!.id)
  const [mended] = await untilListed(([first]) => first?.attempts === 2)
  expect(mended).toMatchObject({ id: failed!.id, status: 'delivered' })
  expect(mended).not.toHaveProperty('nextRetryAt')
  expect(await queued()).toEqual([])
})

it('a sandbox that is reset keeps its webhooks and forgets what they were told and had to be told', async () => {
  await invoice()
  await untilListed(([first]) => first?.status === 'delivered')
  receiver.status = 500
  await invoice()
  await untilListed(listed => listed.length === 2)
  await sandbox.done('POST', '/api/v1/sandbox/reset')
  expect(await deliveries()).toEqual([])
  expect(await queued()).toEqual([])
  expect(await sandbox.done('GET', `${path}/${id}`)).toMatchObject({ enabled: true, url: receiver.url })
  receiver.status = 200
  const afresh = await invoice()
  await eventually(receivedInvoiceIds, ids => ids.length === 3)
  expect(receivedInvoiceIds()[2]).toBe(afresh)
  await untilListed(listed => listed.length === 1)
})

it('what a closed company would be told waits without using up an attempt, and is told when it is open again', async () => {
  receiver.status = 500
  await invoice()
  await untilListed(([first]) => first?.attempts === 1)
  const [tenant] = await installation.sql<{ company_id: string }>(
    'select company_id from tenants where id = $1',
    [sandbox.tenantId],
  )
  const becomeDue = async () => {
    for (const table of ['webhook_queue set due_at', 'webhook_endpoints set wake_at'])
      await installation.sql(`update ${table} = clock_timestamp() where tenant_id = $1`, [sandbox.tenantId])
  }
  await switchCompany(installation, tenant!.company_id, false)
  await becomeDue()
  await eventually(
    () =>
      installation.sql<{ is_later: boolean }>(
        `select wake_at > clock_timestamp() + interval '50 minutes' as is_later from webhook_endpoints where tenant_id = $1`,
        [sandbox.tenantId],
      ),
    ([endpoint]) => endpoint!.is_later,
  )
  expect(receiver.received).toHaveLength(1)
  await switchCompany(installation, tenant!.company_id, true)
  receiver.status = 204
  await becomeDue()
  await untilListed(([first]) => first?.status === 'delivered')
  expect((await deliveries())[0]).toMatchObject({ attempts: 2 })
})
