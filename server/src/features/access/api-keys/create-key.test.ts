import { expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { scopes } from '../scopes.ts'
import { maskKey } from './key-format.ts'

const installation = useInstallation({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
const keys = keyCalls(installation)

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

it('a new key is a UUID, the whole key and its masked form, and works at once', async () => {
  const answer = await keys.create({ name: 'Billing' })
  expect(answer.status, answer.text).toBe(201)
  const { data } = answer.body
  expect(data).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    apiKey: expect.stringMatching(/^fk_live_e1[0-9A-Za-z]{65}$/),
    prefix: maskKey(data.apiKey),
    name: 'Billing',
    scopes,
    environment: 'production',
    ipWhitelist: [],
    expiresAt: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect((answer.body as { message?: string }).message).toMatch(/shown this once/)
  expect(await keys.tryKey(data.apiKey)).toBe(200)
})

it('keys live in real time, also where the tenant’s clock is elsewhere', async () => {
  const before = Date.now()
  const { createdAt } = await keys.newKey({}, { key: installation.company.sandboxKey })
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now())
})

it('duplicates are stored once, in one order and one spelling', async () => {
  const made = await keys.newKey({
    scopes: ['payments:read', 'invoices:read', 'payments:read'],
    ipWhitelist: ['192.0.2.7/32', '::ffff:192.0.2.7', '2001:DB8::0/64', '192.0.2.7', '2001:db8::/64'],
    expiresAt: '2099-01-01T01:00:00+01:00',
    environment: 'production',
  })
  expect(made).toMatchObject({
    scopes: ['invoices:read', 'payments:read'],
    ipWhitelist: ['192.0.2.7', '2001:db8::/64'],
    expiresAt: '2099-01-01T00:00:00.000Z',
  })
  const { apiKey: _, ...masked } = made
  expect((await keys.list())[0]).toEqual({ ...masked, enabled: true, lastUsedAt: null })
})

it('null is the same as nothing said', async () => {
  const nothing = { scopes: null, ipWhitelist: null, expiresAt: null, environment: null }
  expect(await keys.newKey(nothing)).toMatchObject({ scopes, ipWhitelist: [], expiresAt: null })
})

it.each([
  ['no scope at all', { scopes: [] }, 'scopes'],
  ['a scope nobody knows', { scopes: ['invoices:read', 'invoices:all'] }, 'scopes[1]'],
  ['one scope, not in a list', { scopes: 'invoices:read' }, 'scopes'],
  ['an address with a shorter length', { ipWhitelist: ['192.0.2.7/24'] }, 'ipWhitelist[0]'],
  ['a host name', { ipWhitelist: ['192.0.2.7', 'localhost'] }, 'ipWhitelist[1]'],
  ['a number for an address', { ipWhitelist: [7] }, 'ipWhitelist[0]'],
  ['101 addresses', { ipWhitelist: Array(101).fill('192.0.2.7') }, 'ipWhitelist'],
  ['4,000 addresses that are none', { ipWhitelist: Array(4_000).fill('') }, 'ipWhitelist'],
  ['an endless address', { ipWhitelist: ['1'.repeat(100_000)] }, 'ipWhitelist[0]'],
  ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['an end without a time', { expiresAt: '2099-01-01' }, 'expiresAt'],
  ['an end in milliseconds', { expiresAt: 4_070_908_800_000 }, 'expiresAt'],
  ['no end, in the words of a database', { expiresAt: 'infinity' }, 'expiresAt'],
  ['the sandbox, from production', { environment: 'sandbox' }, 'environment'],
  ['an environment nobody knows', { environment: 'staging' }, 'environment'],
  ['101 characters of name', { name: 'x'.repeat(101) }, 'name'],
  ['a name of spaces', { name: '   ' }, 'name'],
  ['somebody else’s tenant', { tenantId: '00000000-0000-0000-0000-000000000000' }, 'tenantId'],
])('%s: VAL_001, and the field is named', async (_what, fault, field) => {
  const answer = await keys.create({ name: 'Faulty', ...fault })
  expect(refusal(answer)).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.map(detail => detail.field)).toEqual([field])
})

it('an address with a length that cuts through it is refused, and the range it may have meant is named', async () => {
  const answer = await keys.create({ name: 'Faulty', ipWhitelist: ['192.0.2.7/24'] })
  expect(answer.body.error.details![0]!.message).toContain('192.0.2.0/24')
})

it('a whitelist that lets everybody in is taken with a warning, and one that does not without', async () => {
  const everybody = await keys.create({ name: 'Open', ipWhitelist: ['::/0', '0.0.0.0/0'] })
  expect([everybody.status, everybody.body.warnings?.map(({ code }) => code)]).toEqual([
    201,
    ['whitelist_open'],
  ])
  expect((await keys.create({ name: 'Half', ipWhitelist: ['0.0.0.0/1'] })).body.warnings).toBeUndefined()
})

it('a key with a whitelist is accepted only from there, in whatever notation the address comes', async () => {
  const { apiKey } = await keys.newKey({ ipWhitelist: ['192.0.2.0/24', '2001:db8:7::/48'] })
  for (const from of [
    '192.0.2.9',
    '::ffff:192.0.2.9',
    '::FFFF:192.0.2.9',
    '::ffff:c000:209',
    '2001:DB8:7:0::1',
  ])
    expect(await keys.tryKey(apiKey, from), from).toBe(200)
  for (const from of [
    '192.0.3.9',
    '::ffff:192.0.3.9',
    '2001:db8:8::1',
    '::c000:209',
    'nonsense',
    '192.0.2.9:80',
  ])
    expect(await keys.tryKey(apiKey, from), from).toBe('AUTH_005')
})

it('a key is dead from the moment it expires', async () => {
  const { apiKey } = await keys.newKey({ expiresAt: new Date(Date.now() + 1_200).toISOString() })
  expect(await keys.tryKey(apiKey)).toBe(200)
  await new Promise(resolve => setTimeout(resolve, 1_300))
  expect(await keys.tryKey(apiKey)).toBe('AUTH_002')
})

it('a hundred keys may be enabled and no more, however many are asked for at once', async () => {
  const company = await installation.server.createCompany({
    name: 'Beaucoup de clés',
    ownerEmail: 'cles@beaucoup.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  const as = { key: company.productionKey }
  for (let i = 0; i < 95; i++) await keys.newKey({}, as)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => keys.create({ name: `At once ${i}` }, as)),
  )
  // The first key of the company is one of the hundred.
  expect(answers.filter(answer => answer.status === 201)).toHaveLength(4)
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(refusal(answer)).toEqual([409, 'RES_003'])
    expect(answer.body.error.message).toContain('delete')
  }
  const [row] = await installation.sql<{ n: string }>(
    'select count(*) as n from api_keys where tenant_id = $1 and enabled',
    [company.tenants.production],
  )
  expect(row!.n).toBe('100')
  const [newest] = await keys.list(as)
  expect((await keys.rotate(newest!.id, as)).status).toBe(200)
  expect((await keys.remove(newest!.id, as)).status).toBe(204)
  expect(refusal(await keys.create({ name: 'One more' }, as))).toEqual([409, 'RES_003'])
  const [next] = await keys.list(as)
  expect((await keys.remove(next!.id, as)).status).toBe(204)
  expect((await keys.create({ name: 'One more' }, as)).status).toBe(201)
  // The other environment counts for itself.
  expect((await keys.create({ name: 'Sandbox' }, { key: company.sandboxKey })).status).toBe(201)
})

