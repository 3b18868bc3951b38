import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import { type ApiResponse, useInstallation } from '../../../../test/harness/use-installation.ts'
import { formsIn, newVisitor } from '../../../../test/harness/visitor.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { CreatedCompany } from '../companies/create-company.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

interface Listed {
  members: { personId: string; name: string; email: string; role: Role; joinedAt: string }[]
  invitations: { id: string; email: string; role: Role }[]
}

let company: CreatedCompany
beforeEach(async () => {
  company = await installation.server.createCompany({
    name: 'Une maison',
    ownerEmail: 'une@maison.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
    inFlight: 10_000,
  })
})

const path = '/api/v1/members'
const list = async (key = company.productionKey): Promise<Listed> => {
  const answer = await oauth.call<Listed>('GET', path, undefined, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
const joined = async (role: Role, at = company) => {
  const person = await oauth.person()
  await oauth.addMember(person.id, role, at.companyId)
  return person
}
type As = Parameters<typeof oauth.call>[3]
const change = (id: string, role: Role, as: As = { key: company.productionKey }) =>
  oauth.call<Listed['members'][number]>('PUT', `${path}/${id}`, { role }, as)
const remove = (id: string, as: As = { key: company.productionKey }) =>
  oauth.call('DELETE', `${path}/${id}`, undefined, as)
const keyOfRole = async (role: Role, settings = {}) => {
  const granted = [...new Set([...scopesOfRole(role, scopes), 'webhooks:manage'])]
  const made = await keys.newKey({ scopes: granted, ...settings }, { key: company.productionKey })
  return { key: made.apiKey }
}
const auditEventsOf = (subject: string) =>
  installation.sql<{ type: string; data: unknown }>(
    'select type, data from audit_log where subject_id = $1 order by id',
    [subject],
  )

it('the list has the members of one’s own company in the order they joined, and nobody else', async () => {
  const [first, second] = [await joined('owner'), await joined('viewer')]
  const other = await installation.server.createCompany({ name: 'Autre', ownerEmail: 'autre@maison.example' })
  const stranger = await joined('owner', other)
  const { members, invitations } = await list()
  expect(members).toEqual([
    {
      personId: first.id,
      name: 'Camille Exemple',
      email: first.email,
      role: 'owner',
      joinedAt: expect.stringMatching(/Z$/),
    },
    expect.objectContaining({ personId: second.id, role: 'viewer' }),
  ])
  expect(invitations).toEqual([])
  expect(JSON.stringify(await list())).not.toContain(stranger.email)
})

it('who belongs to a company is reserved to production credentials', async () => {
  const { id } = await joined('viewer')
  const key = { key: company.sandboxKey }
  for (const answer of [
    await oauth.call('GET', path, undefined, key),
    await oauth.call('POST', `${path}/invitations`, { email: 'a@example.org', role: 'viewer' }, key),
    await oauth.call('DELETE', `${path}/invitations/${randomUUIDv7()}`, undefined, key),
    await change(id, 'agent', key),
    await remove(id, key),
  ])
    expect(refusal(answer as ApiResponse<unknown>)).toEqual([403, 'AUTH_007'])
  const client = await oauth.client({}, key)
  const token = await oauth.tokenOf(client)
  expect(refusal(await oauth.call('GET', path, undefined, { token }))).toEqual([403, 'AUTH_007'])
})

describe('a role', () => {
  it('is changed and audited, and setting the same role again records nothing', async () => {
    const { id } = await joined('viewer')
    const answer = await change(id, 'agent')
    expect([answer.status, answer.body.data]).toMatchObject([200, { personId: id, role: 'agent' }])
    await change(id, 'agent')
    expect(await auditEventsOf(id)).toEqual([
      { type: 'member.role_changed', data: { personId: id, role: 'agent', before: 'viewer' } },
    ])
  })

  it('is given and taken by whoever can do as much, and by nobody else', async () => {
    await joined('owner')
    const developer = await keyOfRole('developer')
    const manager = await keyOfRole('manager')
    const viewer = await joined('viewer')
    expect((await change(viewer.id, 'developer', developer)).status).toBe(200)
    const more = await change(viewer.id, 'agent', developer)
    expect(refusal(more)).toEqual([403, 'AUTH_004'])
    expect(more.body.error.requiredScopes).toEqual(
      scopes.filter(scope => scope === 'webhooks:manage' || scopesOfRole('agent', scopes).includes(scope)),
    )
    for (const role of ['owner', 'manager', 'agent'] as const) {
      const { id } = await joined(role)
      expect(refusal(await change(id, 'viewer', developer)), role).toEqual([403, 'AUTH_004'])
      expect(refusal(await remove(id, developer)), role).toEqual([403, 'AUTH_004'])
    }
    // A key of all a manager has, and of webhooks:manage, has all there is.
    expect((await change((await joined('agent')).id, 'manager', manager)).status).toBe(200)
  })

  it('is not given by a key that ends or is bound to addresses, though it may take one away', async () => {
    const { id } = await joined('viewer')
    const limited = await keyOfRole('owner', { ipWhitelist: ['10.0.0.0/8'] })
    expect(refusal(await change(id, 'agent', limited))).toEqual([403, 'AUTH_004'])
    expect((await remove(id, limited)).status).toBe(204)
  })

  it('there is not is refused', async () => {
    const { id } = await joined('viewer')
    expect(refusal(await change(id, 'king' as Role))).toEqual([400, 'VAL_001'])
  })
})

describe('a member', () => {
  it('who is removed is gone and audited, and cannot be removed a second time', async () => {
    const { id } = await joined('agent')
    expect((await remove(id)).status).toBe(204)
    expect((await list()).members).toEqual([])
    expect(refusal(await remove(id))).toEqual([404, 'RES_001'])
    expect(await auditEventsOf(id)).toEqual([
      { type: 'member.removed', data: { personId: id, role: 'agent' } },
    ])
  })

  it('of another company is nobody, and stays what they are there', async () => {
    const other = await installation.server.createCompany({
      name: 'Autre',
      ownerEmail: 'autre@maison.example',
    })
    const { id } = await joined('viewer', other)
    for (const answer of [await change(id, 'owner'), await remove(id), await remove(randomUUIDv7())])
      expect(refusal(answer as ApiResponse<unknown>)).toEqual([404, 'RES_001'])
    const [still] = await installation.sql<{ role: string }>(
      'select role from memberships where person_id = $1',
      [id],
    )
    expect(still!.role).toBe('viewer')
  })

  it('of two companies leaves the one and stays in the other', async () => {
    const other = await installation.server.createCompany({
      name: 'Autre',
      ownerEmail: 'autre@maison.example',
    })
    const { id } = await joined('viewer')
    await oauth.addMember(id, 'owner', other.companyId)
    expect((await remove(id)).status).toBe(204)
    const rows = await installation.sql<{ company_id: string }>(
      'select company_id from memberships where person_id = $1',
      [id],
    )
    expect(rows).toEqual([{ company_id: other.companyId }])
  })

  it('who may manage members changes them by an application too, in their own name', async () => {
    const client = await oauth.client({}, { key: company.productionKey })
    const owner = await oauth.member('owner', { client, companyIds: [company.companyId] })
    const { id } = await joined('viewer')
    expect((await change(id, 'agent', { token: owner.accessToken })).status).toBe(200)
    const [event] = await installation.sql<{ actor: unknown }>(
      `select actor from audit_log where subject_id = $1 and type = 'member.role_changed'`,
      [id],
    )
    expect(event!.actor).toEqual({ kind: 'oauth_client', id: client.clientId, onBehalfOf: owner.personId })
  })
})

/** An owner with a session; owners are made less on the page of the company only. */
async function signedInOwner() {
  const person = await joined('owner')
  const token = randomBytes(32).toString('base64url')
  await installation.sql(
    `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
     values ($1, $2, 'password', '10.0.0.1', '', $3, $3, $4)`,
    [plainSha256(token), person.id, new Date(), new Date(Date.now() + 3_600_000)],
  )
  const visitor = newVisitor(installation.server.baseUrl)
  visitor.cookies.set('__Host-relance', token)
  return { ...person, visitor }
}
type SignedInOwner = Awaited<ReturnType<typeof signedInOwner>>

/** 303 if it was done, 400 if it was refused. */
async function byPage(
  { visitor }: SignedInOwner,
  action: 'role' | 'remove',
  person: string,
): Promise<number> {
  const page = await visitor.get(`/account/company?company=${company.companyId}`)
  const csrf = formsIn(page.html).find(form => form.fields.csrf)?.fields.csrf ?? ''
  const fields = { csrf, company: company.companyId, person, role: 'agent' }
  return (await visitor.post(`/account/company/members/${action}`, fields)).status
}

describe('the last owner', () => {
  it('is neither removed nor made less, and the one before the last is', async () => {
    const [first, last] = [await signedInOwner(), await signedInOwner()]
    expect(await byPage(last, 'role', first.id)).toBe(303)
    expect(await byPage(last, 'role', last.id)).toBe(400)
    expect(await byPage(last, 'remove', last.id)).toBe(400)
    expect((await change(last.id, 'owner')).status).toBe(200)
    expect(refusal(await change(first.id, 'owner'))).toEqual([403, 'AUTH_004'])
    await joined('owner')
    expect(await byPage(last, 'remove', last.id)).toBe(303)
  })

  it('is left when all owners are removed and made less at once, twenty times over', async () => {
    const owners = [await signedInOwner(), await signedInOwner(), await signedInOwner()]
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        owners.map((owner, i) => byPage(owner, (i + round) % 2 === 0 ? 'remove' : 'role', owner.id)),
      )
      const left = (await list()).members.filter(member => member.role === 'owner')
      expect(left).toHaveLength(1)
      expect(answers.toSorted()).toEqual([303, 303, 400])
      await installation.sql('delete from memberships where company_id = $1', [company.companyId])
      for (const { id } of owners) await oauth.addMember(id, 'owner', company.companyId)
    }
  })

  it('is left when two owners take the role from each other, each in their own name', async () => {
    const [one, two] = [await signedInOwner(), await signedInOwner()]
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([byPage(one, 'remove', two.id), byPage(two, 'remove', one.id)])
      expect(answers.filter(status => status === 303)).toHaveLength(1)
      expect((await list()).members).toHaveLength(1)
      await installation.sql('delete from memberships where company_id = $1', [company.companyId])
      for (const { id } of [one, two]) await oauth.addMember(id, 'owner', company.companyId)
    }
  })
})
