import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Installation, startInstallation } from '../../../dev/installation.ts'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { scopes } from '../../../src/features/access/scopes.ts'
import type { Scope } from '../../../src/kit/actor.ts'
import { keyCalls, type NewKey, refusal } from '../../harness/keys.ts'
import { type ApiResponse, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
const keys = keyCalls(installation)

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A company that nobody else touches, in both environments, and its first keys by id. */
async function newCompany(): Promise<CreatedCompany & { ids: Record<'production' | 'sandbox', string> }> {
  const company = await installation.server.createCompany({
    name: 'Autre maison',
    ownerEmail: 'autre@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
  const firstOf = async (key: string) => (await keys.list({ key })).at(-1)!.id
  const ids = {
    production: await firstOf(company.productionKey),
    sandbox: await firstOf(company.sandboxKey),
  }
  return { ...company, ids }
}

/** Everything about the keys of some tenants, but for when they were used. */
const rowsOf = (tenants: string[]) =>
  installation.sql(
    `select to_jsonb(k) - 'last_used_at' as row from api_keys k where tenant_id = any ($1) order by id`,
    [tenants],
  )

describe('a key with nothing but webhooks:manage', () => {
  let manager: NewKey
  let mighty: NewKey
  beforeAll(async () => {
    manager = await keys.newKey({ name: 'Manager', scopes: ['webhooks:manage'] })
    mighty = await keys.newKey({ name: 'Mighty' })
  })
  const asManager = () => ({ key: manager.apiKey })

  it('makes keys with webhooks:manage, by default and when asked to', async () => {
    expect((await keys.newKey({}, asManager())).scopes).toEqual(['webhooks:manage'])
    expect((await keys.newKey({ scopes: ['webhooks:manage'] }, asManager())).scopes).toEqual([
      'webhooks:manage',
    ])
  })

  it.each(scopes.filter(scope => scope !== 'webhooks:manage'))('makes none with %s', async scope => {
    for (const asked of [[scope], ['webhooks:manage', scope], [...scopes]] as Scope[][]) {
      const answer = await keys.create({ name: 'More', scopes: asked }, asManager())
      expect(refusal(answer)).toEqual([403, 'AUTH_004'])
      expect(answer.body.error.requiredScopes).toEqual(
        scopes.filter(each => each === 'webhooks:manage' || asked.includes(each)),
      )
    }
  })

  it('climbs no higher through its children, nor through their rotation', async () => {
    const child = await keys.newKey({}, asManager())
    const grandchild = (await keys.rotate(child.id, { key: child.apiKey })).body.data
    expect(grandchild.scopes).toEqual(['webhooks:manage'])
    const answer = await keys.create({ name: 'More', scopes: ['invoices:read'] }, { key: grandchild.apiKey })
    expect(refusal(answer)).toEqual([403, 'AUTH_004'])
    const read = await installation.call('GET', '/api/v1/invoices', { key: grandchild.apiKey })
    expect(refusal(read)).toEqual([403, 'AUTH_004'])
  })

  it('neither rotates nor deletes a key that can do more, dead or alive, and that key goes on working', async () => {
    for (const answer of [
      await keys.rotate(mighty.id, asManager()),
      await keys.remove(mighty.id, asManager()),
    ]) {
      expect(refusal(answer)).toEqual([403, 'AUTH_004'])
      expect(answer.body.error.requiredScopes).toEqual(scopes)
      expect(answer.text).not.toContain('apiKey')
    }
    expect(await keys.tryKey(mighty.apiKey)).toBe(200)
    const dead = await keys.newKey()
    await keys.remove(dead.id)
    expect(refusal(await keys.rotate(dead.id, asManager()))).toEqual([403, 'AUTH_004'])
    expect(refusal(await keys.remove(dead.id, asManager()))).toEqual([403, 'AUTH_004'])
  })

  it('sees every key of its tenant masked, and reads the secret of none again', async () => {
    const answer = await installation.call<NewKey[]>('GET', '/api/v1/api-keys', { key: manager.apiKey })
    const listed = answer.body.data
    expect(listed.map(key => key.id)).toEqual(expect.arrayContaining([manager.id, mighty.id]))
    for (const key of listed)
      expect(Object.keys(key).sort()).toEqual(
        [
          'id',
          'prefix',
          'name',
          'scopes',
          'environment',
          'ipWhitelist',
          'expiresAt',
          'createdAt',
          'enabled',
          'lastUsedAt',
        ].sort(),
      )
    expect(answer.text).not.toMatch(/fk_(live|test)_[0-9A-Za-z]{10}/)
    expect(refusal(await installation.call('GET', `/api/v1/api-keys/${mighty.id}`))).toEqual([405, 'RES_001'])
  })
})

describe('across environments and companies', () => {
  it('a sandbox key makes none for production: AUTH_007; a production key none for the sandbox: VAL_001', async () => {
    const { sandboxKey, productionKey } = installation.company
    const up = await keys.create({ name: 'Up', environment: 'production' }, { key: sandboxKey })
    expect(refusal(up)).toEqual([403, 'AUTH_007'])
    const down = await keys.create({ name: 'Down', environment: 'sandbox' }, { key: productionKey })
    expect(refusal(down)).toEqual([400, 'VAL_001'])
    const own = await keys.newKey({ environment: 'sandbox' }, { key: sandboxKey })
    expect([own.environment, own.apiKey.slice(0, 8)]).toEqual(['sandbox', 'fk_test_'])
    const [row] = await installation.sql<{ tenant_id: string }>(
      'select tenant_id from api_keys where id = $1',
      [own.id],
    )
    expect(row!.tenant_id).toBe(installation.company.tenants.sandbox)
  })

  it('the keys of another company and of the other environment are as if they never were', async () => {
    const stranger = await newCompany()
    const tenants = [...Object.values(stranger.tenants), installation.company.tenants.sandbox]
    const ownSandboxKeyId = (await keys.list({ key: installation.company.sandboxKey })).at(-1)!.id
    const before = await rowsOf(tenants)
    const comparable = (answer: Awaited<ReturnType<typeof keys.remove>>) => ({
      ...answer.body,
      requestId: '',
      timestamp: '',
    })
    for (const call of [keys.rotate, keys.remove]) {
      const missing = await call('01930000-0000-7000-8000-000000000001')
      expect(refusal(missing)).toEqual([404, 'RES_001'])
      for (const id of [stranger.ids.production, stranger.ids.sandbox, ownSandboxKeyId])
        expect(comparable((await call(id)) as never)).toEqual(comparable(missing as never))
    }
    const listed = (await keys.list()).map(key => key.id)
    for (const id of [stranger.ids.production, stranger.ids.sandbox, ownSandboxKeyId])
      expect(listed).not.toContain(id)
    expect(await rowsOf(tenants)).toEqual(before)
    expect(await keys.tryKey(stranger.productionKey)).toBe(200)
  })
})

describe('a key that expires', () => {
  it('makes keys that expire with it or before, and none that outlives it', async () => {
    const expiresAt = inHours(2)
    const parent = await keys.newKey({ expiresAt })
    const as = { key: parent.apiKey }
    for (const body of [{}, { expiresAt: null }, { expiresAt }])
      expect((await keys.newKey(body, as)).expiresAt).toBe(expiresAt)
    const sooner = inHours(1)
    expect((await keys.newKey({ expiresAt: sooner }, as)).expiresAt).toBe(sooner)
    for (const later of [new Date(Date.parse(expiresAt) + 1).toISOString(), '2100-01-01T00:00:00Z']) {
      const answer = await keys.create({ name: 'Longer', expiresAt: later }, as)
      expect(refusal(answer)).toEqual([403, 'AUTH_004'])
      expect(answer.body.error.message).toContain(expiresAt)
      expect(answer.body.error.requiredScopes).toBeUndefined()
    }
  })

  it('rotates none that outlives it, but may delete one: stopping a leak gives nobody power', async () => {
    const parent = await keys.newKey({ expiresAt: inHours(1) })
    const as = { key: parent.apiKey }
    for (const expiresAt of [null, inHours(2)]) {
      const { id, apiKey } = await keys.newKey({ expiresAt })
      expect(refusal(await keys.rotate(id, as))).toEqual([403, 'AUTH_004'])
      expect(await keys.tryKey(apiKey)).toBe(200)
      expect((await keys.remove(id, as)).status).toBe(204)
      expect(await keys.tryKey(apiKey)).toBe('AUTH_002')
    }
  })
})

describe('a key with a whitelist', () => {
  let parent: NewKey
  beforeAll(async () => {
    parent = await keys.newKey({ ipWhitelist: ['192.0.2.0/24', '2001:db8:1::/48'] })
  })
  const asParent = () => ({ key: parent.apiKey, from: '192.0.2.10' })

  it('makes keys for the same addresses unless told otherwise, and for some of them', async () => {
    for (const body of [{}, { ipWhitelist: null }])
      expect((await keys.newKey(body, asParent())).ipWhitelist).toEqual(['192.0.2.0/24', '2001:db8:1::/48'])
    const within = ['192.0.2.7', '192.0.2.128/25', '::ffff:192.0.2.9', '2001:db8:1:5::/64']
    const child = await keys.newKey({ ipWhitelist: within }, asParent())
    expect(child.ipWhitelist).toEqual(['192.0.2.7', '192.0.2.128/25', '192.0.2.9', '2001:db8:1:5::/64'])
    expect(await keys.tryKey(child.apiKey, '192.0.2.9')).toBe(200)
    expect(await keys.tryKey(child.apiKey, '192.0.2.10')).toBe('AUTH_005')
  })

  it.each([
    ['no whitelist at all', []],
    ['a wider range', ['192.0.2.0/23']],
    ['every IPv4 address', ['0.0.0.0/0']],
    ['every IPv6 address', ['::/0']],
    ['every IPv4 address in the words of IPv6', ['::ffff:0:0/96']],
    ['an address outside, in the words of IPv6', ['::ffff:198.51.100.1']],
    ['one inside and one outside', ['192.0.2.7', '198.51.100.1']],
    ['a neighbour', ['2001:db8:2::/48']],
    ['the same digits in the other family', ['::c000:200/120']],
  ])('makes none for %s', async (_what, ipWhitelist) => {
    const answer = await keys.create({ name: 'Further', ipWhitelist }, asParent())
    expect(refusal(answer)).toEqual([403, 'AUTH_004'])
    expect(answer.body.error.message).toContain('whitelist')
  })

  it('rotates none that is used from elsewhere, and rotates those within', async () => {
    for (const ipWhitelist of [[], ['198.51.100.1'], ['192.0.2.7', '198.51.100.1']]) {
      const { id } = await keys.newKey({ ipWhitelist })
      expect(refusal(await keys.rotate(id, asParent()))).toEqual([403, 'AUTH_004'])
    }
    const { id } = await keys.newKey({ ipWhitelist: ['192.0.2.7'] })
    expect((await keys.rotate(id, asParent())).body.data.ipWhitelist).toEqual(['192.0.2.7'])
  })
})

describe('with a second api process on the same database', () => {
  let other: Installation
  beforeAll(async () => {
    other = await startInstallation({
      database: installation.database,
      redisUrl: inject('redisUrl') || undefined,
      logLevel: 'silent',
      env: { KEYRING: installation.server.config.KEYRING! },
    })
  })
  afterAll(() => other.stop())

  const there = async (key: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(other.baseUrl + path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      body: JSON.parse((await response.text()) || '{}') as ApiResponse['body'],
    }
  }

  it('a key revoked or rotated here is refused there from the first call on, fifty times over', async () => {
    let accepted = 0
    for (let round = 0; round < 50; round++) {
      const { id, apiKey } = await keys.newKey({ name: `Round ${round}` })
      expect((await there(apiKey, 'GET', '/api/v1/api-keys?limit=1')).status).toBe(200)
      if (round % 2 === 0) expect((await keys.remove(id)).status).toBe(204)
      else await keys.remove((await keys.rotate(id)).body.data.id)
      const answers = await Promise.all([
        there(apiKey, 'GET', '/api/v1/api-keys?limit=1'),
        there(apiKey, 'GET', '/api/v1/invoices?limit=1'),
        there(apiKey, 'POST', '/api/v1/invoices', invoiceInput()),
        there(apiKey, 'POST', '/api/v1/api-keys', { name: 'Too late' }),
        there(apiKey, 'DELETE', `/api/v1/api-keys/${id}`),
      ])
      for (const answer of answers) {
        if (answer.status < 400) accepted++
        else expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_002'])
      }
    }
    expect(accepted).toBe(0)
  })

  it('what a key gave out while it was being revoked is in the list by then, or was never given', async () => {
    let given = 0
    for (let round = 0; round < 20; round++) {
      const { id, apiKey } = await keys.newKey({ name: `Leaked ${round}` })
      expect((await there(apiKey, 'GET', '/api/v1/api-keys?limit=1')).status).toBe(200)
      const asked = Array.from({ length: 4 }, () =>
        there(apiKey, 'POST', '/api/v1/api-keys', { name: `Offspring ${round}` }),
      )
      expect((await keys.remove(id)).status).toBe(204)
      const seen = (await keys.list()).filter(key => key.name === `Offspring ${round}`).map(key => key.id)
      for (const answer of await Promise.all(asked)) {
        if (answer.status === 201) {
          given++
          expect(seen).toContain(answer.body.data.id)
        } else expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_002'])
      }
      for (const child of seen) await keys.remove(child)
    }
    // Otherwise the race was never run.
    expect(given).toBeGreaterThan(0)
  })
})
