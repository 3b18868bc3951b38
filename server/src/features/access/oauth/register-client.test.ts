import { expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import { type ListedClient, ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { scopes } from '../scopes.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

const input = (changes: Record<string, unknown> = {}) => ({
  name: 'Comptoir',
  redirectUris: ['https://app.example/callback'],
  scopes: ['invoices:read', 'invoices:write'],
  grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'],
  ...changes,
})

it('a client is registered with an id and a secret that carry the cell, and gets tokens at once', async () => {
  const answer = await oauth.register(input())
  expect(answer.status).toBe(201)
  const { clientId, clientSecret, createdAt, ...rest } = answer.body.data
  expect(clientId).toMatch(/^oc_e1[0-9A-Za-z]{20}$/)
  expect(clientSecret).toMatch(/^ocs_e1[0-9A-Za-z]{43}$/)
  expect(Date.parse(createdAt)).toBeGreaterThan(Date.now() - 60_000)
  expect(rest).toEqual({ ...input(), environment: 'production', enabled: true })
  expect((answer.body as unknown as { message: string }).message).toContain('shown this once')
  const token = await oauth.tokenOf(answer.body.data)
  expect((await oauth.call('GET', '/api/v1/invoices', undefined, { token })).status).toBe(200)
})

it('the secret is in its one answer and nowhere in the database, nor in any other answer', async () => {
  const { clientId, clientSecret } = await oauth.client()
  const [row] = await installation.sql<{ secret_hash: Buffer }>(
    'select secret_hash from oauth_clients where id = $1',
    [clientId],
  )
  expect(row!.secret_hash).toEqual(plainSha256(clientSecret))
  for (const table of ['oauth_clients', 'events', 'idempotency_keys']) {
    const rows = await installation.sql(`select t::text as row from ${table} t`)
    expect(JSON.stringify(rows)).not.toContain(clientSecret)
  }
  for (const path of ['/api/v1/oauth-clients', `/api/v1/oauth-clients/${clientId}`]) {
    const answer = await oauth.call('GET', path)
    expect(answer.text).toContain(clientId)
    expect(answer.text).not.toMatch(/secret/i)
  }
})

it('repeated with the same idempotency key it is one client, and its secret is stored encrypted', async () => {
  const headers = { 'idempotency-key': 'once' }
  const [first, again] = [
    await oauth.register(input({ name: 'Once' }), { headers }),
    await oauth.register(input({ name: 'Once' }), { headers }),
  ]
  expect(again.text).toBe(first.text)
  const [stored] = await installation.sql<{ n: number }>(
    `select count(*)::integer as n from oauth_clients where name = 'Once'`,
  )
  expect(stored!.n).toBe(1)
  const rows = await installation.sql<{ body: string }>('select body from idempotency_keys where is_sealed')
  expect(rows.some(({ body }) => body.includes(first.body.data.clientSecret))).toBe(false)
})

it('it belongs to the environment of the credential, and all its tokens act there', async () => {
  const client = await oauth.client({}, { key: installation.company.sandboxKey })
  expect(client.environment).toBe('sandbox')
  const token = await oauth.tokenOf(client)
  const made = await oauth.call<{ id: string }>('POST', '/api/v1/invoices', invoiceInput(), { token })
  expect(made.status, made.text).toBe(201)
  const at = `/api/v1/invoices/${made.body.data.id}`
  expect((await oauth.call('GET', at, undefined, { key: installation.company.sandboxKey })).status).toBe(200)
  expect((await oauth.call('GET', at)).status).toBe(404)
  expect((await oauth.call('GET', `/api/v1/oauth-clients/${client.clientId}`)).status).toBe(404)
})

it('scopes and grant types are stored once each and in one order, addresses letter by letter', async () => {
  const uris = [
    'https://App.example/Callback?a=%2f',
    'http://127.0.0.1:3000/',
    'https://App.example/Callback?a=%2f',
  ]
  const {
    scopes: stored,
    grantTypes,
    redirectUris,
  } = await oauth.client({
    scopes: ['debtors:read', 'invoices:read', 'debtors:read'],
    grantTypes: ['refresh_token', 'authorization_code'],
    redirectUris: uris,
  })
  expect(stored).toEqual(['invoices:read', 'debtors:read'])
  expect(grantTypes).toEqual(['authorization_code', 'refresh_token'])
  expect(redirectUris).toEqual(uris.slice(0, 2))
})

it.each([
  ['no name', { name: undefined }, 'VAL_003', 'name'],
  ['no scopes', { scopes: undefined }, 'VAL_003', 'scopes'],
  ['no grant types', { grantTypes: undefined }, 'VAL_003', 'grantTypes'],
  ['a code flow and no address', { redirectUris: undefined }, 'VAL_003', 'redirectUris'],
  ['a code flow and an empty list of addresses', { redirectUris: [] }, 'VAL_001', 'redirectUris'],
  [
    'eleven addresses',
    { redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
    'VAL_001',
    'redirectUris',
  ],
  [
    'an address that is none',
    { redirectUris: ['https://a.example/', 'http://a.example/'] },
    'VAL_001',
    'redirectUris[1]',
  ],
  ['an empty list of scopes', { scopes: [] }, 'VAL_001', 'scopes'],
  ['a scope there is not', { scopes: ['invoices:eat'] }, 'VAL_001', 'scopes[0]'],
  ['no grant at all', { grantTypes: [] }, 'VAL_001', 'grantTypes'],
  ['a grant there is not', { grantTypes: ['password'] }, 'VAL_001', 'grantTypes[0]'],
  [
    'a refresh token of nothing',
    { grantTypes: ['client_credentials', 'refresh_token'] },
    'VAL_001',
    'grantTypes',
  ],
  ['a name of 101 characters', { name: 'é'.repeat(101) }, 'VAL_001', 'name'],
  ['a secret of one’s own', { clientSecret: 'secret' }, 'VAL_001', 'clientSecret'],
])('%s is refused', async (_, changes, code, field) => {
  const answer = await oauth.register(input(changes))
  expect([answer.status, answer.body.error.code]).toEqual([400, code])
  expect(answer.body.error.details?.[0]?.field).toBe(field)
})

it('an application that acts for itself alone needs no address', async () => {
  const { redirectUris } = await oauth.client({
    redirectUris: undefined,
    grantTypes: ['client_credentials'],
  })
  expect(redirectUris).toEqual([])
})

it('nobody registers a client that can do more than they can', async () => {
  const manager = await keys.newKey({ scopes: ['webhooks:manage', 'invoices:read'] })
  const answer = await oauth.register(input(), { key: manager.apiKey })
  expect(refusal(answer)).toEqual([403, 'AUTH_004'])
  expect(answer.body.error.requiredScopes).toEqual(['invoices:read', 'invoices:write', 'webhooks:manage'])
  expect((await oauth.register(input({ scopes: ['invoices:read'] }), { key: manager.apiKey })).status).toBe(
    201,
  )
  const client = await oauth.client({ scopes: ['webhooks:manage'] })
  const token = await oauth.tokenOf(client)
  expect(refusal(await oauth.register(input({ scopes: ['invoices:read'] }), { token }))).toEqual([
    403,
    'AUTH_004',
  ])
  expect((await oauth.register(input({ scopes: ['webhooks:manage'] }), { token })).status).toBe(201)
})

it('a key that ends, or is bound to addresses, gives out no client that is neither', async () => {
  const { clientId } = await oauth.client()
  for (const limit of [
    { expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    { ipWhitelist: ['10.0.0.0/8'] },
  ]) {
    const { apiKey: key } = await keys.newKey(limit)
    for (const answer of [
      await oauth.register(input(), { key }),
      await oauth.rotate(clientId, { key }),
      await oauth.update(clientId, { name: 'Mine' }, { key }),
    ]) {
      expect(refusal(answer)).toEqual([403, 'AUTH_004'])
      expect(answer.text).not.toContain('clientSecret')
    }
    // What stops a leak is open to it.
    const doomed = await oauth.client()
    expect((await oauth.remove(doomed.clientId, { key })).status).toBe(204)
  }
})

it('the list has the newest first, by page and by cursor, and never another company’s', async () => {
  const company = await installation.server.createCompany({
    name: 'Autre maison',
    ownerEmail: 'autre@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  const key = company.productionKey
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.unshift((await oauth.client({ name: `Client ${i}` }, { key })).clientId)
  const seen = async (query: string) => {
    const answer = await oauth.call<ListedClient[]>('GET', `/api/v1/oauth-clients${query}`, undefined, {
      key,
    })
    expect(answer.status, answer.text).toBe(200)
    return { ids: answer.body.data.map(client => client.clientId), answer }
  }
  expect((await seen('')).ids).toEqual(made)
  const page = await seen('?limit=2&page=2')
  expect(page.ids).toEqual(made.slice(2, 4))
  expect(page.answer.body.pagination).toEqual({
    page: 2,
    limit: 2,
    total: 5,
    totalPages: 3,
    hasNext: true,
    hasPrev: true,
    nextCursor: expect.any(String),
  })
  const next = /^<([^>]+)>; rel="next"$/.exec(page.answer.headers.get('link') ?? '')![1]!
  expect((await seen(next.slice(next.indexOf('?')))).ids).toEqual(made.slice(4))
  const cursor = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  for (const bad of [
    ['created_at desc', 2, '2026-99-99T00:00:00.000Z', made[0]],
    ['created_at desc', 2, '2026-11-16T00:00:00.000Z', 'nobody'],
    ['id', 2, made[0]],
  ]) {
    const answer = await oauth.call('GET', `/api/v1/oauth-clients?cursor=${cursor(bad)}`, undefined, { key })
    expect(refusal(answer)).toEqual([400, 'VAL_002'])
  }
})

it('of a hundred and twenty at once a hundred are registered, and a deleted one makes room', async () => {
  const company = await installation.server.createCompany({
    name: 'Grande maison',
    ownerEmail: 'grande@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  const key = company.productionKey
  await installation.sql(
    `insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at)
     select 'oc_e1' || lpad(i::text, 20, '0'), $1, $2, 'production', 'Filler', '{}', '{invoices:read}', '{client_credentials}', '', $3, $3
       from generate_series(1, 90) i`,
    [company.tenants.production, company.companyId, new Date().toISOString()],
  )
  const answers = await Promise.all(Array.from({ length: 30 }, () => oauth.register(input(), { key })))
  expect(answers.map(answer => answer.status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 201),
    ...Array.from({ length: 20 }, () => 409),
  ])
  expect(answers.find(answer => answer.status === 409)!.body.error.code).toBe('RES_003')
  expect((await oauth.remove(`oc_e1${'1'.padStart(20, '0')}`, { key })).status).toBe(204)
  expect((await oauth.register(input(), { key })).status).toBe(201)
  expect((await oauth.register(input(), { key })).status).toBe(409)
})

it('somebody else’s client, one that never was and one in capitals are the same: there is none', async () => {
  const { clientId } = await oauth.client({}, { key: installation.company.sandboxKey })
  const own = await oauth.client()
  const capitals = own.clientId.slice(0, 5) + own.clientId.slice(5).toUpperCase()
  for (const id of [clientId, `oc_e1${'x'.repeat(20)}`, capitals]) {
    for (const answer of [
      await oauth.call('GET', `/api/v1/oauth-clients/${id}`),
      await oauth.update(id, { name: 'Mine' }),
      await oauth.rotate(id),
      await oauth.remove(id),
    ])
      expect(refusal(answer)).toEqual([404, 'RES_001'])
  }
  for (const id of ['oc_e1short', 'no-id', own.clientId.toUpperCase(), `${own.clientId}x`])
    expect(refusal(await oauth.update(id, { name: 'Mine' }))).toEqual([400, 'VAL_004'])
})

it('the owner’s own credential may give all there is', async () => {
  expect((await oauth.client({ scopes })).scopes).toEqual(scopes)
})
