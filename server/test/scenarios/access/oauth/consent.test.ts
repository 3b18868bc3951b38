import { decodeJwt } from 'jose'
import { beforeEach, expect, it } from 'vitest'
import { keyring } from '../../../../src/kit/crypto.ts'
import {
  type App,
  addPerson,
  authorization,
  decide,
  type Fields,
  type HttpReply,
  hiddenFields,
  newPkce,
  openSession,
  redeem,
  registerApp,
  requestConsent,
  send,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const showConsent = async (
  cookie = fixture.cookie,
  app: App = fixture.app,
  changes: Record<string, string> = {},
) => hiddenFields(await requestConsent(fixture, { ...authorization(app, newPkce()), ...changes }, cookie))
const allowing = (
  fields: Record<string, string>,
  companies = [fixture.company.companyId],
): [string, string][] => [
  ...Object.entries(fields),
  ...companies.map((id): [string, string] => ['company', id]),
  ['decision', 'allow'],
]

let grants = 0
const grantsNow = async () => (await fixture.sql('select id from oauth_grants')).length
beforeEach(async () => {
  grants = await grantsNow()
})

/** On a page, without a redirect, and nothing was granted. */
async function expectNothing(reply: HttpReply, status: number): Promise<void> {
  expect([reply.status, reply.headers.get('location')], reply.text.slice(0, 200)).toEqual([status, null])
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await grantsNow()).toBe(grants)
}
const post = (form: Fields, headers: Record<string, string> = {}, cookie = fixture.cookie) =>
  decide(fixture, cookie, form, headers)

it('what every refusal below is measured against: the same form, left as it is, is taken', async () => {
  const reply = await post(allowing(await showConsent()))
  expect(reply.location?.searchParams.get('code')).toMatch(/^oac_/)
  expect(await grantsNow()).toBe(grants + 1)
})

it('a consent is written into the book of the companies it opens, and of no other', async () => {
  const reply = await post(
    allowing(await showConsent(fixture.cookie, fixture.app, { scope: 'invoices:read' })),
  )
  const rows = await fixture.sql(
    `select tenant_id, actor, data from audit_log where type = 'person.access_granted' and request_id = $1`,
    [reply.headers.get('x-request-id')],
  )
  const { person, app } = fixture
  expect(rows).toEqual([
    {
      tenant_id: fixture.company.tenants.production,
      actor: { kind: 'person', id: person },
      data: { personId: person, grantId: expect.any(String), clientId: app.id, scopes: ['invoices:read'] },
    },
  ])
})

it.each([
  ['another site', { origin: 'https://evil.example' }],
  ['a site that begins like ours', { origin: 'http://127.0.0.1.evil.example' }],
  ['nowhere, as browsers say', { origin: 'null' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbour, by Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }],
])('RFC 9700 §4.7.1: a decision posted from %s is refused', async (_, headers) => {
  await expectNothing(
    await post(allowing(await showConsent()), headers as unknown as Record<string, string>),
    403,
  )
})

it('RFC 9700 §4.7.1: a decision that does not say where it was posted from is refused', async () => {
  const form = allowing(await showConsent())
  const reply = await send(fixture, 'POST', '/api/oauth/authorize', {
    form,
    headers: { cookie: fixture.cookie },
  })
  await expectNothing(reply, 403)
})

it('RFC 6749 §10.12: a decision without the token of its form, or with one that is wrong or given twice, is refused', async () => {
  const { csrf, request } = await showConsent()
  const rest = [
    ['company', fixture.company.companyId],
    ['decision', 'allow'],
  ] as [string, string][]
  for (const tokens of [[], [''], ['x'], [`${csrf}x`], [csrf, csrf]])
    await expectNothing(
      await post([['request', request!], ...tokens.map((t): [string, string] => ['csrf', t!]), ...rest]),
      403,
    )
})

it('RFC 6749 §10.12: the token of another session is refused', async () => {
  const other = await openSession(fixture, fixture.person)
  const [mine, theirs] = [await showConsent(), await showConsent(other)]
  await expectNothing(await post(allowing({ ...mine, csrf: theirs.csrf! })), 403)
})

it('RFC 6749 §10.12: without a session, with one that ended and with one nobody knows, nothing is decided', async () => {
  const form = allowing(await showConsent())
  await expectNothing(await post(form, {}, `__Host-relance=${'a'.repeat(43)}`), 403)
  await expectNothing(await post(form, {}, 'x=1'), 403)
  const cookie = await openSession(fixture, fixture.person)
  const mine = allowing(await showConsent(cookie))
  await fixture.sql(
    `update sessions set expires_at = $1 where person_id = $2 and created_at = (select max(created_at) from sessions)`,
    [new Date(Date.now() - 1).toISOString(), fixture.person],
  )
  await expectNothing(await post(mine, {}, cookie), 403)
})

it('RFC 6749 §10.13: the request that was shown to another session is refused', async () => {
  const other = await openSession(fixture, await addPerson(fixture, { [fixture.second.companyId]: 'owner' }))
  const [mine, theirs] = [await showConsent(), await showConsent(other)]
  await expectNothing(await post(allowing({ ...mine, request: theirs.request! })), 400)
})

