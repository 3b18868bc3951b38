import pg from 'pg'
import { expect, it } from 'vitest'
import { keyCalls } from '../../../../test/harness/keys.ts'
import { newSandbox } from '../../../../test/harness/sandbox.ts'
import {
  type ApiResponse,
  eventually,
  invoiceInput,
  useInstallation,
} from '../../../../test/harness/use-installation.ts'
import { useReceiver } from '../../../../test/harness/use-receiver.ts'

const installation = useInstallation()
const receiver = useReceiver()

interface Body {
  id: string
  event: string
  sequence: number
  data: { invoiceId: string }
}
type Feed = { limit: number; hasNext: boolean; nextCursor: string }

async function read(query: string, key: string) {
  const answer = (await installation.call('GET', `/api/v1/events${query}`, {
    key,
  })) as unknown as ApiResponse<Body[]>
  expect(answer.status, answer.text).toBe(200)
  return { bodies: answer.body.data, feed: answer.body.pagination as unknown as Feed, answer }
}

/** Reads from a cursor to the end. */
async function readAll(query: string, key: string, from?: string) {
  const bodies: Body[] = []
  let cursor = from
  for (;;) {
    const page = await read(`?${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`, key)
    bodies.push(...page.bodies)
    cursor = page.feed.nextCursor
    if (!page.feed.hasNext) return { bodies, cursor }
  }
}

it('the events can be read page by page, and each is exactly what a webhook gets', async () => {
  const key = installation.company.productionKey
  await installation.call('POST', '/api/v1/webhooks', {
    body: { url: receiver.url, events: ['invoice.created', 'workflow.started', 'debtor.contacted'] },
  })
  for (let i = 0; i < 3; i++) await installation.call('POST', '/api/v1/invoices', { body: invoiceInput() })
  await eventually(
    () => receiver.received.length,
    count => count === 9,
  )
  const types = 'types=invoice.created,workflow.started,debtor.contacted'
  // Open transactions of other databases of the server hold the list back.
  const { bodies } = await eventually(
    () => readAll(`limit=2&${types}`, key),
    found => found.bodies.length >= 9,
  )
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)
  const delivered = receiver.received.map(({ body }) => JSON.parse(String(body)) as Body)
  expect(bodies.toSorted(byId)).toEqual(delivered.toSorted(byId))
  for (const body of bodies) {
    const whole = receiver.received.find(one => JSON.parse(String(one.body)).id === body.id)!
    expect(JSON.stringify(body)).toBe(String(whole.body))
  }
})

it('a cursor goes on where it stopped: nothing comes twice, and what happens later comes then', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ dueDate: '2027-02-01' })
  const first = await eventually(
    () => readAll('limit=1', sandbox.key),
    found => found.bodies.length >= 2,
  )
  expect(first.bodies.map(({ event }) => event)).toContain('invoice.created')
  expect((await readAll('limit=100', sandbox.key, first.cursor)).bodies).toEqual([])
  const { feed } = await read('?start=now', sandbox.key)
  expect(feed).toEqual({ limit: 100, hasNext: false, nextCursor: expect.any(String) })
  const { id } = await sandbox.invoice({ dueDate: '2027-02-01' })
  for (const cursor of [first.cursor, feed.nextCursor]) {
    const later = await eventually(
      () => readAll('limit=100', sandbox.key, cursor),
      ({ bodies }) => bodies.length > 0,
    )
    expect(new Set(later.bodies.map(({ data }) => data.invoiceId))).toEqual(new Set([id]))
  }
})

it('no event is passed that may still commit: it waits behind the oldest open transaction', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ dueDate: '2027-02-01' })
  const { cursor } = await eventually(
    () => readAll('limit=100', sandbox.key),
    ({ bodies }) => bodies.length >= 2,
  )
  const late = new pg.Client({ connectionString: installation.database.adminUrl })
  await late.connect()
  try {
    await late.query('begin')
    const insert = `insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, occurred_at, recorded_at)
      select tenant_id, gen_random_uuid(), type, schema_version, subject_id, 1000, data, actor, occurred_at, recorded_at
        from events where subject_id = $1 and type = 'invoice.created'`
    // As a uuid of this week, so that it has a partition.
    await late.query(
      insert.replace('gen_random_uuid()', `(left(id::text, 14) || right(gen_random_uuid()::text, 22))::uuid`),
      [id],
    )
    const other = await sandbox.invoice({ dueDate: '2027-02-01' })
    expect((await readAll('limit=100', sandbox.key, cursor)).bodies).toEqual([])
    await late.query('commit')
    const { bodies } = await eventually(
      () => readAll('limit=100', sandbox.key, cursor),
      found => found.bodies.length >= 3,
    )
    expect(bodies[0]).toMatchObject({ event: 'invoice.created', sequence: 1000 })
    expect(bodies.slice(1).every(({ data }) => data.invoiceId === other.id)).toBe(true)
  } finally {
    await late.end()
  }
})

it('a caller gets the events whose read scope it has, and is refused those it names without', async () => {
  const { newKey } = keyCalls(installation)
  const { apiKey } = await newKey({ scopes: ['invoices:read'] })
  const { bodies } = await eventually(
    () => readAll('limit=100', apiKey),
    found => found.bodies.length > 0,
  )
  expect(bodies.length).toBeGreaterThan(0)
  expect(bodies.every(({ event }) => event.startsWith('invoice.'))).toBe(true)
  const refused = await installation.call('GET', '/api/v1/events?types=invoice.created,debtor.contacted', {
    key: apiKey,
  })
  expect(refused.status).toBe(403)
  expect(refused.body.error).toMatchObject({
    code: 'AUTH_004',
    requiredScopes: ['invoices:read', 'debtors:read'],
  })
  const none = await newKey({ scopes: ['reports:read'] })
  expect((await installation.call('GET', '/api/v1/events', { key: none.apiKey })).status).toBe(403)
})

it('the events of one invoice come in the order of their numbers, and another tenant has none of them', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ dueDate: '2027-02-01' })
  await sandbox.invoice({ dueDate: '2027-02-01' })
  const { bodies, cursor } = await readAll(`limit=1&invoiceId=${id}`, sandbox.key)
  expect(bodies.map(({ sequence }) => sequence)).toEqual(bodies.map((_, at) => at + 1))
  await sandbox.trigger(id, { action: 'pause' })
  const later = await readAll(`limit=1&invoiceId=${id}`, sandbox.key, cursor)
  expect(later.bodies.map(({ event }) => event)).toEqual(['workflow.paused'])
  const stranger = await read(`?invoiceId=${id}`, installation.company.productionKey)
  expect(stranger.bodies).toEqual([])
})

it.each([
  ['types=invoice.made', 'types'],
  ['cursor=abc', 'cursor'],
  ['limit=101', 'limit'],
  ['start=now&invoiceId=01930000-0000-7000-8000-000000000001', 'start'],
])('%s is refused: VAL_002 at %s', async (query, field) => {
  const answer = await installation.call('GET', `/api/v1/events?${query}`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({ code: 'VAL_002', details: [{ field }] })
})
