import { decodeJwt } from 'jose'
import { beforeEach, expect, it } from 'vitest'
import { keyring } from '../../../../src/kit/crypto.ts'
import {
  type App,
  addPerson,
  askConsent,
  authorization,
  decide,
  type Fields,
  hiddenFields,
  newPkce,
  openSession,
  redeem,
  registerApp,
  send,
  type Told,
} from './stage.ts'
import { useStage } from './use-stage.ts'

const stage = useStage()

const show = async (cookie = stage.cookie, app: App = stage.app, changes: Record<string, string> = {}) =>
  hiddenFields(await askConsent(stage, { ...authorization(app, newPkce()), ...changes }, cookie))
const allowing = (
  fields: Record<string, string>,
  companies = [stage.company.companyId],
): [string, string][] => [
  ...Object.entries(fields),
  ...companies.map((id): [string, string] => ['company', id]),
  ['decision', 'allow'],
]

let grants = 0
const grantsNow = async () => (await stage.sql('select id from oauth_grants')).length
beforeEach(async () => {
  grants = await grantsNow()
})

/** On a page, without a redirect, and nothing was granted. */
async function expectNothing(told: Told, status: number): Promise<void> {
  expect([told.status, told.headers.get('location')], told.text.slice(0, 200)).toEqual([status, null])
  expect(told.headers.get('content-type')).toMatch(/^text\/html/)
  expect(await grantsNow()).toBe(grants)
}
const post = (form: Fields, headers: Record<string, string> = {}, cookie = stage.cookie) =>
  decide(stage, cookie, form, headers)

it('what every refusal below is measured against: the same form, left as it is, is taken', async () => {
  const told = await post(allowing(await show()))
  expect(told.location?.searchParams.get('code')).toMatch(/^oac_/)
  expect(await grantsNow()).toBe(grants + 1)
})