it('RFC 6749 §10.13: a request that was changed, cut short, left out, given twice or made up is refused', async () => {
  const page = await showConsent()
  const request = page.request!
  const middle = Math.floor(request.length / 2)
  const changed = request.slice(0, middle) + (request[middle] === 'a' ? 'b' : 'a') + request.slice(middle + 1)
  const { request: _, ...bare } = page
  for (const made of [
    changed,
    request.slice(0, -8),
    request.slice(0, 10),
    '',
    'k1.',
    'k9.abc',
    '.',
    'x'.repeat(5_000),
  ])
    await expectNothing(await post(allowing({ ...page, request: made })), 400)
  await expectNothing(await post(allowing(bare)), 400)
  await expectNothing(await post([...allowing(page), ['request', request]]), 400)
})

/** The same request, sealed by us, but for what is changed in it. */
function resealed(request: string, change: (page: Record<string, unknown>) => void): string {
  const ring = keyring(fixture.installation.server.config.KEYRING!)
  const page = JSON.parse(ring.open('authorize', request))
  change(page)
  return ring.seal('authorize', JSON.stringify(page))
}

it('RFC 6749 §10.13: a page that was shown ten minutes ago is too old to be answered', async () => {
  const page = await showConsent()
  const at = (when: number) =>
    resealed(page.request!, inside => {
      inside.expiresAt = when
    })
  await expectNothing(await post(allowing({ ...page, request: at(Date.now() - 1) })), 400)
  const reply = await post(allowing({ ...page, request: at(Date.now() + 60_000) }))
  expect(reply.status).toBe(303)
  let left = 0
  resealed(page.request!, inside => {
    left = Number(inside.expiresAt) - Date.now()
  })
  expect(left).toBeGreaterThan(590_000 - 60_000)
  expect(left).toBeLessThanOrEqual(600_000)
})

it('RFC 6749 §10.13: something else of ours that is sealed is no request', async () => {
  const page = await showConsent()
  const ring = keyring(fixture.installation.server.config.KEYRING!)
  const other = ring.seal('webhook', ring.open('authorize', page.request!))
  await expectNothing(await post(allowing({ ...page, request: other })), 400)
})

it('RFC 6749 §4.1.1: an application that lost its address or its place between page and decision gets no code', async () => {
  const app = await registerApp(fixture, fixture.company)
  const page = await showConsent(fixture.cookie, app)
  await fixture.sql(`update oauth_clients set redirect_uris = '{https://app.example/other}' where id = $1`, [
    app.id,
  ])
  await expectNothing(await post(allowing(page)), 400)
  await fixture.sql('update oauth_clients set redirect_uris = $2, enabled = false where id = $1', [
    app.id,
    [app.redirectUri],
  ])
  await expectNothing(await post(allowing(page)), 400)
})

it('RFC 6749 §3.3: a company that is not the person’s is not granted, alone or beside one that is', async () => {
  const { stranger, company } = fixture
  await expectNothing(await post(allowing(await showConsent(), [stranger.companyId])), 400)
  const pkce = newPkce()
  const fields = hiddenFields(await requestConsent(fixture, authorization(fixture.app, pkce), fixture.cookie))
  const reply = await post(allowing(fields, [stranger.companyId, company.companyId]))
  const tokens = await redeem(fixture, {
    grant_type: 'authorization_code',
    client_id: fixture.app.id,
    client_secret: fixture.app.secret,
    code: reply.location!.searchParams.get('code')!,
    redirect_uri: fixture.app.redirectUri,
    code_verifier: pkce.verifier,
  })
  const [grant] = await fixture.sql<{ company_ids: string[] }>(
    'select company_ids from oauth_grants where id = $1',
    [decodeJwt(tokens.access_token).grant],
  )
  expect(grant!.company_ids).toEqual([company.companyId])
})

it('RFC 6749 §3.3: a company in which the role allows nothing that was asked for is not granted', async () => {
  const page = await showConsent(fixture.cookie, fixture.app, { scope: 'invoices:write' })
  await expectNothing(await post(allowing(page, [fixture.second.companyId])), 400)
})

it('RFC 6749 §3.3: without a company that was chosen nothing is granted, and one that is no id is none', async () => {
  const page = await showConsent()
  for (const companies of [[], [''], ['x'], ["' or 1=1 --"]])
    await expectNothing(await post(allowing(page, companies)), 400)
})

it('RFC 6749 §4.1.2.1: the person says no: access_denied, with the state', async () => {
  const reply = await post({ ...(await showConsent()), decision: 'deny', company: fixture.company.companyId })
  expect(reply.status).toBe(303)
  expect(Object.fromEntries(reply.location!.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'st4te',
    iss: fixture.issuer,
  })
  expect(await grantsNow()).toBe(grants)
})

it('RFC 6749 §4.1.1: a form without a decision, or with one nobody offered, decides nothing', async () => {
  const page = { ...(await showConsent()), company: fixture.company.companyId }
  for (const decision of [[], ['maybe'], ['ALLOW'], ['allow', 'deny'], ['allow', 'allow']])
    await expectNothing(
      await post([...Object.entries(page), ...decision.map((d): [string, string] => ['decision', d])]),
      400,
    )
})

it('RFC 6749 §4.1.1: a decision that is not a form is refused', async () => {
  const fields = { ...(await showConsent()), company: fixture.company.companyId, decision: 'allow' }
  const headers = { origin: fixture.issuer, 'sec-fetch-site': 'same-origin', cookie: fixture.cookie }
  await expectNothing(await send(fixture, 'POST', '/api/oauth/authorize', { json: fields, headers }), 403)
  const raw = { type: 'text/plain', body: String(new URLSearchParams(fields)) }
  await expectNothing(await send(fixture, 'POST', '/api/oauth/authorize', { raw, headers }), 400)
})
