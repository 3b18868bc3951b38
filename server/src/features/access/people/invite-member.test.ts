import { randomUUIDv7 } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { keyCalls, refusal } from '../../../../test/harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../../test/harness/tokens.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { keyring, plainSha256 } from '../../../kit/crypto.ts'
import type { CreatedCompany } from '../companies/create-company.ts'
import type { Role } from '../roles.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const keys = keyCalls(installation)
const oauth = tokenCalls(installation)

interface Invitation {
  id: string
  email: string
  role: Role
  language: string
  createdAt: string
  expiresAt: string
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

const path = '/api/v1/members/invitations'
let people = 0
const anybody = () => `invitee${++people}@example.org`
const invite = (body: Record<string, unknown> = {}, as: { key?: string; token?: string } = {}) =>
  oauth.call<Invitation>(
    'POST',
    path,
    { email: anybody(), role: 'viewer', ...body },
    { key: company.productionKey, ...as },
  )
const withdraw = (id: string, key = company.productionKey) =>
  oauth.call('DELETE', `${path}/${id}`, undefined, { key })
const open = async () =>
  (
    await oauth.call<{ invitations: Invitation[] }>('GET', '/api/v1/members', undefined, {
      key: company.productionKey,
    })
  ).body.data.invitations

const ring = () => keyring(installation.server.config.KEYRING!)
/** The token in the sealed mail, and the stored row. */
async function sealedIn(invitationId: string) {
  const [notice] = await installation.sql<{
    id: string
    kind: string
    tenant_id: string | null
    secret_sealed: string
  }>('select id, kind, tenant_id, secret_sealed from account_mails where subject_id = $1', [invitationId])
  const [row] = await installation.sql<{ token_hash: Buffer; invited_by: string }>(
    'select token_hash, invited_by from invitations where id = $1',
    [invitationId],
  )
  return { notice: notice!, token: ring().open(`notice ${notice!.id}`, notice!.secret_sealed), row: row! }
}

it('an invitation is answered, listed, audited and mailed; its token is in the sealed mail and nowhere else', async () => {
  const email = 'Camille@Example.org'
  const answer = await invite({ email, role: 'agent', language: 'en' })
  expect(answer.status, answer.text).toBe(201)
  const { id, createdAt, expiresAt, ...rest } = answer.body.data
  expect(rest).toEqual({ email, role: 'agent', language: 'en' })
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 3_600_000)
  expect(await open()).toEqual([answer.body.data])
  const { notice, token, row } = await sealedIn(id)
  expect(notice).toMatchObject({ kind: 'invitation', tenant_id: null })
  expect(token).toMatch(/^inv_e1[0-9A-Za-z]{43}$/)
  expect(row.token_hash).toEqual(plainSha256(token))
  expect(row.invited_by).toMatch(/^api_key [0-9a-f-]{36}$/)
  for (const table of ['invitations', 'account_mails', 'events', 'idempotency_keys'])
    expect(JSON.stringify(await installation.sql(`select t::text as row from ${table} t`))).not.toContain(
      token,
    )
  expect(answer.text).not.toContain('inv_')
  const auditEvents = await installation.sql('select type, data from audit_log where subject_id = $1', [id])
  expect(auditEvents).toEqual([{ type: 'member.invited', data: { invitationId: id, role: 'agent' } }])
})

it('it is written in the language of the company unless said otherwise, and who invited is stored', async () => {
  const { id, language } = (await invite()).body.data
  expect(language).toBe('fr')
  const client = await oauth.client({}, { key: company.productionKey })
  const owner = await oauth.member('owner', { client, companyIds: [company.companyId] })
  const theirs = (await invite({}, { token: owner.accessToken })).body.data
  expect((await sealedIn(theirs.id)).row.invited_by).toBe(`person ${owner.personId}`)
  expect((await sealedIn(id)).row.invited_by).not.toContain(owner.personId)
})