it('a consent is written into the book of the companies it opens, and of no other', async () => {
  const told = await post(allowing(await show(stage.cookie, stage.app, { scope: 'invoices:read' })))
  const rows = await stage.sql(
    `select tenant_id, actor, data from events where type = 'person.access_granted' and request_id = $1`,
    [told.headers.get('x-request-id')],
  )
  const { person, app } = stage
  expect(rows).toEqual([
    {
      tenant_id: stage.company.tenants.production,
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
  await expectNothing(await post(allowing(await show()), headers as unknown as Record<string, string>), 403)
})

it('RFC 9700 §4.7.1: a decision that does not say where it was posted from is refused', async () => {
  const form = allowing(await show())
  const told = await send(stage, 'POST', '/api/oauth/authorize', { form, headers: { cookie: stage.cookie } })
  await expectNothing(told, 403)
})

it('RFC 6749 §10.12: a decision without the token of its form, or with one that is wrong or given twice, is refused', async () => {
  const { csrf, request } = await show()
  const rest = [
    ['company', stage.company.companyId],
    ['decision', 'allow'],
  ] as [string, string][]
  for (const tokens of [[], [''], ['x'], [`${csrf}x`], [csrf, csrf]])
    await expectNothing(
      await post([['request', request!], ...tokens.map((t): [string, string] => ['csrf', t!]), ...rest]),
      403,
    )
})

it('RFC 6749 §10.12: the token of another session is refused', async () => {
  const other = await openSession(stage, stage.person)
  const [mine, theirs] = [await show(), await show(other)]
  await expectNothing(await post(allowing({ ...mine, csrf: theirs.csrf! })), 403)
})

it('RFC 6749 §10.12: without a session, with one that ended and with one nobody knows, nothing is decided', async () => {
  const form = allowing(await show())
  await expectNothing(await post(form, {}, `__Host-relance=${'a'.repeat(43)}`), 403)
  await expectNothing(await post(form, {}, 'x=1'), 403)
  const cookie = await openSession(stage, stage.person)
  const mine = allowing(await show(cookie))
  await stage.sql(
    `update sessions set expires_at = $1 where person_id = $2 and created_at = (select max(created_at) from sessions)`,
    [new Date(Date.now() - 1).toISOString(), stage.person],
  )
  await expectNothing(await post(mine, {}, cookie), 403)
})

it('RFC 6749 §10.13: the request that was shown to another session is refused', async () => {
  const other = await openSession(stage, await addPerson(stage, { [stage.second.companyId]: 'owner' }))
  const [mine, theirs] = [await show(), await show(other)]
  await expectNothing(await post(allowing({ ...mine, request: theirs.request! })), 400)
})

it('RFC 6749 §10.13: a request that was changed, cut short, left out, given twice or made up is refused', async () => {
  const shown = await show()
  const request = shown.request!
  const middle = Math.floor(request.length / 2)
  const changed = request.slice(0, middle) + (request[middle] === 'a' ? 'b' : 'a') + request.slice(middle + 1)
  const { request: _, ...bare } = shown
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
    await expectNothing(await post(allowing({ ...shown, request: made })), 400)
  await expectNothing(await post(allowing(bare)), 400)
  await expectNothing(await post([...allowing(shown), ['request', request]]), 400)
})

/** The same request, sealed by us, but for what is changed in it. */
function resealed(request: string, change: (shown: Record<string, unknown>) => void): string {
  const ring = keyring(stage.house.installation.config.KEYRING!)
  const shown = JSON.parse(ring.open('authorize', request))
  change(shown)
  return ring.seal('authorize', JSON.stringify(shown))
}

it('RFC 6749 §10.13: a page that was shown ten minutes ago is too old to be answered', async () => {
  const shown = await show()
  const at = (when: number) =>
    resealed(shown.request!, inside => {
      inside.expiresAt = when
    })
  await expectNothing(await post(allowing({ ...shown, request: at(Date.now() - 1) })), 400)
  const told = await post(allowing({ ...shown, request: at(Date.now() + 60_000) }))
  expect(told.status).toBe(303)
  let left = 0
  resealed(shown.request!, inside => {
    left = Number(inside.expiresAt) - Date.now()
  })
  expect(left).toBeGreaterThan(590_000 - 60_000)
  expect(left).toBeLessThanOrEqual(600_000)
})

it('RFC 6749 §10.13: something else of ours that is sealed is no request', async () => {
  const shown = await show()
  const ring = keyring(stage.house.installation.config.KEYRING!)
  const other = ring.seal('webhook', ring.open('authorize', shown.request!))
  await expectNothing(await post(allowing({ ...shown, request: other })), 400)
})

it('RFC 6749 §4.1.1: an application that lost its address or its place between page and decision gets no code', async () => {
  const app = await registerApp(stage, stage.company)
  const shown = await show(stage.cookie, app)
  await stage.sql(`update oauth_clients set redirect_uris = '{https://app.example/other}' where id = $1`, [
    app.id,
  ])
  await expectNothing(await post(allowing(shown)), 400)
  await stage.sql('update oauth_clients set redirect_uris = $2, enabled = false where id = $1', [
    app.id,
    [app.redirectUri],
  ])
  await expectNothing(await post(allowing(shown)), 400)
})

it('RFC 6749 §3.3: a company that is not the person’s is not granted, alone or beside one that is', async () => {
  const { stranger, company } = stage
  await expectNothing(await post(allowing(await show(), [stranger.companyId])), 400)
  const pkce = newPkce()
  const fields = hiddenFields(await askConsent(stage, authorization(stage.app, pkce), stage.cookie))
  const told = await post(allowing(fields, [stranger.companyId, company.companyId]))
  const tokens = await redeem(stage, {
    grant_type: 'authorization_code',
    client_id: stage.app.id,
    client_secret: stage.app.secret,
    code: told.location!.searchParams.get('code')!,
    redirect_uri: stage.app.redirectUri,
    code_verifier: pkce.verifier,
  })
  const [grant] = await stage.sql<{ company_ids: string[] }>(
    'select company_ids from oauth_grants where id = $1',
    [decodeJwt(tokens.access_token).grant],
  )
  expect(grant!.company_ids).toEqual([company.companyId])
})

it('RFC 6749 §3.3: a company in which the role allows nothing that was asked for is not granted', async () => {
  const shown = await show(stage.cookie, stage.app, { scope: 'invoices:write' })
  await expectNothing(await post(allowing(shown, [stage.second.companyId])), 400)
})

it('RFC 6749 §3.3: without a company that was chosen nothing is granted, and one that is no id is none', async () => {
  const shown = await show()
  for (const companies of [[], [''], ['x'], ["' or 1=1 --"]])
    await expectNothing(await post(allowing(shown, companies)), 400)
})

it('RFC 6749 §4.1.2.1: the person says no: access_denied, with the state', async () => {
  const told = await post({ ...(await show()), decision: 'deny', company: stage.company.companyId })
  expect(told.status).toBe(303)
  expect(Object.fromEntries(told.location!.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'st4te',
    iss: stage.issuer,
  })
  expect(await grantsNow()).toBe(grants)
})

it('RFC 6749 §4.1.1: a form without a decision, or with one nobody offered, decides nothing', async () => {
  const shown = { ...(await show()), company: stage.company.companyId }
  for (const decision of [[], ['maybe'], ['ALLOW'], ['allow', 'deny'], ['allow', 'allow']])
    await expectNothing(
      await post([...Object.entries(shown), ...decision.map((d): [string, string] => ['decision', d])]),
      400,
    )
})

it('RFC 6749 §4.1.1: a decision that is not a form is refused', async () => {
  const fields = { ...(await show()), company: stage.company.companyId, decision: 'allow' }
  const headers = { origin: stage.issuer, 'sec-fetch-site': 'same-origin', cookie: stage.cookie }
  await expectNothing(await send(stage, 'POST', '/api/oauth/authorize', { json: fields, headers }), 403)
  const raw = { type: 'text/plain', body: String(new URLSearchParams(fields)) }
  await expectNothing(await send(stage, 'POST', '/api/oauth/authorize', { raw, headers }), 400)
})
