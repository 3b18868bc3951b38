import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { consoleCalls, refusal } from '../../harness/console-calls.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { peopleCalls, type SignedUpPerson, withProxy } from '../../harness/people-calls.ts'
import { tokenCalls } from '../../harness/tokens.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'
import { visibleText } from '../../harness/visitor.ts'

const installation = useInstallation(withProxy)
const people = peopleCalls(installation)
const door = consoleCalls(installation)
const oauth = tokenCalls(installation)

/** An owner whose company is opened for production. */
async function newOwner(): Promise<SignedUpPerson> {
  const owner = await people.newOwner()
  await operatorCalls(installation).open(owner.companyId)
  return owner
}

const minute = 60_000
const ibans = ['FR1420041010050500013M02606', 'DE89370400440532013000'] as const
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='

/** The owner's console session, opened so long ago. */
const sessionOf = ({ personId, companyId }: SignedUpPerson, ageMs = 0) =>
  door.session(personId, companyId, { ageMs })

const ageChanges = (companyId: string) =>
  installation.sql(
    `update payout_changes set effective_at = effective_at - interval '25 hours'
      where tenant_id in (select id from tenants where company_id = $1)`,
    [companyId],
  )
const pendingFields = async (companyId: string) =>
  (
    await installation.sql<{ field: string }>(
      `select field from payout_changes where tenant_id in (select id from tenants where company_id = $1) order by field`,
      [companyId],
    )
  ).map(({ field }) => field)

const mailTo = (address: string, words: RegExp) =>
  eventually(
    () => people.mailsTo(address).find(({ subject, text }) => words.test(`${subject}\n${text}`)),
    mail => mail !== undefined,
  )

describe('an old session', () => {
  const verifier = randomBytes(40).toString('hex')
  const query = `response_type=code&client_id=oc_relance_cli_production&redirect_uri=${encodeURIComponent('http://127.0.0.1:9999/callback')}&scope=webhooks%3Amanage&state=s&code_challenge=${createHash('sha256').update(verifier).digest('base64url')}&code_challenge_method=S256`
  const ageSessions = ({ personId }: SignedUpPerson, ms: number) =>
    installation.sql(
      `update sessions set created_at = created_at - $2 * interval '1 millisecond' where person_id = $1`,
      [personId, ms],
    )

  it('gives no application a lasting access: the consent asks for a fresh sign-in', async () => {
    const owner = await newOwner()
    const page = await owner.visitor.get(`/api/oauth/authorize?${query}`)
    expect(page.status, visibleText(page.html)).toBe(200)
    await ageSessions(owner, 11 * minute)
    const asked = await owner.visitor.get(`/api/oauth/authorize?${query}`)
    expect(asked.status).toBe(303)
    expect(asked.location).toMatch(/^\/sign-in\?.*next=/)
    const allowed = await owner.visitor.submit(page, '/api/oauth/authorize', {
      company: owner.companyId,
      decision: 'allow',
    })
    expect(allowed.location ?? '').not.toContain('code=')
    expect(
      await installation.sql('select 1 from oauth_grants where person_id = $1', [owner.personId]),
    ).toEqual([])
  })

  it('a consent is mailed to the person who gave it', async () => {
    const owner = await newOwner()
    const page = await owner.visitor.get(`/api/oauth/authorize?${query}`)
    const allowed = await owner.visitor.submit(page, '/api/oauth/authorize', {
      company: owner.companyId,
      decision: 'allow',
    })
    expect(allowed.location, visibleText(allowed.html)).toContain('code=')
    const mail = await mailTo(owner.email, /Relance CLI/)
    expect(mail!.text).toContain('/account')
  })

  it('a token for a person does nothing that needs a fresh sign-in once that sign-in is old', async () => {
    const client = await oauth.client()
    const { accessToken, personId } = await oauth.member('owner', { client })
    const makeKey = () =>
      oauth.call('POST', '/api/v1/api-keys', { name: 'Left behind' }, { token: accessToken })
    expect((await makeKey()).status).toBe(201)
    await installation.sql(
      `update oauth_grants set auth_time = auth_time - interval '11 minutes' where person_id = $1`,
      [personId],
    )
    for (const [method, path, body] of [
      ['POST', '/api/v1/api-keys', { name: 'Left behind' }],
      ['POST', '/api/v1/tasks/export', { what: 'invoices', format: 'csv' }],
      ['POST', '/api/v1/members/invitations', { email: 'someone@example.org', role: 'manager' }],
    ] as const) {
      const answer = await oauth.call(method, path, body, { token: accessToken })
      expect([path, ...refusal(answer)]).toEqual([path, 403, 'AUTH_004', 'fresh_sign_in'])
    }
    expect((await oauth.call('GET', '/api/v1/invoices', undefined, { token: accessToken })).status).toBe(200)
  })

  it('the owners are told by mail of every key that is made or rotated', async () => {
    const owner = await newOwner()
    const made = await door.call<{ id: string; apiKey: string }>(
      await sessionOf(owner),
      'POST',
      '/api/v1/api-keys',
      { name: 'Nightly import' },
      { environment: 'sandbox' },
    )
    expect(made.status, made.text).toBe(201)
    expect((await mailTo(owner.email, /Nightly import/))!.text).toContain('/account')
    const byKey = await installation.call('POST', '/api/v1/api-keys', {
      key: made.body.data.apiKey,
      body: { name: 'Made by a key' },
    })
    expect(byKey.status).toBe(201)
    await mailTo(owner.email, /Made by a key/)
  })
})

