import { beforeEach, expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { uuidv7 } from '../../../kit/uuid.ts'

// No worker: what is queued stays in the queue.
const installation = useInstallation({ hasWorker: false })
const path = '/api/v1/webhooks'

let sandbox: Sandbox
let id: string
beforeEach(async () => {
  sandbox = await newSandbox(installation)
  id = await subscribe()
})

const subscribe = async () =>
  (await sandbox.done<{ id: string }>('POST', path, { url: 'http://127.0.0.1:1/', events: ['debt.paid'] })).id

interface DeliveryFields {
  status?: 'delivered' | 'failed'
  isTest?: boolean
  /** Tried again at this moment. */
  dueAt?: number
}

/** Inserts a delivery as the worker writes it. */
async function insertDelivery(
  { status = 'delivered', isTest = false, dueAt }: DeliveryFields = {},
  webhook = id,
): Promise<string> {
  const [eventId, at] = [uuidv7(Date.now()), new Date().toISOString()]
  await installation.sql(
    `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, response_status, duration_ms,
       is_test, last_attempt_at, created_at) values ($1, $2, $3, 'debt.paid', $4, 2, $5, 31, $6, $7, $7)`,
    [sandbox.tenantId, webhook, eventId, status, status === 'delivered' ? 200 : 503, isTest, at],
  )
  if (dueAt !== undefined)
    await installation.sql(
      `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at) values ($1, $2, $3, $4, 2, $5)`,
      [sandbox.tenantId, webhook, eventId, new Date(dueAt).toISOString(), at],
    )
  return eventId
}

interface Listed {
  id: string
  nextRetryAt?: string
}
const listDeliveries = (query = '', webhook = id) =>
  sandbox.call<Listed[]>('GET', `${path}/${webhook}/deliveries${query}`)
const idsOf = async (query: string) => (await listDeliveries(query)).body.data.map(delivery => delivery.id)

it('a delivery is listed with every field, and with its next attempt only while one is planned', async () => {
  const dueAt = Date.now() + 3_600_000
  const [over, waiting] = [await insertDelivery(), await insertDelivery({ status: 'failed', dueAt })]
  const both = {
    eventType: 'debt.paid',
    attempts: 2,
    lastAttemptAt: expect.any(String),
    createdAt: expect.any(String),
    error: null,
    durationMs: 31,
    test: false,
  }
  expect((await listDeliveries()).body.data).toEqual([
    {
      id: waiting,
      status: 'failed',
      responseStatus: 503,
      nextRetryAt: new Date(dueAt).toISOString(),
      ...both,
    },
    { id: over, status: 'delivered', responseStatus: 200, ...both },
  ])
})

it('deliveries are paged by limit and offset, the newest first, twenty unless asked otherwise', async () => {
  const ids: string[] = []
  for (let i = 0; i < 23; i++) ids.unshift(await insertDelivery())
  expect(await idsOf('')).toEqual(ids.slice(0, 20))
  expect((await listDeliveries()).body.pagination).toEqual({ limit: 20, offset: 0, total: 23 })
  expect(await idsOf('?limit=5&offset=20')).toEqual(ids.slice(20))
  expect((await listDeliveries('?limit=5&offset=20')).body.pagination).toEqual({
    limit: 5,
    offset: 20,
    total: 23,
  })
  expect(await idsOf('?offset=500')).toEqual([])
  for (const query of ['?limit=101', '?limit=0', '?offset=-1', '?offset=x', '?status=pending', '?page=1'])
    expect((await listDeliveries(query)).body.error.code, query).toBe('VAL_002')
})

it('the filter by status counts and shows those alone, and a webhook shows no other’s deliveries', async () => {
  const failed = await insertDelivery({ status: 'failed' })
  const delivered = await insertDelivery()
  await insertDelivery({ status: 'failed' }, await subscribe())
  expect(await idsOf('?status=failed')).toEqual([failed])
  expect(await idsOf('?status=delivered')).toEqual([delivered])
  expect((await listDeliveries('?status=failed')).body.pagination.total).toBe(1)
  expect((await listDeliveries()).body.pagination.total).toBe(2)
})

it('they are counted up to 10,000, and beyond it is said that there are more', async () => {
  const [low] = await installation.sql<{ id: string }>(
    `select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)') as id
       from pg_inherits h join pg_class c on c.oid = h.inhrelid where h.inhparent = 'webhook_deliveries'::regclass
      order by 1 limit 1`,
  )
  await installation.sql(
    `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, last_attempt_at, created_at)
     select $1, $2, (left(replace($3, '-', ''), 12) || lpad(to_hex(i), 20, '0'))::uuid, 'debt.paid', 'delivered', 1, $4, $4
       from generate_series(1, 10001) i`,
    [sandbox.tenantId, id, low!.id, new Date().toISOString()],
  )
  expect((await listDeliveries()).body.pagination).toEqual({
    limit: 20,
    offset: 0,
    total: 10_000,
    totalIsExact: false,
  })
})

const retryDelivery = (delivery: string, webhook = id) =>
  sandbox.call<Listed>('POST', `${path}/${webhook}/deliveries/${delivery}/retry`)
const queued = (delivery: string) =>
  installation.sql<{ due_at: Date; attempts: number }>(
    'select due_at, attempts from webhook_queue where webhook_id = $1 and event_id = $2',
    [id, delivery],
  )

it('what is over is sent again in a new series, whether it was delivered or failed', async () => {
  for (const status of ['delivered', 'failed'] as const) {
    const delivery = await insertDelivery({ status })
    const answer = await retryDelivery(delivery)
    expect(answer.status).toBe(202)
    expect(answer.body.data).toMatchObject({ id: delivery, status, nextRetryAt: expect.any(String) })
    expect(await queued(delivery)).toMatchObject([{ attempts: 0 }])
  }
  const [endpoint] = await installation.sql<{ wake_at: Date }>(
    'select wake_at from webhook_endpoints where webhook_id = $1',
    [id],
  )
  expect(endpoint!.wake_at.getTime()).toBeLessThanOrEqual(Date.now())
})

it('what waits for its next attempt gets it now, and keeps its place in its series', async () => {
  const delivery = await insertDelivery({ status: 'failed', dueAt: Date.now() + 3_600_000 })
  expect((await retryDelivery(delivery)).status).toBe(202)
  const [row] = await queued(delivery)
  expect(row!.attempts).toBe(2)
  expect(row!.due_at.getTime()).toBeLessThanOrEqual(Date.now())
})

it('a test, a disabled webhook and another webhook’s delivery are refused, and nothing is queued', async () => {
  const verdict = async (delivery: string, webhook = id) => {
    const { status, body } = await retryDelivery(delivery, webhook)
    return [status, body.error.code, body.error.message]
  }
  expect(await verdict(await insertDelivery({ isTest: true }))).toEqual([
    409,
    'RES_003',
    expect.stringContaining('test'),
  ])
  const delivery = await insertDelivery()
  expect(await verdict(delivery, await subscribe())).toEqual([404, 'RES_001', expect.any(String)])
  expect(await verdict(uuidv7(Date.now()))).toEqual([404, 'RES_001', expect.any(String)])
  expect(await verdict(delivery, uuidv7(Date.now()))).toEqual([404, 'RES_001', expect.any(String)])
  await sandbox.done('PUT', `${path}/${id}`, { enabled: false })
  expect(await verdict(delivery)).toEqual([409, 'RES_003', expect.stringContaining('enable it first')])
  expect(
    await installation.sql('select 1 from webhook_queue where tenant_id = $1', [sandbox.tenantId]),
  ).toEqual([])
})
