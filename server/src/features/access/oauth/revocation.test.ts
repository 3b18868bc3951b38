import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Installation, startInstallation } from '../../../../dev/installation.ts'
import { switchCompany } from '../../../../test/harness/operator.ts'
import { type NewClient, ownAddresses, randomAddress, tokenCalls } from '../../../../test/harness/tokens.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const env = { ...ownAddresses, PUBLIC_URL: 'http://relance.localhost' }
const installation = useInstallation({ hasWorker: false, env })
const oauth = tokenCalls(installation)
const rounds = 40

let other: Installation
let client: NewClient
beforeAll(async () => {
  other = await startInstallation({
    database: installation.database,
    redisUrl: inject('redisUrl') || undefined,
    logLevel: 'silent',
    hasWorker: false,
    env: { ...env, KEYRING: installation.server.config.KEYRING! },
  })
  client = await oauth.client()
  // One owner stays, so that the others can be removed.
  await oauth.addMember((await oauth.person()).id, 'owner')
})
afterAll(() => other?.stop())

const revokeHere = (token: string) =>
  fetch(`${installation.server.baseUrl}/api/oauth/revoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() },
    body: JSON.stringify({ token }),
  }).then(response => expect(response.status).toBe(200))

const there = (token: string) => ({ token, baseUrl: other.baseUrl })

/** What the other process lets in after it was withdrawn here: reads and writes, at once, with everything it knew before warm. */
async function acceptedThere(token: string): Promise<(number | string)[]> {
  const write = oauth.call('POST', '/api/v1/invoices', invoiceInput(), there(token))
  const answers = await Promise.all([
    oauth.tryCredential(there(token)),
    oauth.tryCredential(there(token)),
    write.then(answer => (answer.status === 201 ? 201 : answer.body.error.code)),
  ])
  return answers
}

interface Withdrawal {
  what: string
  code: string
  prepare(): Promise<{ token: string; withdraw: () => Promise<unknown>; restore?: () => Promise<unknown> }>
}

const switchOwnCompany = (isOpen: boolean) =>
  switchCompany(installation, installation.company.companyId, isOpen)

const withdrawals: Withdrawal[] = [
  {
    what: 'a token of an application',
    code: 'AUTH_002',
    async prepare() {
      const token = await oauth.tokenOf(client)
      return { token, withdraw: () => revokeHere(token) }
    },
  },
  {
    what: 'a token of a person',
    code: 'AUTH_002',
    async prepare() {
      const { accessToken: token } = await oauth.member('agent', { client })
      return { token, withdraw: () => revokeHere(token) }
    },
  },
  {
    what: 'a consent',
    code: 'AUTH_002',
    async prepare() {
      const { accessToken: token, refreshToken } = await oauth.member('agent', { client })
      return { token, withdraw: () => revokeHere(refreshToken) }
    },
  },
  {
    what: 'an application',
    code: 'AUTH_002',
    async prepare() {
      const doomed = await oauth.client()
      const token = await oauth.tokenOf(doomed)
      return { token, withdraw: () => oauth.remove(doomed.clientId) }
    },
  },
  {
    what: 'a member',
    code: 'AUTH_002',
    async prepare() {
      const { accessToken: token, personId } = await oauth.member('agent', { client })
      return { token, withdraw: () => oauth.call('DELETE', `/api/v1/members/${personId}`) }
    },
  },
  {
    what: 'a role',
    code: 'AUTH_004',
    async prepare() {
      const { accessToken: token, personId } = await oauth.member('agent', {
        client,
        scopes: ['invoices:write', 'agent:chat'],
      })
      return {
        token,
        withdraw: () => oauth.call('PUT', `/api/v1/members/${personId}`, { role: 'viewer' }),
      }
    },
  },
  {
    what: 'a company',
    code: 'AUTH_006',
    async prepare() {
      const { accessToken: token } = await oauth.member('agent', { client })
      return { token, withdraw: () => switchOwnCompany(false), restore: () => switchOwnCompany(true) }
    },
  },
]

describe('withdrawn here, refused there from the first call on:', () => {
  it.each(withdrawals)(
    `$what, ${rounds} times over`,
    async ({ what, code, prepare }) => {
      const seen = new Map<number | string, number>()
      const round = async () => {
        const { token, withdraw, restore } = await prepare()
        const before = await oauth.call('POST', '/api/v1/invoices', invoiceInput(), there(token))
        expect(before.status, before.text).toBe(201)
        await withdraw()
        for (const outcome of await acceptedThere(token).finally(() => restore?.()))
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      }
      // All rounds use one company, so they run one by one while it is switched off.
      const atOnce = what === 'a company' ? 1 : 4
      for (let done = 0; done < rounds; done += atOnce)
        await Promise.all(Array.from({ length: atOnce }, round))
      expect([...seen], what).toEqual([[code, rounds * 3]])
    },
    120_000,
  )
})

describe('the opening statement asks everything again, and believes nobody:', () => {
  let api: pg.Client
  let right: {
    jti: string
    client: string
    grant: string | null
    person: string | null
    role: string | null
    tenant: string
  }
  let elsewhere: { companyId: string; tenant: string }
  beforeAll(async () => {
    api = new pg.Client({ connectionString: installation.database.env.API_DATABASE_URL })
    await api.connect()
    const { personId, grantId } = await oauth.member('agent', { client })
    const stranger = await installation.server.createCompany({
      name: 'Autre maison',
      ownerEmail: 'autre@maison.example',
    })
    elsewhere = { companyId: stranger.companyId, tenant: stranger.tenants.production }
    right = {
      jti: randomUUIDv7(),
      client: client.clientId,
      grant: grantId,
      person: personId,
      role: 'agent',
      tenant: installation.company.tenants.production,
    }
  })
  afterAll(() => api?.end())

  const enter = async (changes: Partial<typeof right> = {}) => {
    const { jti, client: id, grant, person, role, tenant } = { ...right, ...changes }
    try {
      await api.query('select enter_by_token($1, $2, $3, $4, $5, $6, $7)', [
        jti,
        id,
        grant,
        person,
        role,
        tenant,
        new Date().toISOString(),
      ])
      return 'entered'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it('what is right enters, by a grant and for an application itself', async () => {
    expect(await enter()).toBe('entered')
    expect(await enter({ grant: null, person: null, role: null })).toBe('entered')
  })

  it('an application enters no tenant but its own, nor its company’s other environment', async () => {
    const asApplication = { grant: null, person: null, role: null }
    expect(await enter({ ...asApplication, tenant: elsewhere.tenant })).toBe('RL001')
    expect(await enter({ ...asApplication, tenant: installation.company.tenants.sandbox })).toBe('RL001')
    expect(await enter({ ...asApplication, client: 'oc_e1nobody' })).toBe('RL001')
  })

  it('a person enters by their own grant, with the role they have, where it was granted, and not by half of it', async () => {
    const otherClient = await oauth.client()
    const member = await oauth.member('agent', { client })
    await oauth.addMember(right.person!, 'agent', elsewhere.companyId)
    for (const changes of [
      { client: otherClient.clientId },
      { grant: randomUUIDv7() },
      { grant: member.grantId },
      { person: member.personId },
      { role: 'owner' },
      { role: null },
      { tenant: elsewhere.tenant },
      { tenant: installation.company.tenants.sandbox },
      { tenant: randomUUIDv7() },
      { grant: null },
      { person: null },
    ])
      expect(await enter(changes), JSON.stringify(changes)).toBe('RL001')
  })

  it('nobody enters by a token that was called back, a grant that was withdrawn, or into what is switched off', async () => {
    const called = randomUUIDv7()
    await installation.sql('insert into oauth_revoked_tokens (jti, expires_at) values ($1, $2)', [
      called,
      new Date().toISOString(),
    ])
    expect(await enter({ jti: called })).toBe('RL001')
    await switchOwnCompany(false)
    const whileClosed = await enter()
    await switchOwnCompany(true)
    expect(whileClosed).toBe('RL002')
    await installation.sql('update oauth_grants set revoked_at = created_at where id = $1', [right.grant])
    expect(await enter()).toBe('RL001')
  })
})