describe('a developer', () => {
  it('does by a key and by an application only what the role may', async () => {
    const developer = await door.member('developer')
    const made = await door.call<{ apiKey: string; id: string }>(developer, 'POST', '/api/v1/api-keys', {
      name: 'Mine',
    })
    expect(made.status, made.text).toBe(201)
    const app = await door.call<{ clientId: string; clientSecret: string }>(
      developer,
      'POST',
      '/api/v1/oauth-clients',
      { name: 'Mine', grantTypes: ['client_credentials'], scopes: ['webhooks:manage', 'invoices:read'] },
    )
    expect(app.status, app.text).toBe(201)
    const byApp = { authorization: `Bearer ${await oauth.tokenOf(app.body.data as never)}` }
    const byKey = { 'x-api-key': made.body.data.apiKey }
    for (const [method, path, body] of [
      ['PUT', '/api/v1/templates/email_prise_en_charge.email.fr', { subject: 'Autre', text: 'Autre' }],
      ['PUT', '/api/v1/company', { address: '1 rue du Lac' }],
      ['PUT', '/api/v1/company', { keepMonths: 3 }],
      ['DELETE', '/api/v1/company/logo', undefined],
      ['POST', '/api/v1/members/invitations', { email: 'someone@example.org', role: 'developer' }],
      ['GET', '/api/v1/members', undefined],
    ] as const)
      for (const headers of [byKey, byApp]) {
        const answer = await door.send(method, path, headers, body)
        expect([method, path, answer.status, answer.body.error?.code]).toEqual([
          method,
          path,
          403,
          'AUTH_004',
        ])
      }
  })

  it('whose role changes is named to the owners, with the keys that stay', async () => {
    const owner = await newOwner()
    const ownerSession = await sessionOf(owner)
    const developer = await door.member('developer', { companyId: owner.companyId })
    const made = await door.call(
      developer,
      'POST',
      '/api/v1/api-keys',
      { name: 'Left behind' },
      {
        environment: 'sandbox',
      },
    )
    expect(made.status, made.text).toBe(201)
    const removed = await door.call(ownerSession, 'DELETE', `/api/v1/members/${developer.id}`)
    expect(removed.status, removed.text).toBe(204)
    await mailTo(owner.email, /(still enabled|toujours actives)[\s\S]*Left behind/)
  })
})

