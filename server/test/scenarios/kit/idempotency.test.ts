import pg from 'pg'
import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: { API_POOL: '3' } })

const post = (body: object, key: string) =>
  installation.call<{ id: string }>('POST', '/api/v1/invoices', { body, headers: { 'idempotency-key': key } })
const rowsOf = (number: string) => installation.sql('select id from invoices where number = $1', [number])

it('fifty parallel identical requests with one key: one effect, fifty equal answers', async () => {
  const body = invoiceInput()
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body, 'fifty')))
  expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([201]))
  expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
  expect(answers.filter(answer => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(49)
  expect(await rowsOf(body.invoiceNumber)).toHaveLength(1)
})

it('many different requests at once are each answered for themselves, a bad one failing alone', async () => {
  const bodies = Array.from({ length: 60 }, () => invoiceInput({ dueDate: '2026-12-01' }))
  const taken = bodies[7]!.invoiceNumber
  const answers = await Promise.all([
    ...bodies.map((body, i) => post(body, `many-${i}`)),
    post(invoiceInput({ debtor: { id: '00000000-0000-7000-8000-000000000000' } }), 'many-bad'),
  ])
  expect(answers.slice(0, 60).map(answer => answer.status)).toEqual(Array(60).fill(201))
  expect(answers[60]!.body.error.code).toBe('BIZ_003')
  expect(
    answers.slice(0, 60).map(answer => (answer.body.data as { invoiceNumber?: string }).invoiceNumber),
  ).toEqual(bodies.map(body => body.invoiceNumber))
  const again = await post(bodies[7]!, 'another-key')
  expect([again.status, again.body.error.code]).toEqual([409, 'RES_002'])
  expect(again.body.error.message).toContain(taken)
  expect(new Set(answers.map(answer => answer.body.requestId)).size).toBe(61)
})

it('a business refusal is an answer too: replayed, byte for byte', async () => {
  const body = invoiceInput()
  await post(body, 'first')
  const refused = await post(body, 'second')
  const replayed = await post(body, 'second')
  expect(refused.status).toBe(409)
  expect(replayed.text).toBe(refused.text)
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed.headers.get('x-request-id')).not.toBe(replayed.body.requestId)
})

it('a fault of form is not kept: the corrected request goes through with the same key', async () => {
  const body = invoiceInput()
  expect((await post({ ...body, amountCents: 0 }, 'corrected')).status).toBe(400)
  expect((await post(body, 'corrected')).status).toBe(201)
})

it('the same key with another body is a conflict, and so it is not kept', async () => {
  await post(invoiceInput(), 'conflict')
  const other = await post(invoiceInput(), 'conflict')
  expect([other.status, other.body.error.code]).toEqual([409, 'RES_003'])
})

it('a key belongs to one client, one path and one environment', async () => {
  const body = invoiceInput()
  await post(body, 'shared')
  const sandbox = await installation.call('POST', '/api/v1/invoices', {
    body,
    key: installation.company.sandboxKey,
    headers: { 'idempotency-key': 'shared' },
  })
  expect(sandbox.status).toBe(201)
  expect(sandbox.headers.get('idempotent-replayed')).toBeNull()
})

it('duplicates that wait hold no connection; after two seconds they are told to come back', async () => {
  // Another transaction holds the key's lock; the lock's hash is read from the stored first answer.
  const body = invoiceInput()
  await post(body, 'held')
  const [stored] = await installation.sql<{ key_hash: Buffer }>(
    'select key_hash from idempotency_keys order by created_at desc limit 1',
  )
  const holder = new pg.Client({ connectionString: installation.database.adminUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1::bigint)', [stored!.key_hash.readBigInt64BE(0).toString()])
  try {
    const waiting = Array.from({ length: 20 }, () => post(body, 'held'))
    await new Promise(resolve => setTimeout(resolve, 200))
    const started = performance.now()
    for (let i = 0; i < 10; i++)
      expect((await installation.call('GET', '/api/v1/invoices?limit=1')).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(1_500)
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(answer => `${answer.status} ${answer.body.error.code}`))).toEqual(
      new Set(['423 RES_004']),
    )
    expect(answers[0]!.headers.get('retry-after')).toBe('1')
  } finally {
    await holder.end()
  }
  expect((await post(body, 'held')).status).toBe(201)
})
