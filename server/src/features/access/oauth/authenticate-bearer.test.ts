import { createHmac, generateKeyPairSync, randomUUIDv7, sign as signWith } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../../../test/harness/keys.ts'
import { switchCompany } from '../../../../test/harness/operator.ts'
import { type NewClient, ownAddresses, randomAddress, tokenCalls } from '../../../../test/harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { keyring } from '../../../kit/crypto.ts'
import type { CreatedCompany } from '../companies/create-company.ts'
import { type Role, roles, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const oauth = tokenCalls(installation)

let client: NewClient
let second: CreatedCompany
beforeAll(async () => {
  client = await oauth.client()
  second = await installation.server.createCompany({
    name: 'Seconde maison',
    ownerEmail: 'seconde@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
})

const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** What signs, as only the server should be able to: for tokens that are right but for one thing. */
async function signingKey() {
  const [row] = await installation.sql<{ kid: string; private_sealed: string }>(
    `select kid, private_sealed from signing_keys where state = 'active'`,
  )
  const ring = keyring(installation.server.config.KEYRING!)
  return { kid: row!.kid, jwk: JSON.parse(ring.open(`signing key ${row!.kid}`, row!.private_sealed)) }
}

async function forgeToken(
  token: string,
  { header = {}, claims = {} }: { header?: Record<string, unknown>; claims?: Record<string, unknown> },
): Promise<string> {
  const [first, second] = token.split('.') as [string, string]
  const { jwk } = await signingKey()
  const newClaims = { ...decoded(second), ...claims }
  const body = `${encoded({ ...decoded(first), ...header })}.${encoded(newClaims)}`
  return `${body}.${signWith('sha256', Buffer.from(body), { key: jwk, format: 'jwk' }).toString('base64url')}`
}

const fetchPath = (path: string, headers: Record<string, string> = {}) =>
  fetch(installation.server.baseUrl + path, { headers: { 'x-forwarded-for': randomAddress(), ...headers } })

const challenge = (answer: { headers: Headers }) => answer.headers.get('www-authenticate')
const getCompany = (token: string, headers = {}) =>
  oauth.call('GET', '/api/v1/company', undefined, { token, headers })

describe('a token', () => {
  it('opens what its scopes say, as itself, and every answer counts for its tenant', async () => {
    const token = await oauth.tokenOf(client, ['invoices:write', 'invoices:read'])
    const made = await oauth.call<{ id: string }>('POST', '/api/v1/invoices', invoiceInput(), { token })
    expect(made.status, made.text).toBe(201)
    expect(made.headers.get('x-ratelimit-limit')).toBe('1000000')
    const [event] = await installation.sql<{ actor: unknown }>(
      `select actor from events where subject_id = $1 and type = 'invoice.created'`,
      [made.body.data.id],
    )
    expect(event!.actor).toEqual({ kind: 'oauth_client', id: client.clientId })
    const refused = await oauth.call('GET', '/api/v1/debtors', undefined, { token })
    expect(refusal(refused)).toEqual([403, 'AUTH_004'])
    expect(challenge(refused)).toBe(
      'Bearer realm="relance", error="insufficient_scope", scope="debtors:read"',
    )
  })

  it('is refused with a reason a client can act on: none, expired, or not valid', async () => {
    const token = await oauth.tokenOf(client)
    const none = await fetchPath('/api/v1/company')
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="relance"')
    const past = Math.floor(Date.now() / 1000) - 1
    const expired = await getCompany(await forgeToken(token, { claims: { exp: past } }))
    expect(refusal(expired)).toEqual([401, 'AUTH_003'])
    expect(challenge(expired)).toBe('Bearer realm="relance", error="invalid_token"')
    const broken = await getCompany(`${token.slice(0, -8)}AAAAAAAA`)
    expect(refusal(broken)).toEqual([401, 'AUTH_002'])
    expect(challenge(broken)).toBe('Bearer realm="relance", error="invalid_token"')
    const key = await oauth.call('GET', '/api/v1/company', undefined, { key: 'fk_live_nonsense' })
    expect(challenge(key)).toBe('Bearer realm="relance"')
  })

  it('comes alone: with a key beside it, neither counts', async () => {
    const token = await oauth.tokenOf(client)
    const answer = await getCompany(token, { 'x-api-key': installation.company.productionKey })
    expect(refusal(answer)).toEqual([401, 'AUTH_002'])
  })

  it.each([
    ['Basic', (token: string) => `Basic ${token}`],
    ['no word before it', (token: string) => token],
    ['two of them', (token: string) => `Bearer ${token} ${token}`],
    ['a comma', (token: string) => `Bearer ${token},Bearer ${token}`],
  ])('is not read with %s', async (_, header) => {
    const response = await fetchPath('/api/v1/company', {
      authorization: header(await oauth.tokenOf(client)),
    })
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      401,
      'AUTH_002',
    ])
  })

  it.each([
    ['another type', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: undefined } }],
    ['a key of nobody', { header: { kid: 'nobody' } }],
    ['no key named', { header: { kid: undefined } }],
    ['something critical nobody understands', { header: { crit: ['b64'], b64: false } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'https://evil.example' } }],
    ['no end', { claims: { exp: undefined } }],
    ['no id', { claims: { jti: undefined } }],
    ['an id that is none', { claims: { jti: 'x' } }],
    ['another subject', { claims: { sub: randomUUIDv7() } }],
    ['a client nobody registered', { claims: { client_id: 'oc_e1x', sub: 'oc_e1x' } }],
    ['the other environment', { claims: { env: 'sandbox' } }],
    ['no environment', { claims: { env: undefined } }],
    ['a grant nobody gave', { claims: { grant: randomUUIDv7(), sub: randomUUIDv7() } }],
    ['a grant that is no id', { claims: { grant: 7 } }],
    ['a start in the future', { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
  ])('is refused with %s, even rightly signed', async (_, changes) => {
    const token = await forgeToken(await oauth.tokenOf(client), changes)
    expect(refusal(await getCompany(token))).toEqual([401, 'AUTH_002'])
  })

  it('that was forged with nothing changed is let in, or the refusals above would prove nothing', async () => {
    expect((await getCompany(await forgeToken(await oauth.tokenOf(client), {}))).status).toBe(200)
  })

  it('is refused unsigned, signed with what everybody may see, or with a key it brings along', async () => {
    const token = await oauth.tokenOf(client)
    const [header, claims, signature] = token.split('.') as [string, string, string]
    const { kid } = decoded(header)
    const published = await fetchPath('/.well-known/jwks.json')
    const { keys } = (await published.json()) as { keys: { kid: string; n: string }[] }
    const shown = keys.find(key => key.kid === kid)!
    const symmetric = `${encoded({ alg: 'HS256', typ: 'at+jwt', kid })}.${claims}`
    const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = own.publicKey.export({ format: 'jwk' })
    const bringing = `${encoded({ ...decoded(header), jwk })}.${claims}`
    const pointing = `${encoded({ ...decoded(header), jku: 'http://127.0.0.1:1/jwks.json' })}.${claims}`
    const signed = (body: string) =>
      `${body}.${signWith('sha256', Buffer.from(body), own.privateKey).toString('base64url')}`
    for (const candidate of [
      `${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.`,
      `${encoded({ alg: 'none', typ: 'at+jwt', kid })}.${claims}.${signature}`,
      `${symmetric}.${createHmac('sha256', JSON.stringify(shown)).update(symmetric).digest('base64url')}`,
      `${symmetric}.${createHmac('sha256', Buffer.from(shown.n, 'base64url')).update(symmetric).digest('base64url')}`,
      signed(bringing),
      signed(pointing),
      `${header}.${encoded({ ...decoded(claims), scope: scopes.join(' '), client_id: 'oc_e1y' })}.${signature}`,
      `${header}.${claims}`,
      'x.y.z',
      `${header}.${claims}.${signature}.`,
    ])
      expect(refusal(await getCompany(candidate)), candidate).toEqual([401, 'AUTH_002'])
    expect((await getCompany(token)).status).toBe(200)
  })
})

