import { expect, it } from 'vitest'
import { plainSha256 } from '../../../../src/kit/crypto.ts'
import { switchCompany } from '../../../harness/operator.ts'
import { claimsLike, newSigner, signerOf, signWith } from './forge.ts'
import {
  addPerson,
  basic,
  errorOf,
  newCode,
  openSession,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  requestToken,
  send,
  type Tokens,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const tokens = async (): Promise<Tokens> =>
  redeem(fixture, await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId]))
const revoke = async (token: string, headers = {}) => {
  const reply = await send(fixture, 'POST', '/api/oauth/revoke', { json: { token }, headers })
  expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
}
const stateOf = async (token: string) => {
  const reply = await send(fixture, 'POST', '/api/oauth/introspect', { form: { token } })
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return reply.json
}
const inactive = { active: false }
const statusOf = async (token: string) => (await useToken(fixture, token)).status

it('RFC 7009 §2.1: revoking an access token refuses it at once, and it alone', async () => {
  const first = await tokens()
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  await revoke(first.access_token)
  expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([401, 200])
  expect((await requestToken(fixture, refreshWith(fixture.app, second.refresh_token))).status).toBe(200)
  const [own, other] = [await ownToken(fixture, fixture.app), await ownToken(fixture, fixture.app)]
  await revoke(own)
  expect([await statusOf(own), await statusOf(other)]).toEqual([401, 200])
})

it('RFC 7009 §2.1: revoking a refresh token ends its grant: every access token and refresh token of it', async () => {
  const first = await tokens()
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  const other = await registerApp(fixture, fixture.company)
  const untouched = await redeem(
    fixture,
    await newCode(fixture, other, fixture.cookie, [fixture.company.companyId]),
  )
  await revoke(second.refresh_token)
  for (const { access_token } of [first, second]) expect(await statusOf(access_token)).toBe(401)
  const reply = await requestToken(fixture, refreshWith(fixture.app, second.refresh_token))
  expect([reply.status, errorOf(reply)]).toEqual([400, 'invalid_grant'])
  expect(await statusOf(untouched.access_token)).toBe(200)
})

it('RFC 7009 §2.2: revoking again, a token nobody knows, an expired one or garbage is answered with 200 and nothing', async () => {
  const { access_token, refresh_token } = await tokens()
  const active = await signerOf(fixture, fixture.installation.server.config.KEYRING!, 'active')
  const expired = await signWith(active, claimsLike(access_token, { iat: 1_000, exp: 4_600 }))
  const forged = await signWith(await newSigner(), claimsLike(access_token))
  for (const token of [access_token, refresh_token]) for (const _ of [1, 2, 3]) await revoke(token)
  for (const token of [
    expired,
    forged,
    `ort_e1${'a'.repeat(43)}`,
    'x',
    '...',
    "' or 1=1 --",
    'é😀',
    'x'.repeat(12_000),
  ])
    await revoke(token)
})

it('RFC 7009 §2.1: a forged token revokes nothing of what it names', async () => {
  const { access_token } = await tokens()
  const same = claimsLike(access_token)
  await revoke(
    await signWith(await newSigner(), {
      ...same,
      jti: JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString()).jti,
    }),
  )
  expect(await statusOf(access_token)).toBe(200)
})

it('RFC 7009 §2.2.1: without a token, or with two, it is invalid_request', async () => {
  for (const path of ['/api/oauth/revoke', '/api/oauth/introspect']) {
    for (const form of [
      [],
      [['token', '']],
      [
        ['token', 'a'],
        ['token', 'b'],
      ],
    ] as [string, string][][]) {
      const reply = await send(fixture, 'POST', path, { form })
      expect([reply.status, errorOf(reply)]).toEqual([400, 'invalid_request'])
    }
    const reply = await send(fixture, 'POST', path, { raw: { type: 'text/plain', body: 'token=x' } })
    expect([reply.status, errorOf(reply)]).toEqual([400, 'invalid_request'])
  }
})