it('an answer with a key in it is stored sealed, is repeated byte for byte, and to no other client', async () => {
  const headers = { 'idempotency-key': 'deploy-1' }
  const body = { name: 'Once', expiresAt: inAnHour() }
  const first = await keys.create(body, { headers })
  const again = await keys.create(body, { headers })
  expect([again.status, again.text]).toEqual([201, first.text])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const stored = await installation.sql<{ body: string; is_sealed: boolean }>(
    'select body, is_sealed from idempotency_keys',
  )
  expect(stored.some(({ is_sealed }) => is_sealed)).toBe(true)
  for (const row of stored) {
    expect(row.body).not.toContain(first.body.data.apiKey)
    expect(row.body).not.toContain('fk_live_')
  }
  const colleague = await keys.newKey({ name: 'Colleague' })
  const other = await keys.create(body, { headers, key: colleague.apiKey })
  expect(other.status).toBe(201)
  expect(other.headers.has('idempotent-replayed')).toBe(false)
  expect(other.body.data.id).not.toBe(first.body.data.id)
  expect(other.text).not.toContain(first.body.data.apiKey)
  const differing = await keys.create({ ...body, name: 'Twice' }, { headers })
  expect(refusal(differing)).toEqual([409, 'RES_003'])
  expect(differing.text).not.toContain('fk_live_')
})

it('a key is in its one answer and nowhere in the database, sealed answers and events included', async () => {
  const headers = { 'idempotency-key': 'deploy-2' }
  const made = await keys.newKey({ name: 'Secret' }, { headers })
  const rotated = (await keys.rotate(made.id, { headers })).body.data
  const tables = await installation.sql<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const found: string[] = []
  // Prefix and lookup are public; the secret part and the key as a whole are not.
  for (const { apiKey } of [made, rotated])
    for (const { name } of tables)
      for (const secret of [apiKey, apiKey.slice(26, 69), apiKey.slice(30, 50)])
        if (
          (await installation.sql(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [secret]))
            .length > 0
        )
          found.push(name)
  expect(found).toEqual([])
  // The guard would see it.
  expect(
    await installation.sql(`select 1 from api_keys t where t::text like '%' || $1 || '%'`, [
      made.apiKey.slice(10, 26),
    ]),
  ).toHaveLength(1)
})