describe('what debtors see in production', () => {
  it('a key changes neither the logo nor the mediator', async () => {
    for (const [method, path, body] of [
      ['PUT', '/api/v1/company/logo', { image: onePixel }],
      ['DELETE', '/api/v1/company/logo', undefined],
      ['PUT', '/api/v1/company', { mediator: { name: 'Régler en ligne', website: 'paiement-alpha.fr' } }],
    ] as const) {
      const answer = await installation.call(method, path, { ...(body && { body }) })
      expect([method, path, ...refusal(answer)]).toEqual([method, path, 403, 'AUTH_004', 'owner_only'])
    }
  })

  it('once debtors were told an account, an owner’s logo and mediator wait a day', async () => {
    const owner = await newOwner()
    const session = await sessionOf(owner)
    const change = (method: string, path: string, body?: unknown) => door.call(session, method, path, body)
    expect((await change('PUT', '/api/v1/company', { iban: ibans[0] })).status).toBe(200)
    expect((await change('PUT', '/api/v1/company/logo', { image: onePixel })).status).toBe(200)
    expect(
      (
        await change('PUT', '/api/v1/company', {
          mediator: { name: 'Exemple', website: 'www.mediation.example' },
        })
      ).status,
    ).toBe(200)
    expect(await pendingFields(owner.companyId)).toEqual(['logo', 'mediator'])
    const settings = async () =>
      (await change('GET', '/api/v1/company')).body.data as { hasLogo: boolean; mediator: unknown }
    expect(await settings()).toMatchObject({ hasLogo: false, mediator: null })
    await mailTo(owner.email, /Logo/)
    await ageChanges(owner.companyId)
    await eventually(
      () => pendingFields(owner.companyId),
      fields => fields.length === 0,
    )
    expect(await settings()).toMatchObject({ hasLogo: true, mediator: { name: 'Exemple' } })
  })
})

describe('a stop of the company’s sending', () => {
  it('that a person set is ended by a person only', async () => {
    const { sandboxKey: key } = installation.company
    const owner = await door.member('owner')
    const at = { environment: 'sandbox' as const }
    const stopped = await door.call(owner, 'POST', '/api/v1/company/stop-sending', { reason: 'Wrong' }, at)
    expect(stopped.status, stopped.text).toBe(200)
    const byKey = await installation.call('POST', '/api/v1/company/resume-sending', { key, body: {} })
    expect(refusal(byKey)).toEqual([403, 'AUTH_004', 'stopped_by_person'])
    const byPerson = await door.call<{ stoppedSince: string | null }>(
      owner,
      'POST',
      '/api/v1/company/resume-sending',
      {},
      at,
    )
    expect(byPerson.status).toBe(200)
    expect(byPerson.body.data.stoppedSince).not.toBeNull()
    const own = await installation.call('POST', '/api/v1/company/stop-sending', {
      key,
      body: { reason: 'Job' },
    })
    expect(own.status).toBe(200)
    const ended = await installation.call('POST', '/api/v1/company/resume-sending', { key, body: {} })
    expect(ended.status, ended.text).toBe(200)
  })
})

describe('where money goes', () => {
  it('waits after a removal too: the first value is the first that was ever told', async () => {
    const owner = await newOwner()
    const session = await sessionOf(owner)
    const set = (body: unknown) => door.call<{ iban: string | null }>(session, 'PUT', '/api/v1/company', body)
    expect((await set({ iban: ibans[0] })).body.data.iban).toBe(ibans[0])
    expect((await set({ iban: null })).status).toBe(200)
    await ageChanges(owner.companyId)
    await eventually(
      () => pendingFields(owner.companyId),
      fields => fields.length === 0,
    )
    const again = await set({ iban: ibans[1], accountHolder: 'Mallory' })
    expect([again.status, again.body.data.iban]).toEqual([200, null])
    expect(await pendingFields(owner.companyId)).toEqual(['accountHolder', 'iban'])
  })
})