it('RFC 7009 §2.1: a hint, right or wrong, and credentials beside the token change nothing', async () => {
  for (const hint of ['access_token', 'refresh_token', 'unknown']) {
    const { access_token, refresh_token } = await tokens()
    for (const token of [access_token, refresh_token]) {
      const form = {
        token,
        token_type_hint: hint,
        client_id: fixture.app.id,
        client_secret: fixture.app.secret,
      }
      expect((await send(fixture, 'POST', '/api/oauth/revoke', { form })).status).toBe(200)
    }
    expect(await statusOf(access_token)).toBe(401)
  }
  await revoke(await ownToken(fixture, fixture.app), basic(fixture.app))
})

it('RFC 7662 §2.2: a living access token is described', async () => {
  const { access_token } = await tokens()
  expect(await stateOf(access_token)).toMatchObject({
    active: true,
    client_id: fixture.app.id,
    token_type: 'Bearer',
    sub: fixture.person,
    iss: fixture.issuer,
    aud: fixture.issuer,
    scope: expect.stringContaining('invoices:read'),
  })
  const reply = await send(fixture, 'POST', '/api/oauth/introspect', {
    json: { token: await ownToken(fixture, fixture.app) },
  })
  expect(reply.json).toMatchObject({ active: true, sub: fixture.app.id, client_id: fixture.app.id })
})

it('RFC 7662 §2.2: refresh tokens, codes, garbage and tokens of others are inactive, and nothing more is said', async () => {
  const code = await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId])
  const { access_token, refresh_token } = await tokens()
  const active = await signerOf(fixture, fixture.installation.server.config.KEYRING!, 'active')
  const other = await signWith(active, claimsLike(access_token, { iss: 'https://other.example' }))
  const forged = await signWith(await newSigner(), claimsLike(access_token))
  for (const token of [
    refresh_token,
    code.code!,
    other,
    forged,
    fixture.app.secret,
    'x',
    '..',
    "' or 1=1 --",
    'é',
    'x'.repeat(12_000),
  ])
    expect(await stateOf(token)).toEqual(inactive)
})

it('RFC 7662 §2.2: an expired and a revoked access token are inactive, and one whose grant ended', async () => {
  const first = await tokens()
  const active = await signerOf(fixture, fixture.installation.server.config.KEYRING!, 'active')
  expect(
    await stateOf(await signWith(active, claimsLike(first.access_token, { iat: 1_000, exp: 4_600 }))),
  ).toEqual(inactive)
  const second = await redeem(fixture, refreshWith(fixture.app, first.refresh_token))
  await revoke(first.access_token)
  expect(await stateOf(first.access_token)).toEqual(inactive)
  expect(await stateOf(second.access_token)).toMatchObject({ active: true })
  await revoke(second.refresh_token)
  expect(await stateOf(second.access_token)).toEqual(inactive)
})

it('RFC 7662 §2.2: a token that opens no company any more is inactive: client, company or membership gone', async () => {
  const app = await registerApp(fixture, fixture.second)
  const token = await ownToken(fixture, app)
  const person = await addPerson(fixture, { [fixture.company.companyId]: 'viewer' })
  const cookie = await openSession(fixture, person)
  const { access_token } = await redeem(
    fixture,
    await newCode(fixture, fixture.app, cookie, [fixture.company.companyId]),
  )
  for (const living of [token, access_token]) expect(await stateOf(living)).toMatchObject({ active: true })
  await switchCompany(fixture, fixture.second.companyId, false)
  expect(await stateOf(token)).toEqual(inactive)
  await switchCompany(fixture, fixture.second.companyId, true)
  await fixture.sql('update oauth_clients set enabled = false where id = $1', [app.id])
  expect(await stateOf(token)).toEqual(inactive)
  await fixture.sql('delete from memberships where person_id = $1', [person])
  expect(await stateOf(access_token)).toEqual(inactive)
})

it('RFC 7662 §2.2: the scope that is told is what the token can still do', async () => {
  const app = await registerApp(fixture, fixture.company, { scopes: ['invoices:read', 'debtors:read'] })
  const token = await ownToken(fixture, app)
  await fixture.sql(`update oauth_clients set scopes = '{debtors:read}' where id = $1`, [app.id])
  expect((await stateOf(token)).scope).toBe('debtors:read')
})

it('RFC 7662 §4: nobody learns from a grant by a digest: only the token itself is known', async () => {
  const { refresh_token } = await tokens()
  await revoke(plainSha256(refresh_token).toString('hex'))
  expect((await requestToken(fixture, refreshWith(fixture.app, refresh_token))).status).toBe(200)
})
