import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { newAuthenticator } from './authenticator.ts'
import { operatorCalls } from './operator.ts'
import { newEmail, newPassword, peopleCalls, type SignedUpPerson } from './people-calls.ts'
import { type NewClient, redirectUri, tokenCalls } from './tokens.ts'
import type { TestInstallation } from './use-installation.ts'
import { formsIn } from './visitor.ts'

/** Consents on the page, then redeems the code twice. */
async function consentTwice(
  installation: TestInstallation,
  { visitor, companyId }: SignedUpPerson,
  client: NewClient,
) {
  const verifier = randomBytes(40).toString('hex')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: 'invoices:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const page = await visitor.get(`/api/oauth/authorize?${query}`)
  const allowed = { company: companyId, decision: 'allow' }
  const { location } = await visitor.submit(page, '/api/oauth/authorize', allowed)
  const body = JSON.stringify({
    grant_type: 'authorization_code',
    client_id: client.clientId,
    client_secret: client.clientSecret,
    code: new URL(location!).searchParams.get('code'),
    redirect_uri: redirectUri,
    code_verifier: verifier,
  })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': visitor.address }
  const url = `${installation.server.baseUrl}/api/oauth/token`
  const redeem = async () => (await fetch(url, { method: 'POST', headers, body })).status
  expect([await redeem(), await redeem()]).toEqual([200, 400])
}

/** A first account, a change that is withdrawn, and one that a second owner confirms. */
async function changePayout(installation: TestInstallation, { visitor, companyId }: SignedUpPerson) {
  const path = `/account/company?company=${companyId}`
  const set = async (iban: string) =>
    expect((await visitor.submit(await visitor.get(path), '/account/company/payout', { iban })).status).toBe(
      303,
    )
  await set('FR14 2004 1010 0505 0001 3M02 606')
  await set('DE89 3704 0044 0532 0130 00')
  await visitor.submit(await visitor.get(path), '/account/company/payout/withdraw')
  await set('DE89 3704 0044 0532 0130 00')
  const other = await peopleCalls(installation).newOwner()
  await installation.sql(
    `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'owner', $3)`,
    [other.personId, companyId, new Date(Date.now() - 48 * 3_600_000)],
  )
  const confirmed = await other.visitor.submit(
    await other.visitor.get(path),
    '/account/company/payout/confirm',
  )
  expect(confirmed.location).toContain('done=confirmed')
}

/** Performs every action of people that writes an audit event, each once. Card payments need a stand-in of Stripe. */
export async function performAllPeopleActions(installation: TestInstallation): Promise<void> {
  const people = peopleCalls(installation)
  const tokens = tokenCalls(installation)
  const owner = await people.newOwner()
  const { visitor } = owner
  const csrf = async () => formsIn((await visitor.get('/account')).html)[0]!.fields.csrf!

  const authenticator = newAuthenticator(installation.server.baseUrl)
  const header = { 'x-csrf-token': await csrf() }
  const { body: options } = await visitor.postJson('/passkeys/creation-options', {}, header)
  const response = authenticator.create({ challenge: options.challenge, user: options.user.id })
  expect((await visitor.postJson('/passkeys', { name: 'Phone', response }, header)).status).toBe(201)
  await visitor.submit(await visitor.get('/account'), '/account/passkeys/remove')

  const cards = '/account/card-payments'
  const { location: onboarding } = await visitor.submit(await visitor.get(cards), cards)
  await fetch(onboarding!, { method: 'POST', redirect: 'manual' })
  await visitor.submit(await visitor.get(cards), cards)

  const password = newPassword()
  const changed = { current: owner.password, password }
  await visitor.submit(await visitor.get('/account'), '/account/password', changed)
  await people.signIn(people.visitor(), owner.email, password)
  await visitor.submit(await visitor.get('/account'), '/account/sessions/end')
  for (let i = 0; i < 11; i++) await people.signIn(people.visitor(), owner.email, newPassword())

  const client = await tokens.client()
  await tokens.update(client.clientId, { name: 'Renamed' })
  const { data: rotated } = (await tokens.rotate(client.clientId)).body
  const { personId, companyId } = owner
  await operatorCalls(installation).open(owner.companyId)
  await consentTwice(installation, owner, { ...client, ...rotated })
  await tokens.consent({ client: { ...client, ...rotated }, personId, companyIds: [companyId] })
  await visitor.submit(await visitor.get('/account'), '/account/applications/withdraw')
  const consent = { client: { ...client, ...rotated }, personId, companyIds: [companyId] }
  const { refreshToken } = await tokens.consent(consent)
  const url = `${installation.server.baseUrl}/api/oauth/revoke`
  await fetch(url, { method: 'POST', body: new URLSearchParams({ token: refreshToken }) })
  await tokens.consent(consent)
  await tokens.remove(client.clientId)

  const email = newEmail()
  const invited = { email: newEmail(), role: 'viewer', language: 'en' }
  await tokens.call('POST', '/api/v1/members/invitations', invited)
  await tokens.call('POST', '/api/v1/members/invitations', invited)
  await tokens.call('POST', '/api/v1/members/invitations', { email, role: 'agent', language: 'en' })
  const guest = people.visitor()
  const page = await guest.get(people.linkIn(await people.mailTo(email)))
  await guest.submit(page, '/invitation', { name: 'Guest', password: newPassword() })
  const [member] = await installation.sql<{ id: string }>('select id from people where email = $1', [email])
  const path = `/api/v1/members/${member!.id}`
  expect((await tokens.call('PUT', path, { role: 'viewer' })).status).toBe(200)
  expect((await tokens.call('DELETE', path)).status).toBe(204)

  await changePayout(installation, owner)
  await visitor.submit(await visitor.get('/account'), '/account/sessions/end-all')
}
