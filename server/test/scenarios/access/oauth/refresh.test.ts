import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { plainSha256 } from '../../../../src/kit/crypto.ts'
import {
  basic,
  errorOf,
  type HttpReply,
  newCode,
  redeem,
  refreshWith,
  registerApp,
  requestToken,
  type Tokens,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const tokens = async (changes: Record<string, string> = {}): Promise<Tokens> =>
  redeem(fixture, await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId], changes))
const refresh = (token: string, changes: Record<string, string> = {}) =>
  requestToken(fixture, { ...refreshWith(fixture.app, token), ...changes })
const refusal = (reply: HttpReply) => [reply.status, errorOf(reply)]

/** As if it had been used that long ago. */
const usedAgo = (token: string, ms: number) =>
  fixture.sql('update oauth_refresh_tokens set used_at = $2 where token_hash = $1', [
    plainSha256(token),
    new Date(Date.now() - ms).toISOString(),
  ])

it('RFC 9700 §2.2.2: every refresh gives a new refresh token, and the old one is refused', async () => {
  const first = await tokens()
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(refusal(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
})

it('RFC 9700 §4.14.2: a refresh token that comes again within 30 seconds is refused and ends nothing', async () => {
  const first = await tokens()
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  await usedAgo(first.refresh_token, 29_000)
  expect(refusal(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
  expect((await useToken(fixture, first.access_token)).status).toBe(200)
  expect((await useToken(fixture, second.access_token)).status).toBe(200)
  expect((await refresh(second.refresh_token)).status).toBe(200)
})

it('RFC 9700 §4.14.2: one that comes again later ends the family and its living access tokens', async () => {
  const first = await tokens()
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  await usedAgo(first.refresh_token, 31_000)
  expect(refusal(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
  for (const { access_token } of [first, second])
    expect(refusal(await useToken(fixture, access_token))).toEqual([401, 'AUTH_002'])
  expect(refusal(await refresh(second.refresh_token))).toEqual([400, 'invalid_grant'])
  const [row] = await fixture.sql<{ revoked_because: string }>(
    'select revoked_because from oauth_grants where id = $1',
    [decodeJwt(first.access_token).grant],
  )
  expect(row!.revoked_because).toBe('refresh_reuse')
})

it('RFC 6749 §10.4: a refresh token is good for the client it was given to, and another client ends nothing with it', async () => {
  const first = await tokens()
  const other = await registerApp(fixture, fixture.company)
  for (const attempt of [0, 1]) {
    const reply = await requestToken(fixture, refreshWith(other, first.refresh_token))
    expect(refusal(reply), String(attempt)).toEqual([400, 'invalid_grant'])
  }
  await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  await usedAgo(first.refresh_token, 60_000)
  await requestToken(fixture, refreshWith(other, first.refresh_token))
  expect((await useToken(fixture, first.access_token)).status).toBe(200)
})

it('RFC 6749 §6: a secret is not asked for, but one that is sent must be right', async () => {
  const first = await tokens()
  const wrong = await refresh(first.refresh_token, { client_secret: 'wrong' })
  expect(refusal(wrong)).toEqual([401, 'invalid_client'])
  const { client_id: _, ...rest } = refreshWith(fixture.app, first.refresh_token)
  const basicWrong = await requestToken(fixture, rest, basic({ ...fixture.app, secret: 'wrong' }))
  expect(refusal(basicWrong)).toEqual([401, 'invalid_client'])
  // None of that used the token up.
  expect((await requestToken(fixture, rest, basic(fixture.app))).status).toBe(200)
})

it('RFC 6749 §6: without client_id or refresh_token nothing is renewed', async () => {
  const first = await tokens()
  expect(
    refusal(await requestToken(fixture, { grant_type: 'refresh_token', refresh_token: first.refresh_token })),
  ).toEqual([401, 'invalid_client'])
  expect(
    refusal(await requestToken(fixture, { grant_type: 'refresh_token', client_id: fixture.app.id })),
  ).toEqual([400, 'invalid_request'])
})

it('RFC 6749 §6: a refresh asks for no scope that was not granted, and a wrong wish costs nothing', async () => {
  const first = await tokens({ scope: 'invoices:read debtors:read' })
  for (const scope of ['invoices:read invoices:write', 'moon:walk', 'webhooks:manage'])
    expect(refusal(await refresh(first.refresh_token, { scope }))).toEqual([400, 'invalid_scope'])
  expect((await refresh(first.refresh_token)).json.scope).toBe('invoices:read debtors:read')
})

it('RFC 6749 §6: a narrower access token does not narrow the refresh token', async () => {
  const first = await tokens({ scope: 'invoices:read debtors:read' })
  const narrow = await redeem(fixture, {
    ...refreshWith(fixture.app, first.refresh_token),
    scope: 'debtors:read',
  })
  expect(narrow.scope).toBe('debtors:read')
  expect((await useToken(fixture, narrow.access_token)).status).toBe(403)
  const wide = await redeem(fixture, refreshWith(fixture.app, narrow.refresh_token))
  expect(wide.scope).toBe('invoices:read debtors:read')
})

it('RFC 6749 §5.2: an expired refresh token is refused; it lives 30 days from its issue', async () => {
  const first = await tokens()
  const [row] = await fixture.sql<{ left: number }>(
    'select extract(epoch from expires_at)::float8 - $2::float8 as left from oauth_refresh_tokens where token_hash = $1',
    [plainSha256(first.refresh_token), Date.now() / 1000],
  )
  expect(Math.abs(row!.left - 30 * 86_400)).toBeLessThan(10)
  await fixture.sql('update oauth_refresh_tokens set expires_at = $2 where token_hash = $1', [
    plainSha256(first.refresh_token),
    new Date(Date.now() - 1).toISOString(),
  ])
  expect(refusal(await refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
})

it.each([
  ['an access token', (t: Tokens) => t.access_token],
  ['a made up one', () => `ort_e1${'a'.repeat(43)}`],
  ['one with a letter changed', (t: Tokens) => t.refresh_token.replace(/.$/, c => (c === 'a' ? 'b' : 'a'))],
  ['one with a letter more', (t: Tokens) => `${t.refresh_token}a`],
])('RFC 6749 §5.2: %s is no refresh token', async (_, make) => {
  const first = await tokens()
  expect(refusal(await refresh(make(first)))).toEqual([400, 'invalid_grant'])
  expect((await refresh(first.refresh_token)).status).toBe(200)
})

it('OAuth 2.1 §4.3: an authorization code is no refresh token, and a refresh token no code', async () => {
  const code = await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId])
  expect(refusal(await refresh(code.code!))).toEqual([400, 'invalid_grant'])
  const first = await tokens()
  expect(refusal(await requestToken(fixture, { ...code, code: first.refresh_token }))).toEqual([
    400,
    'invalid_grant',
  ])
})

it('OAuth 2.1 §4.3: a client that was switched off renews nothing, and its tokens are refused at once', async () => {
  const app = await registerApp(fixture, fixture.company)
  const first = await redeem(
    fixture,
    await newCode(fixture, app, fixture.cookie, [fixture.company.companyId]),
  )
  await fixture.sql('update oauth_clients set enabled = false where id = $1', [app.id])
  expect(refusal(await requestToken(fixture, refreshWith(app, first.refresh_token)))).toEqual([
    401,
    'invalid_client',
  ])
  expect(refusal(await useToken(fixture, first.access_token))).toEqual([401, 'AUTH_002'])
})

it('RFC 6749 §10.4: refresh tokens are in the database as digests only', async () => {
  const first = await tokens()
  const rows = await fixture.sql<{ row: string }>(
    'select row_to_json(c)::text as row from oauth_refresh_tokens c',
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(first.refresh_token.slice(6))
})