describe('a person’s token', () => {
  it.each(roles)('of a member who is %s has what was consented to, as far as the role goes', async role => {
    const { accessToken: token, personId } = await oauth.member(role, { client })
    const may = scopesOfRole(role, scopes)
    for (const [scope, path] of [
      ['invoices:read', '/api/v1/invoices'],
      ['debtors:read', '/api/v1/debtors'],
      ['webhooks:manage', '/api/v1/api-keys'],
    ] as const) {
      const answer = await oauth.call('GET', path, undefined, { token })
      expect(answer.status, `${role} ${path}`).toBe(may.includes(scope) ? 200 : 403)
    }
    const made = await oauth.call<{ id: string }>('POST', '/api/v1/invoices', invoiceInput(), { token })
    expect(made.status).toBe(may.includes('invoices:write') ? 201 : 403)
    if (made.status !== 201) return
    const [event] = await installation.sql<{ actor: unknown }>(
      `select actor from events where subject_id = $1 and type = 'invoice.created'`,
      [made.body.data.id],
    )
    expect(event!.actor).toEqual({ kind: 'oauth_client', id: client.clientId, onBehalfOf: personId })
  })

  it('has no more than was consented to, whatever the role', async () => {
    const { accessToken: token } = await oauth.member('owner', { client, scopes: ['debtors:read'] })
    expect((await oauth.call('GET', '/api/v1/debtors', undefined, { token })).status).toBe(200)
    expect(refusal(await oauth.call('GET', '/api/v1/invoices', undefined, { token }))).toEqual([
      403,
      'AUTH_004',
    ])
  })

  it('follows the role from one request to the next', async () => {
    const { accessToken: token, personId } = await oauth.member('viewer', { client })
    const create = () => oauth.call('POST', '/api/v1/invoices', invoiceInput(), { token })
    const become = (role: Role) =>
      installation.sql('update memberships set role = $2 where person_id = $1', [personId, role])
    expect((await create()).status).toBe(403)
    await become('agent')
    expect((await create()).status).toBe(201)
    await become('viewer')
    expect((await create()).status).toBe(403)
  })

  it('opens one of several companies by X-Company-Id, each with its own role', async () => {
    const companyIds = [installation.company.companyId, second.companyId]
    const { accessToken: token, personId } = await oauth.member('agent', { client, companyIds })
    await installation.sql(
      `update memberships set role = 'viewer' where person_id = $1 and company_id = $2`,
      [personId, second.companyId],
    )
    const create = (companyId: string) =>
      oauth.call<{ id: string }>('POST', '/api/v1/invoices', invoiceInput(), { token, companyId })
    const made = await create(installation.company.companyId.toUpperCase())
    expect(made.status, made.text).toBe(201)
    expect(refusal(await create(second.companyId))).toEqual([403, 'AUTH_004'])
    const read = (companyId: string) =>
      oauth.call<unknown[]>('GET', '/api/v1/invoices', undefined, { token, companyId })
    expect((await read(second.companyId)).body.data).toEqual([])
    expect((await read(installation.company.companyId)).body.data).not.toEqual([])
    const at = `/api/v1/invoices/${made.body.data.id}`
    const elsewhere = await oauth.call('GET', at, undefined, { token, companyId: second.companyId })
    expect(refusal(elsewhere)).toEqual([404, 'RES_001'])
  })

  it('says which company is missing, malformed or not granted, and tells a stranger’s from none by nothing', async () => {
    const companyIds = [installation.company.companyId, second.companyId]
    const several = (await oauth.member('viewer', { client, companyIds })).accessToken
    const missing = await getCompany(several)
    expect(refusal(missing)).toEqual([400, 'VAL_003'])
    expect(missing.body.error.details).toEqual([
      { field: 'X-Company-Id', code: 'missing', message: 'is required' },
    ])
    for (const malformed of ['', 'x', `${second.companyId}, ${second.companyId}`, `{${second.companyId}}`])
      expect(refusal(await getCompany(several, { 'x-company-id': malformed })), malformed).toEqual([
        400,
        'VAL_004',
      ])
    const one = (await oauth.member('viewer', { client })).accessToken
    const own = await oauth.tokenOf(client)
    const stranger = await installation.server.createCompany({
      name: 'Troisième maison',
      ownerEmail: 'troisieme@maison.example',
      tier: 'starter',
    })
    for (const token of [several, one, own]) {
      const answers = []
      for (const companyId of [stranger.companyId, randomUUIDv7()]) {
        const answer = await getCompany(token, { 'x-company-id': companyId })
        expect(refusal(answer)).toEqual([403, 'AUTH_004'])
        answers.push({ ...answer.body, requestId: '', timestamp: '' })
      }
      expect(answers[0]).toEqual(answers[1])
    }
    for (const token of [one, own])
      expect((await getCompany(token, { 'x-company-id': installation.company.companyId })).status).toBe(200)
    expect(refusal(await getCompany(own, { 'x-company-id': second.companyId }))).toEqual([403, 'AUTH_004'])
  })

  it('opens no company for somebody who is not a member there any more, and the others still', async () => {
    const companyIds = [installation.company.companyId, second.companyId]
    const { accessToken: token, personId } = await oauth.member('viewer', { client, companyIds })
    await installation.sql('delete from memberships where person_id = $1 and company_id = $2', [
      personId,
      second.companyId,
    ])
    expect(await oauth.tryCredential({ token, companyId: second.companyId })).toBe('AUTH_004')
    expect(await oauth.tryCredential({ token, companyId: installation.company.companyId })).toBe(200)
  })

  it('of a grant to another client or person is nothing, even rightly signed', async () => {
    const mine = await oauth.member('owner', { client })
    const other = await oauth.client()
    const theirs = await oauth.member('viewer', { client: other })
    for (const claims of [{ client_id: other.clientId }, { sub: theirs.personId }, { grant: theirs.grantId }])
      expect(refusal(await getCompany(await forgeToken(mine.accessToken, { claims })))).toEqual([
        401,
        'AUTH_002',
      ])
  })

  it('a dead token is dead, whatever header comes with it', async () => {
    const { accessToken: token, grantId } = await oauth.member('viewer', { client })
    await installation.sql(`update oauth_grants set revoked_at = created_at where id = $1`, [grantId])
    expect(refusal(await getCompany(token, { 'x-company-id': 'x' }))).toEqual([401, 'AUTH_002'])
  })
})