it.each([
  ['no address', { email: undefined }, 'VAL_003', 'email'],
  ['no role', { role: undefined }, 'VAL_003', 'role'],
  ['an address that is none', { email: 'camille' }, 'VAL_001', 'email'],
  ['a role there is not', { role: 'king' }, 'VAL_001', 'role'],
  ['a language we do not write', { language: 'de' }, 'VAL_001', 'language'],
])('%s is refused', async (_, body, code, field) => {
  const answer = await invite(body)
  expect([answer.status, answer.body.error.code]).toEqual([400, code])
  expect(answer.body.error.details?.[0]?.field).toBe(field)
})

it('somebody who is a member already is not invited, however their address is written', async () => {
  const { id, email } = await oauth.person()
  await oauth.addMember(id, 'viewer', company.companyId)
  expect(
    refusal(await invite({ email: email.toUpperCase().replace('@EXAMPLE.ORG', '@example.org') })),
  ).toEqual([409, 'RES_003'])
  const elsewhere = await oauth.person()
  expect((await invite({ email: elsewhere.email })).status).toBe(201)
})

it('a new invitation withdraws the older one to the same address, and its link', async () => {
  const email = anybody()
  const first = (await invite({ email })).body.data
  const second = (await invite({ email: email.replace('invitee', 'Invitee'), role: 'agent' })).body.data
  expect((await open()).map(invitation => invitation.id)).toEqual([second.id])
  const [old] = await installation.sql<{ withdrawn_at: unknown }>(
    'select withdrawn_at from invitations where id = $1',
    [first.id],
  )
  expect(old!.withdrawn_at).not.toBeNull()
  const twins = await Promise.all([invite({ email }), invite({ email })])
  expect(twins.map(answer => answer.status)).toEqual([201, 201])
  expect(await open()).toHaveLength(1)
})

it('nobody invites to a role that can do more than they can, nor undoes such an invitation', async () => {
  const as = async (granted: string[]) => ({
    key: (await keys.newKey({ scopes: granted }, { key: company.productionKey })).apiKey,
  })
  const nothingElse = await as(['webhooks:manage'])
  expect(refusal(await invite({ role: 'viewer' }, nothingElse))).toEqual([403, 'AUTH_004'])
  const reading = [
    'invoices:read',
    'debtors:read',
    'payments:read',
    'workflow:read',
    'reports:read',
    'scoring:read',
  ]
  const developer = await as([...reading, 'webhooks:manage'])
  for (const role of ['viewer', 'developer']) expect((await invite({ role }, developer)).status).toBe(201)
  for (const role of ['agent', 'manager', 'owner'])
    expect(refusal(await invite({ role }, developer)), role).toEqual([403, 'AUTH_004'])
  const mighty = (await invite({ role: 'manager' })).body.data
  expect(refusal(await withdraw(mighty.id, developer.key))).toEqual([403, 'AUTH_004'])
  expect(refusal(await invite({ email: mighty.email }, developer))).toEqual([403, 'AUTH_004'])
  expect((await open()).map(invitation => invitation.id)).toContain(mighty.id)
})

