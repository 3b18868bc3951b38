import { expect, it } from 'vitest'
import { version } from '../../src/kit/version.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const create = (options: { key?: string | null; headers?: Record<string, string> } = {}) =>
  installation.call<{ id: string; createdAt: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    ...options,
  })

it('a success carries success, data, requestId and timestamp, and nothing else', async () => {
  const { body } = await create()
  expect(Object.keys(body).sort()).toEqual(['data', 'requestId', 'success', 'timestamp'])
  expect(body.success).toBe(true)
  expect(body.timestamp).toMatch(instant)
})

it('a refusal carries success, error with code and message, requestId and timestamp, and no data', async () => {
  const { body } = await installation.call('GET', '/api/v1/invoices?limit=0')
  expect(Object.keys(body).sort()).toEqual(['error', 'requestId', 'success', 'timestamp'])
  expect(body.success).toBe(false)
  expect(body.error).toMatchObject({ code: 'VAL_002', message: expect.stringMatching(/\S/) })
})

it.each(['/api/v1/invoices', '/api/v1/debtors', '/api/v1/payments'])(
  'a page of %s says page, limit, total, totalPages, hasNext and hasPrev',
  async path => {
    for (let i = 0; i < 3; i++) {
      const { id } = (await create()).body.data
      const body = { invoiceId: id, amountCents: 100, method: 'card' }
      await installation.call('POST', '/api/v1/payments', { body })
    }
    const total = (await installation.call('GET', path)).body.pagination.total
    expect(total).toBeGreaterThanOrEqual(3)
    const at = async (page: number) =>
      (await installation.call('GET', `${path}?limit=2&page=${page}`)).body.pagination
    const totalPages = Math.ceil(total / 2)
    expect(await at(1)).toEqual({
      page: 1,
      limit: 2,
      total,
      totalPages,
      hasNext: true,
      hasPrev: false,
      nextCursor: expect.any(String),
    })
    expect(await at(totalPages)).toMatchObject({ page: totalPages, hasNext: false, hasPrev: true })
  },
)

it('every answer carries a request id of its own, or the one it was given', async () => {
  const [first, second] = [await create(), await create()]
  expect(first.body.requestId).not.toBe(second.body.requestId)
  expect(first.headers.get('x-request-id')).toBe(first.body.requestId)
  const given = await installation.call('GET', '/api/v1/invoices?limit=0', {
    headers: { 'x-request-id': 'mine-1' },
  })
  expect([given.headers.get('x-request-id'), given.body.requestId]).toEqual(['mine-1', 'mine-1'])
})

it('identifiers are UUIDs and moments are ISO 8601 in UTC', async () => {
  const { data } = (await create()).body
  expect(data.id).toMatch(uuid)
  expect(data.debtor.id).toMatch(uuid)
  expect(data.createdAt).toMatch(instant)
  const body = { invoiceId: data.id, amountCents: 100, method: 'card' }
  const payment = await installation.call<{ id: string; paidAt: string }>('POST', '/api/v1/payments', {
    body,
  })
  expect(payment.body.data.id).toMatch(uuid)
  expect(payment.body.data.paidAt).toMatch(instant)
})

it.each([
  ['starter', '60', '9999'],
  ['pro', '300', '99999'],
  ['enterprise', '1000', 'unlimited'],
] as const)(
  'a %s company has %s requests a minute, and after the first %s of the day',
  async (tier, perMinute, left) => {
    const { productionKey: key } = await installation.server.createCompany({
      name: tier,
      ownerEmail: `owner@${tier}.example`,
      tier,
    })
    const { headers } = await installation.call('GET', '/api/v1/invoices', { key })
    expect(headers.get('x-ratelimit-limit')).toBe(perMinute)
    expect(headers.get('x-ratelimit-remaining')).toBe(String(Number(perMinute) - 1))
    expect(headers.get('x-ratelimit-daily-remaining')).toBe(left)
    const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
    expect(reset).toBeGreaterThan(-2)
    expect(reset).toBeLessThanOrEqual(60)
  },
)

it('the limits are told on every answer: a success, each kind of refusal, an unknown path', async () => {
  const answers = [
    await create(),
    await create({ key: null }),
    await installation.call('GET', '/api/v1/invoices?limit=0'),
    await installation.call('GET', '/api/v1/invoices/no-uuid'),
    await installation.call('GET', '/api/v1/nothing'),
  ]
  expect(answers.map(answer => answer.status)).toEqual([201, 401, 400, 400, 404])
  for (const { headers } of answers)
    for (const name of ['limit', 'remaining', 'reset', 'daily-remaining'])
      expect(headers.get(`x-ratelimit-${name}`), name).toMatch(/^(\d+|unlimited)$/)
})

it('health says status, version and timestamp, outside the envelope and without a key', async () => {
  const answer = await installation.call('GET', '/health', { key: null })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ status: 'ok', version, timestamp: expect.stringMatching(instant) })
})

it('a body is taken as application/json and as nothing else', async () => {
  const raw = JSON.stringify(invoiceInput())
  const sent = async (type: string) =>
    installation.call('POST', '/api/v1/invoices', { raw, headers: { 'content-type': type } })
  const refused = await sent('text/plain')
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_004'])
  expect((await sent('application/json')).status).toBe(201)
})

it('a key that begins fk_live_ acts in production, one that begins fk_test_ in the sandbox', async () => {
  for (const [key, prefix, environment] of [
    [installation.company.productionKey, 'fk_live_', 'production'],
    [installation.company.sandboxKey, 'fk_test_', 'sandbox'],
  ] as const) {
    expect(key.startsWith(prefix)).toBe(true)
    const { id } = (await create({ key })).body.data
    const [row] = await installation.sql<{ tenant_id: string }>(
      'select tenant_id from invoices where id = $1',
      [id],
    )
    expect(row!.tenant_id).toBe(installation.company.tenants[environment])
  }
})

it('a replayed POST answers what the first answered and does nothing again', async () => {
  const options = { body: invoiceInput(), headers: { 'idempotency-key': 'conformance-1' } }
  const first = await installation.call('POST', '/api/v1/invoices', options)
  const again = await installation.call('POST', '/api/v1/invoices', options)
  expect([again.status, again.text]).toEqual([201, first.text])
  const rows = await installation.sql('select 1 from invoices where number = $1', [
    options.body.invoiceNumber,
  ])
  expect(rows).toHaveLength(1)
})
