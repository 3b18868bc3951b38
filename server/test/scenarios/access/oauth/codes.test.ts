import { expect, it } from 'vitest'
import {
  addPerson,
  errorOf,
  type HttpReply,
  newCode,
  openSession,
  redeem,
  refreshWith,
  registerApp,
  requestToken,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const code = (changes: Record<string, string> = {}) =>
  newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId], changes)

const refusal = (reply: HttpReply) => [reply.status, errorOf(reply)]

it('RFC 6749 §4.1.2: a code used twice is refused, and everything it gave ends with it', async () => {
  const given = await code()
  const tokens = await redeem(fixture, given)
  const refreshed = await redeem(fixture, refreshWith(fixture.app, tokens.refresh_token))
  expect((await useToken(fixture, refreshed.access_token)).status).toBe(200)
  expect(refusal(await requestToken(fixture, given))).toEqual([400, 'invalid_grant'])
  for (const { access_token } of [tokens, refreshed])
    expect(refusal(await useToken(fixture, access_token))).toEqual([401, 'AUTH_002'])
  const again = await requestToken(fixture, refreshWith(fixture.app, refreshed.refresh_token))
  expect(refusal(again)).toEqual([400, 'invalid_grant'])
})

it('RFC 9700 §4.14.2: who used what twice is written into the book of every company that was open, once', async () => {
  const { company, second, person, app } = fixture
  const given = await newCode(fixture, app, fixture.cookie, [company.companyId, second.companyId])
  await redeem(fixture, given)
  const reply = await requestToken(fixture, given)
  await requestToken(fixture, given)
  const rows = await fixture.sql<{ tenant_id: string; actor: unknown; data: { because: string } }>(
    `select tenant_id, actor, data from audit_log where type = 'oauth_grant.reused' and request_id = $1`,
    [reply.headers.get('x-request-id')],
  )
  expect(rows.map(row => row.tenant_id).sort()).toEqual(
    [company.tenants.production, second.tenants.production].sort(),
  )
  for (const { actor, data } of rows) {
    expect(actor).toEqual({ kind: 'oauth_client', id: app.id, onBehalfOf: person })
    expect(data).toMatchObject({ clientId: app.id, personId: person, because: 'code_reuse' })
  }
  const [all] = await fixture.sql<{ n: number }>(
    `select count(*)::int as n from audit_log where type = 'oauth_grant.reused' and data->>'grantId' = $1`,
    [(rows[0]!.data as unknown as { grantId: string }).grantId],
  )
  expect(all!.n).toBe(2)
})

it('RFC 6749 §4.1.2: the end of one family touches no other of the same person', async () => {
  const other = await registerApp(fixture, fixture.company)
  const second = await newCode(fixture, other, fixture.cookie, [fixture.company.companyId])
  const first = await code()
  await redeem(fixture, first)
  const remaining = await redeem(fixture, second)
  await requestToken(fixture, first)
  expect((await useToken(fixture, remaining.access_token)).status).toBe(200)
})

it('RFC 6749 §4.1.3: a code is redeemed only by the client it was given to, and survives the attempt of another', async () => {
  const given = await code()
  const other = await registerApp(fixture, fixture.company)
  const sandbox = await registerApp(fixture, fixture.company, { environment: 'sandbox' })
  for (const thief of [other, sandbox]) {
    const reply = await requestToken(fixture, { ...given, client_id: thief.id, client_secret: thief.secret })
    expect(refusal(reply)).toEqual([400, 'invalid_grant'])
  }
  expect((await requestToken(fixture, given)).status).toBe(200)
})

it('RFC 6749 §4.1.3: the secret is needed, and the right one', async () => {
  const { client_secret, ...bare } = await code()
  expect(refusal(await requestToken(fixture, bare))).toEqual([401, 'invalid_client'])
  expect(refusal(await requestToken(fixture, { ...bare, client_secret: `${client_secret}x` }))).toEqual([
    401,
    'invalid_client',
  ])
  expect((await requestToken(fixture, { ...bare, client_secret: client_secret! })).status).toBe(200)
})

it.each([
  ['another one of the client', 'https://app.example/second'],
  ['with a slash more', 'https://app.example/callback/'],
  ['with a query', 'https://app.example/callback?x=1'],
  ['of another case', 'https://APP.example/callback'],
  ['nothing like it', 'https://evil.example/'],
])(
  'RFC 6749 §4.1.3: a redirect_uri that is not the one of the request (%s) is refused, and the code is spent',
  async (_, uri) => {
    const app = await registerApp(fixture, fixture.company, {
      redirectUris: ['https://app.example/callback', 'https://app.example/second'],
    })
    const given = await newCode(fixture, app, fixture.cookie, [fixture.company.companyId])
    expect(refusal(await requestToken(fixture, { ...given, redirect_uri: uri }))).toEqual([
      400,
      'invalid_grant',
    ])
    expect(refusal(await requestToken(fixture, given))).toEqual([400, 'invalid_grant'])
  },
)

it.each(['code', 'redirect_uri', 'code_verifier', 'grant_type'])(
  'RFC 6749 §4.1.3: without %s it is invalid_request',
  async name => {
    const { [name]: _, ...rest } = await code()
    expect(refusal(await requestToken(fixture, rest as Record<string, string>))).toEqual([
      400,
      'invalid_request',
    ])
  },
)

