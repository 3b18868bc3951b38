import { expect, it } from 'vitest'
import { maskKey, newKey } from '../../../src/features/access/api-keys/key-format.ts'
import { scopes } from '../../../src/features/access/scopes.ts'
import { operations } from '../../../src/features/all.ts'
import { keyring } from '../../../src/kit/crypto.ts'
import { uuidv7 } from '../../../src/kit/uuid.ts'
import { serveOperation } from '../../conformance/serve-operation.ts'
import { switchCompany } from '../../harness/operator.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'stops or changes parts', env: { TRUSTED_PROXIES: '127.0.0.1' } })

async function keyWith(changes: {
  ipWhitelist?: string[]
  expiresAt?: string
}): Promise<{ key: string; id: string }> {
  const { text, lookup } = newKey('production', 'e1')
  const id = uuidv7(Date.now())
  await installation.sql(
    `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, ip_whitelist, expires_at, created_at)
     values ($1, $2, 'test', $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      installation.company.tenants.production,
      lookup,
      keyring(installation.server.config.KEYRING!).mac('api_key', text),
      maskKey(text),
      scopes,
      changes.ipWhitelist ?? [],
      changes.expiresAt ?? null,
      new Date().toISOString(),
    ],
  )
  return { key: text, id }
}
const get = (key: string, headers: Record<string, string> = {}) =>
  installation.call('GET', '/api/v1/invoices?limit=1', { key, headers })

it('a key with a whitelist is accepted only from its addresses, as the trusted proxy reports them', async () => {
  const { key } = await keyWith({ ipWhitelist: ['203.0.113.0/24', '2001:db8::7'] })
  expect((await get(key, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
  expect((await get(key, { 'x-forwarded-for': '2001:db8::7' })).status).toBe(200)
  const refused = await get(key, { 'x-forwarded-for': '198.51.100.9' })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_005'])
  // With a forged X-Forwarded-For chain the last address counts: the one the proxy saw.
  expect((await get(key, { 'x-forwarded-for': '203.0.113.9, 198.51.100.9' })).status).toBe(403)
})

it('an expired key, a disabled key and a disabled company are refused at once, cached or not', async () => {
  expect((await get((await keyWith({ expiresAt: '2020-01-01T00:00:00Z' })).key)).body.error.code).toBe(
    'AUTH_002',
  )
  const { key, id } = await keyWith({})
  expect((await get(key)).status).toBe(200)
  await installation.sql('update api_keys set enabled = false where id = $1', [id])
  expect((await get(key)).body.error.code).toBe('AUTH_002')
  await switchCompany(installation, installation.company.companyId, false)
  expect((await get(installation.company.productionKey)).body.error.code).toBe('AUTH_006')
  await switchCompany(installation, installation.company.companyId, true)
  expect((await get(installation.company.productionKey)).status).toBe(200)
})

it('in maintenance everything answers SYS_002 with Retry-After, but health', async () => {
  await installation.sql('update installation set maintenance_until = $1', [
    new Date(Date.now() + 60_000).toISOString(),
  ])
  const answer = await eventually(
    () => get(installation.company.productionKey),
    seen => seen.status === 503,
  )
  expect(answer.body.error.code).toBe('SYS_002')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(50)
  expect((await installation.call('GET', '/health', { key: null })).status).toBe(200)
  await installation.sql('update installation set maintenance_until = null')
  await eventually(
    () => get(installation.company.productionKey),
    seen => seen.status === 200,
  )
})

it('a body of more than 1 MB is VAL_005; bulk import takes up to 10 MB', async () => {
  const big = { ...invoiceInput(), description: 'x'.repeat(1_100_000) }
  const refused = await installation.call('POST', '/api/v1/invoices', { body: big })
  expect([refused.status, refused.body.error.code]).toEqual([413, 'VAL_005'])
  expect(
    (await installation.call('POST', '/api/v1/invoices/bulk', { body: { invoices: [big] } })).body.error.code,
  ).toBe('VAL_001')
  const huge = await installation.call('POST', '/api/v1/invoices/bulk', {
    body: { invoices: [{ ...big, description: 'x'.repeat(11_000_000) }] },
  })
  expect([huge.status, huge.body.error.code]).toEqual([413, 'VAL_005'])
})

it('a company that asks too much is told when to come back, with headers on every answer', async () => {
  const small = await installation.server.createCompany({
    name: 'Petite',
    ownerEmail: 'o@petite.example',
    tier: 'starter',
  })
  const answers = []
  for (let i = 0; i < 61; i++) answers.push(await get(small.productionKey))
  const last = answers.at(-1)!
  expect(answers[0]!.headers.get('x-ratelimit-limit')).toBe('60')
  if (last.status === 429) {
    expect(last.body.error.code).toBe('RATE_001')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  } else expect(Number(last.headers.get('x-ratelimit-remaining'))).toBeLessThan(60)
  for (const answer of answers) expect(answer.headers.get('x-ratelimit-daily-remaining')).toMatch(/^\d+$/)
  // Both environments have their own count.
  expect((await get(small.sandboxKey)).status).toBe(200)
})

it('an operation on its way out says so, and after its sunset answers SYS_003', async () => {
  const year = 366 * 86_400_000
  const base = operations.find(operation => operation.id === 'invoices.list')!
  let wall = Date.parse('2026-11-16T09:00:00Z')
  const retired = { deprecatedAt: wall, sunsetAt: wall + year, successor: '/api/v2/invoices' } as const
  const app = await serveOperation(base, { clock: { wall: () => wall }, retirements: { [base.id]: retired } })
  const before = await app.inject({
    method: 'GET',
    url: '/api/v1/invoices?limit=500',
    headers: { 'x-api-key': 'x' },
  })
  expect(before.statusCode).toBe(400)
  expect(before.headers.deprecation).toBe(`@${wall / 1000}`)
  expect(before.headers.sunset).toBe(new Date(wall + year).toUTCString())
  expect(before.headers.link).toBe('</api/v2/invoices>; rel="successor-version"')
  wall += year
  const after = await app.inject({ method: 'GET', url: '/api/v1/invoices', headers: { 'x-api-key': 'x' } })
  expect([after.statusCode, after.json().error.code]).toEqual([410, 'SYS_003'])
  await app.close()
})