it('a key that ends or is bound to addresses invites nobody', async () => {
  for (const limit of [
    { expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    { ipWhitelist: ['10.0.0.0/8'] },
  ]) {
    const { apiKey: key } = await keys.newKey(limit, { key: company.productionKey })
    expect(refusal(await invite({}, { key }))).toEqual([403, 'AUTH_004'])
  }
})

describe('withdrawing', () => {
  it('closes an invitation, and again answers the same', async () => {
    const { id } = (await invite()).body.data
    expect([(await withdraw(id)).status, (await withdraw(id)).status]).toEqual([204, 204])
    expect(await open()).toEqual([])
  })

  it('of what was accepted is too late, and of what is not one’s own impossible', async () => {
    const { id } = (await invite()).body.data
    await installation.sql('update invitations set accepted_at = created_at where id = $1', [id])
    expect(refusal(await withdraw(id))).toEqual([409, 'RES_003'])
    const theirs = await oauth.call<Invitation>('POST', path, { email: anybody(), role: 'viewer' })
    for (const other of [theirs.body.data.id, randomUUIDv7()])
      expect(refusal(await withdraw(other))).toEqual([404, 'RES_001'])
    const [still] = await installation.sql<{ withdrawn_at: unknown }>(
      'select withdrawn_at from invitations where id = $1',
      [theirs.body.data.id],
    )
    expect(still!.withdrawn_at).toBeNull()
  })
})

describe('there is an end to it:', () => {
  /** Sent so many hours ago. */
  const sent = (many: number, hoursAgo: number, state: 'open' | 'accepted' = 'open') =>
    installation.sql(
      `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at, accepted_at)
       select (lpad(to_hex((extract(epoch from $2::timestamptz) * 1000)::bigint + i), 12, '0') || '7000' || '8000' || right(md5(random()::text), 12))::uuid,
              $1, 'x' || i || '@example.org', 'x' || i || '@example.org', 'viewer', 'fr', sha256(random()::text::bytea), 'test', $2,
              $2::timestamptz + interval '7 days', case when $4 = 'accepted' then $2::timestamptz end
         from generate_series(1, $3::integer) i`,
      [company.companyId, new Date(Date.now() - hoursAgo * 3_600_000).toISOString(), many, state],
    )

  it('fifty are open at a time, and of several at once none goes beyond', async () => {
    await sent(45, 30)
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite()))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409, 409])
    expect(await open()).toHaveLength(50)
    const email = (await open())[0]!.email
    expect((await invite({ email })).status).toBe(201)
  })

  it('what has run out is not open, nor listed', async () => {
    await sent(50, 7 * 24 + 1)
    expect(await open()).toEqual([])
    expect((await invite()).status).toBe(201)
  })

  it('a hundred are sent within a day, withdrawn and accepted ones included', async () => {
    await sent(99, 2, 'accepted')
    expect((await invite()).status).toBe(201)
    expect(refusal(await invite())).toEqual([409, 'RES_003'])
    await installation.sql(
      `update invitations set created_at = created_at - interval '1 day' where company_id = $1`,
      [company.companyId],
    )
    expect((await invite()).status).toBe(201)
  })

  it('five hundred are members or invited', async () => {
    await installation.sql(
      `with new_people as (
         insert into people (id, email, email_key, name, language, created_at)
         select gen_random_uuid(), u, u, 'Somebody', 'fr', $2 from (
           select 'many' || i || '-' || $1::uuid || '@example.org' as u from generate_series(1, 499) i) x returning id)
       insert into memberships (person_id, company_id, role, created_at) select id, $1::uuid, 'viewer', $2 from new_people`,
      [company.companyId, new Date().toISOString()],
    )
    expect((await invite()).status).toBe(201)
    expect(refusal(await invite())).toEqual([409, 'RES_003'])
  })
})

describe('an invitation that is withdrawn is recorded in the audit of the company:', () => {
  const auditEventsOf = (id: string) =>
    installation.sql<{ type: string; data: unknown }>(
      'select type, data from audit_log where subject_id = $1 order by id',
      [id],
    )

  it('withdrawn, once however often it is asked', async () => {
    const { id } = (await invite({ role: 'agent' })).body.data
    for (const _ of [1, 2]) expect((await withdraw(id)).status).toBe(204)
    expect((await auditEventsOf(id)).slice(1)).toEqual([
      {
        type: 'member.invitation_withdrawn',
        data: { invitationId: id, role: 'agent', because: 'withdrawn' },
      },
    ])
  })

  it('replaced by a newer one to the same address', async () => {
    const email = anybody()
    const first = (await invite({ email, role: 'agent' })).body.data
    const second = (await invite({ email })).body.data
    expect((await auditEventsOf(first.id)).slice(1)).toEqual([
      {
        type: 'member.invitation_withdrawn',
        data: { invitationId: first.id, role: 'agent', because: 'replaced' },
      },
    ])
    expect(await auditEventsOf(second.id)).toHaveLength(1)
  })
})
