import { setTimeout as pause } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { CreatedCompany } from '../../../../src/features/access/companies/create-company.ts'
import { uuidv7 } from '../../../../src/kit/uuid.ts'
import { switchCompany } from '../../../harness/operator.ts'
import {
  type App,
  addPerson,
  authorization,
  decide,
  errorOf,
  type HttpReply,
  hiddenFields,
  newCode,
  newPkce,
  openSession,
  redeem,
  refreshWith,
  registerApp,
  requestConsent,
  requestToken,
  send,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const answer = (reply: HttpReply) => (reply.status < 300 ? reply.status : [reply.status, errorOf(reply)])
const as = ({ companyId }: CreatedCompany) => ({ 'x-company-id': companyId })
const grantOf = ({ access_token }: { access_token: string }) => String(decodeJwt(access_token).grant)

interface AuditEventRow {
  type: string
  data: Record<string, unknown>
  actor: unknown
}
/** The audit events of a company's production about a consent. */
const auditEventsAbout = (company: CreatedCompany, grantId: string) =>
  fixture.sql<AuditEventRow>(
    `select type, data, actor from audit_log where tenant_id = $1 and data->>'grantId' = $2 order by id`,
    [company.tenants.production, grantId],
  )
const grantRow = async (id: string) =>
  (
    await fixture.sql<{ company_ids: string[]; revoked_because: string | null }>(
      'select company_ids, revoked_because from oauth_grants where id = $1',
      [id],
    )
  )[0]!

/** Somebody who is a viewer in two companies, with a browser. */
async function newMember() {
  const { company, second } = fixture
  const person = await addPerson(fixture, { [company.companyId]: 'viewer', [second.companyId]: 'viewer' })
  return { person, cookie: await openSession(fixture, person) }
}
const tokensOf = async (cookie: string, companies: CreatedCompany[], app: App = fixture.app) =>
  redeem(
    fixture,
    await newCode(
      fixture,
      app,
      cookie,
      companies.map(company => company.companyId),
    ),
  )
const remove = (person: string, from: CreatedCompany) =>
  send(fixture, 'DELETE', `/api/v1/members/${person}`, { headers: { 'x-api-key': from.productionKey } })
const join = (person: string, { companyId }: CreatedCompany) =>
  fixture.sql(
    `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'viewer', $3)`,
    [person, companyId, new Date().toISOString()],
  )

describe('who is removed from a company', () => {
  it('takes it out of every consent, and a consent ends with its last company', async () => {
    const { company, second } = fixture
    const { person, cookie } = await newMember()
    const both = await tokensOf(cookie, [company, second])
    const other = await registerApp(fixture, second)
    const one = await tokensOf(cookie, [company], other)
    expect((await remove(person, company)).status).toBe(204)
    expect(await grantRow(grantOf(both))).toEqual({ company_ids: [second.companyId], revoked_because: null })
    expect(answer(await useToken(fixture, both.access_token, as(company)))).toEqual([403, 'AUTH_004'])
    expect(answer(await useToken(fixture, both.access_token, as(second)))).toBe(200)
    expect(await grantRow(grantOf(one))).toMatchObject({ revoked_because: 'membership' })
    expect(answer(await useToken(fixture, one.access_token, as(company)))).toEqual([401, 'AUTH_002'])
    expect(answer(await requestToken(fixture, refreshWith(other, one.refresh_token)))).toEqual([
      400,
      'invalid_grant',
    ])
  })

  it('and comes back finds nothing that acts for them: they are asked anew', async () => {
    const { company, second } = fixture
    const { person, cookie } = await newMember()
    const other = await registerApp(fixture, second)
    const [both, one] = [await tokensOf(cookie, [company, second]), await tokensOf(cookie, [company], other)]
    await remove(person, company)
    await join(person, company)
    expect(answer(await useToken(fixture, both.access_token, as(company)))).toEqual([403, 'AUTH_004'])
    const renewed = await redeem(fixture, refreshWith(fixture.app, both.refresh_token))
    expect(answer(await useToken(fixture, renewed.access_token, as(company)))).toEqual([403, 'AUTH_004'])
    expect(answer(await useToken(fixture, one.access_token, as(company)))).toEqual([401, 'AUTH_002'])
  })

  it('while they say yes to an application does not open that company to it', async () => {
    const { company, second } = fixture
    const { person, cookie } = await newMember()
    const admin = new pg.Client({ connectionString: fixture.installation.database.adminUrl })
    await admin.connect()
    const page = await requestConsent(fixture, authorization(fixture.app, newPkce()), cookie)
    await admin.query('begin')
    await admin.query('delete from memberships where person_id = $1 and company_id = $2', [
      person,
      company.companyId,
    ])
    const decision = decide(fixture, cookie, [
      ...Object.entries(hiddenFields(page)),
      ['company', company.companyId],
      ['company', second.companyId],
      ['decision', 'allow'],
    ])
    await pause(300)
    await admin.query('commit')
    await admin.end()
    expect((await decision).location?.searchParams.get('code')).toMatch(/^oac_/)
    const grants = await fixture.sql('select company_ids from oauth_grants where person_id = $1', [person])
    expect(grants).toEqual([{ company_ids: [second.companyId] }])
  })
})

it('without a company left nothing is redeemed and nothing renewed', async () => {
  const { person, cookie } = await newMember()
  const { refresh_token } = await tokensOf(cookie, [fixture.company])
  const other = await registerApp(fixture, fixture.second)
  const code = await newCode(fixture, other, cookie, [fixture.company.companyId])
  await fixture.sql('delete from memberships where person_id = $1 and company_id = $2', [
    person,
    fixture.company.companyId,
  ])
  expect(answer(await requestToken(fixture, refreshWith(fixture.app, refresh_token)))).toEqual([
    400,
    'invalid_grant',
  ])
  expect(answer(await requestToken(fixture, code))).toEqual([400, 'invalid_grant'])
})

describe('a new consent', () => {
  it('takes the place of the older one to the same application, and of no other', async () => {
    const { company, second } = fixture
    const [{ cookie }, somebody] = [await newMember(), await newMember()]
    const other = await registerApp(fixture, second)
    const older = await tokensOf(cookie, [company, second])
    const elsewhere = await tokensOf(cookie, [company], other)
    const theirs = await tokensOf(somebody.cookie, [company])
    const newer = await tokensOf(cookie, [company])
    expect(answer(await useToken(fixture, older.access_token, as(second)))).toEqual([401, 'AUTH_002'])
    expect(answer(await requestToken(fixture, refreshWith(fixture.app, older.refresh_token)))).toEqual([
      400,
      'invalid_grant',
    ])
    for (const { access_token } of [elsewhere, theirs, newer])
      expect(answer(await useToken(fixture, access_token))).toBe(200)
    expect(await grantRow(grantOf(older))).toMatchObject({ revoked_because: 'replaced' })
  })

  it('is told to the companies that the older one had opened', async () => {
    const { person, cookie } = await newMember()
    const older = await tokensOf(cookie, [fixture.company, fixture.second])
    await tokensOf(cookie, [fixture.company])
    for (const company of [fixture.company, fixture.second])
      expect((await auditEventsAbout(company, grantOf(older))).at(-1)).toEqual({
        type: 'oauth_grant.ended',
        data: { personId: person, grantId: grantOf(older), clientId: fixture.app.id, because: 'replaced' },
        actor: { kind: 'person', id: person },
      })
  })

  it('is the only one that lives, however many are given at once', async () => {
    const { person, cookie } = await newMember()
    await Promise.all(
      Array.from({ length: 6 }, () => newCode(fixture, fixture.app, cookie, [fixture.company.companyId])),
    )
    const living = await fixture.sql(
      'select id from oauth_grants where person_id = $1 and revoked_at is null',
      [person],
    )
    expect(living).toHaveLength(1)
  })
})

describe('what ends a consent is told to the companies it had opened:', () => {
  it('a refresh token that was called back, once', async () => {
    const { person, cookie } = await newMember()
    const tokens = await tokensOf(cookie, [fixture.company, fixture.second])
    for (const _ of [1, 2])
      await send(fixture, 'POST', '/api/oauth/revoke', { json: { token: tokens.refresh_token } })
    for (const company of [fixture.company, fixture.second])
      expect((await auditEventsAbout(company, grantOf(tokens))).slice(1)).toEqual([
        {
          type: 'oauth_grant.ended',
          data: { personId: person, grantId: grantOf(tokens), clientId: fixture.app.id, because: 'token' },
          actor: { kind: 'oauth_client', id: fixture.app.id, onBehalfOf: person },
        },
      ])
  })

  it('an application that was deleted, in every other company, with how many consents it had there', async () => {
    const { company, second, stranger } = fixture
    const app = await registerApp(fixture, second)
    for (const companies of [[company], [company, second]])
      await tokensOf((await newMember()).cookie, companies, app)
    const headers = { 'x-api-key': second.productionKey }
    const reply = () =>
      fixture.sql<{ tenant_id: string } & AuditEventRow>(
        `select tenant_id, type, data, actor from audit_log
          where type like 'oauth_client.%' and data->>'clientId' = $1 order by type, tenant_id`,
        [app.id],
      )
    for (const _ of [1, 2])
      expect((await send(fixture, 'DELETE', `/api/v1/oauth-clients/${app.id}`, { headers })).status).toBe(204)
    expect(await reply()).toEqual([
      expect.objectContaining({ type: 'oauth_client.deleted', tenant_id: second.tenants.production }),
      {
        tenant_id: company.tenants.production,
        type: 'oauth_client.gone',
        data: { clientId: app.id, consents: 2 },
        actor: { kind: 'oauth_client', id: app.id },
      },
    ])
    expect((await reply()).map(event => event.tenant_id)).not.toContain(stranger.tenants.production)
  })
})

describe('the list of applications on the account page', () => {
  const listed = async (cookie: string) =>
    (await send(fixture, 'GET', '/account', { headers: { cookie } })).text.match(/name="grant"/g)?.length ?? 0

  it('has no consent without a living code or token', async () => {
    const { person, cookie } = await newMember()
    await newCode(fixture, fixture.app, cookie, [fixture.company.companyId])
    expect(await listed(cookie)).toBe(1)
    const past = new Date(Date.now() - 1_000).toISOString()
    const ofPerson = 'grant_id in (select id from oauth_grants where person_id = $2)'
    await fixture.sql(`update oauth_codes set expires_at = $1 where ${ofPerson}`, [past, person])
    expect(await listed(cookie)).toBe(0)
    const tokens = await tokensOf(cookie, [fixture.company])
    expect(await listed(cookie)).toBe(1)
    await redeem(fixture, refreshWith(fixture.app, tokens.refresh_token))
    expect(await listed(cookie)).toBe(1)
    await fixture.sql(`update oauth_refresh_tokens set expires_at = $1 where ${ofPerson}`, [past, person])
    expect(await listed(cookie)).toBe(0)
  })

  it('hides none that lives behind many', async () => {
    const { person, cookie } = await newMember()
    await tokensOf(cookie, [fixture.company])
    const at = Date.now()
    await fixture.sql(
      `with more as (
         insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at)
         select 'oc_e1many' || i, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at
           from oauth_clients cross join generate_series(1, 120) i where id = $1 returning id),
       given as (
         insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at, auth_time)
         select x.id, m.id, $2, 'production', '{invoices:read}', array[$3::uuid], $5, $5
           from (select id, row_number() over () as n from more) m
           join unnest($4::uuid[]) with ordinality as x(id, n) on x.n = m.n returning id)
       insert into oauth_refresh_tokens (token_hash, grant_id, scopes, expires_at)
       select sha256(id::text::bytea), id, '{invoices:read}', $6 from given`,
      [
        fixture.app.id,
        person,
        fixture.company.companyId,
        Array.from({ length: 120 }, () => uuidv7(at + 1_000)),
        new Date(at).toISOString(),
        new Date(at + 3_600_000).toISOString(),
      ],
    )
    expect(await listed(cookie)).toBe(121)
  })
})

describe('an application whose company is switched off', () => {
  const switched = (enabled: boolean) => switchCompany(fixture, fixture.second.companyId, enabled)

  it('is nobody: people are not asked for it, and no token is given or renewed', async () => {
    const app = await registerApp(fixture, fixture.second)
    const { cookie } = await newMember()
    const page = await requestConsent(fixture, authorization(app, newPkce()), cookie)
    const { refresh_token } = await tokensOf(cookie, [fixture.company], app)
    const code = await newCode(fixture, app, cookie, [fixture.company.companyId])
    await switched(false)
    try {
      expect((await requestConsent(fixture, authorization(app, newPkce()), cookie)).status).toBe(400)
      const fields = { ...hiddenFields(page), company: fixture.company.companyId, decision: 'allow' }
      expect((await decide(fixture, cookie, fields)).status).toBe(400)
      const own = { grant_type: 'client_credentials', client_id: app.id, client_secret: app.secret }
      for (const form of [own, code, refreshWith(app, refresh_token)])
        expect(answer(await requestToken(fixture, form))).toEqual([401, 'invalid_client'])
    } finally {
      await switched(true)
    }
  })
})