describe('a company that was switched off', () => {
  const switched = async (companyId: string, work: () => Promise<void>) => {
    const set = (enabled: boolean) => switchCompany(installation, companyId, enabled)
    await set(false)
    try {
      await work()
    } finally {
      await set(true)
    }
  }

  it('is closed to tokens too, and its applications act nowhere any more', async () => {
    const companyIds = [installation.company.companyId, second.companyId]
    const { accessToken } = await oauth.member('viewer', { client, companyIds })
    const own = await oauth.tokenOf(client)
    await switched(second.companyId, async () => {
      expect(await oauth.tryCredential({ token: accessToken, companyId: second.companyId })).toBe('AUTH_006')
      expect(
        await oauth.tryCredential({ token: accessToken, companyId: installation.company.companyId }),
      ).toBe(200)
    })
    await switched(installation.company.companyId, async () => {
      expect(await oauth.tryCredential({ token: own })).toBe('AUTH_006')
      expect(
        await oauth.tryCredential({ token: accessToken, companyId: installation.company.companyId }),
      ).toBe('AUTH_006')
      expect(await oauth.tryCredential({ token: accessToken, companyId: second.companyId })).toBe('AUTH_006')
    })
    expect(await oauth.tryCredential({ token: own })).toBe(200)
  })
})