it('RFC 6749 §4.1.2: a code is good for a minute', async () => {
  const given = await code()
  const [row] = await fixture.sql<{ left: number }>(
    'select extract(epoch from expires_at)::float8 - $1::float8 as left from oauth_codes order by expires_at desc limit 1',
    [Date.now() / 1000],
  )
  expect(row!.left).toBeGreaterThan(55)
  expect(row!.left).toBeLessThanOrEqual(60)
  await fixture.sql('update oauth_codes set expires_at = $1', [new Date(Date.now() - 1).toISOString()])
  expect(refusal(await requestToken(fixture, given))).toEqual([400, 'invalid_grant'])
})

it.each([
  ['made up', `oac_e1${'a'.repeat(43)}`],
  ['no code at all', 'x'],
  ['an SQL phrase', "' or 1=1 --"],
  ['long', 'c'.repeat(10_000)],
])('RFC 6749 §5.2: a code that is %s is invalid_grant', async (_, made) => {
  expect(refusal(await requestToken(fixture, { ...(await code()), code: made }))).toEqual([
    400,
    'invalid_grant',
  ])
})

it('RFC 6749 §10.5: a code is in the database as a digest only', async () => {
  const given = await code()
  const rows = await fixture.sql<{ row: string }>('select row_to_json(c)::text as row from oauth_codes c')
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(given.code!.slice(6))
})

it.each([
  ['wrong', 'w'.repeat(43), 'invalid_grant'],
  ['the challenge itself', 'challenge', 'invalid_grant'],
  ['too short by one', 'v'.repeat(42), 'invalid_request'],
  ['too long by one', 'v'.repeat(129), 'invalid_request'],
  ['of characters that are not allowed', `${'v'.repeat(42)}!`, 'invalid_request'],
  ['padded like base64', `${'v'.repeat(43)}=`, 'invalid_request'],
])('RFC 7636 §4.6: a verifier that is %s is refused', async (_, verifier, error) => {
  const given = await code()
  const challenge = await fixture.sql<{ challenge: string }>(
    'select challenge from oauth_codes order by expires_at desc limit 1',
  )
  const sent = verifier === 'challenge' ? challenge[0]!.challenge : verifier
  const reply = await requestToken(fixture, { ...given, code_verifier: sent! })
  expect(refusal(reply)).toEqual([400, error])
})

it('RFC 7636 §4.6: a code is spent by a wrong verifier, so that nobody tries twice', async () => {
  const given = await code()
  await requestToken(fixture, { ...given, code_verifier: 'w'.repeat(43) })
  const reply = await requestToken(fixture, given)
  expect(refusal(reply)).toEqual([400, 'invalid_grant'])
  // It gave nobody anything, so nobody is alarmed.
  const auditEvents = await fixture.sql('select type from audit_log where request_id = $1', [
    reply.headers.get('x-request-id'),
  ])
  expect(auditEvents).toEqual([])
})

it.each([43, 128])('RFC 7636 §4.1: a verifier of %i characters is accepted', async length => {
  const { challengeOf } = await import('./oauth-calls.ts')
  const verifier = 'aZ09-._~'.repeat(16).slice(0, length)
  const given = await code({ code_challenge: challengeOf(verifier) })
  expect((await requestToken(fixture, { ...given, code_verifier: verifier })).status).toBe(200)
})

it('RFC 9700 §4.5: a code injected into another session of the application fails by its verifier', async () => {
  const attacker = await openSession(
    fixture,
    await addPerson(fixture, { [fixture.second.companyId]: 'owner' }),
  )
  const stolen = await code()
  const own = await newCode(fixture, fixture.app, attacker, [fixture.second.companyId])
  const reply = await requestToken(fixture, { ...own, code: stolen.code! })
  expect(refusal(reply)).toEqual([400, 'invalid_grant'])
})

it('OAuth 2.1 §4.1.3: consent that was withdrawn before the code was redeemed gives nothing', async () => {
  const given = await code()
  await fixture.sql(
    `update oauth_grants set revoked_at = $1, revoked_because = 'person' where person_id = $2`,
    [new Date().toISOString(), fixture.person],
  )
  expect(refusal(await requestToken(fixture, given))).toEqual([400, 'invalid_grant'])
})

it('RFC 6749 §3.3: the token has no more than the client may have when it is issued', async () => {
  const app = await registerApp(fixture, fixture.company, { scopes: ['invoices:read', 'debtors:read'] })
  const given = await newCode(fixture, app, fixture.cookie, [fixture.company.companyId])
  await fixture.sql(`update oauth_clients set scopes = '{invoices:read}' where id = $1`, [app.id])
  const tokens = await redeem(fixture, given)
  expect(tokens.scope).toBe('invoices:read')
  await fixture.sql(`update oauth_clients set scopes = '{payments:read}' where id = $1`, [app.id])
  const reply = await requestToken(fixture, refreshWith(app, tokens.refresh_token))
  expect(refusal(reply)).toEqual([400, 'invalid_scope'])
})