describe('a key', () => {
  it('opens its own company: whoever names another one is told so, not served in the wrong one', async () => {
    expect(await oauth.tryCredential({ companyId: installation.company.companyId })).toBe(200)
    expect(await oauth.tryCredential({ companyId: second.companyId })).toBe('AUTH_004')
    expect(await oauth.tryCredential({ companyId: 'x' })).toBe('VAL_004')
  })
})

describe('the answers of a repeated request', () => {
  it('are kept apart for each application and each person, and shared by the tokens of one', async () => {
    const other = await oauth.client()
    const camille = await oauth.member('owner', { client })
    const dominique = await oauth.member('owner', { client })
    const again = await oauth.consent({ client, personId: camille.personId })
    const headers = { 'idempotency-key': `shared-${randomUUIDv7()}` }
    const create = async (token: string) => {
      const body = { name: 'Deux fois', email: 'deux@fois.example' }
      const answer = await oauth.call<{ id: string }>('POST', '/api/v1/debtors', body, { token, headers })
      expect(answer.status, answer.text).toBe(201)
      return [answer.body.data.id, answer.headers.get('idempotent-replayed')] as const
    }
    const [first] = await create(await oauth.tokenOf(client))
    expect(await create(await oauth.tokenOf(client))).toEqual([first, 'true'])
    const [ofCamille, isReplayed] = await create(camille.accessToken)
    expect([ofCamille === first, isReplayed]).toEqual([false, null])
    expect(await create(again.accessToken)).toEqual([ofCamille, 'true'])
    for (const token of [dominique.accessToken, await oauth.tokenOf(other)])
      expect((await create(token))[1]).toBeNull()
  })
})

it('requests of two people by one application never share a transaction: each is written in its own name', async () => {
  const people = await Promise.all([1, 2, 3].map(() => oauth.member('agent', { client })))
  const made = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const { accessToken: token, personId } = people[i % people.length]!
      const answer = await oauth.call<{ id: string }>('POST', '/api/v1/invoices', invoiceInput(), { token })
      expect(answer.status, answer.text).toBe(201)
      return { id: answer.body.data.id, personId }
    }),
  )
  const rows = await installation.sql<{ subject_id: string; by: string }>(
    `select subject_id, actor->>'onBehalfOf' as by from events where type = 'invoice.created' and subject_id = any ($1)`,
    [made.map(({ id }) => id)],
  )
  const byOf = new Map(rows.map(({ subject_id, by }) => [subject_id, by]))
  for (const { id, personId } of made) expect(byOf.get(id)).toBe(personId)
})
