import { expect, it } from 'vitest'
import { plainSha256 } from '../../../../src/kit/crypto.ts'
import { claimsLike, newSigner, signerOf, signWith } from './forge.ts'
import {
  addPerson,
  askToken,
  basic,
  errorOf,
  newCode,
  openSession,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  send,
  type Tokens,
  useToken,
} from './stage.ts'
import { useStage } from './use-stage.ts'

const stage = useStage()

const tokens = async (): Promise<Tokens> =>
  redeem(stage, await newCode(stage, stage.app, stage.cookie, [stage.company.companyId]))
const revoke = async (token: string, headers = {}) => {
  const told = await send(stage, 'POST', '/api/oauth/revoke', { json: { token }, headers })
  expect([told.status, told.text, told.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
}
const stateOf = async (token: string) => {
  const told = await send(stage, 'POST', '/api/oauth/introspect', { form: { token } })
  expect([told.status, told.headers.get('cache-control')]).toEqual([200, 'no-store'])
  return told.json
}
const inactive = { active: false }
const statusOf = async (token: string) => (await useToken(stage, token)).status

it('RFC 7009 §2.1: revoking an access token refuses it at once, and it alone', async () => {
  const first = await tokens()
  const second = await redeem(stage, refreshWith(stage.app, first.refresh_token))
  await revoke(first.access_token)
  expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([401, 200])
  expect((await askToken(stage, refreshWith(stage.app, second.refresh_token))).status).toBe(200)
  const [own, other] = [await ownToken(stage, stage.app), await ownToken(stage, stage.app)]
  await revoke(own)
  expect([await statusOf(own), await statusOf(other)]).toEqual([401, 200])
})

it('RFC 7009 §2.1: revoking a refresh token ends its grant: every access token and refresh token of it', async () => {
  const first = await tokens()
  const second = await redeem(stage, refreshWith(stage.app, first.refresh_token))
  const other = await registerApp(stage, stage.company)
  const untouched = await redeem(stage, await newCode(stage, other, stage.cookie, [stage.company.companyId]))
  await revoke(second.refresh_token)
  for (const { access_token } of [first, second]) expect(await statusOf(access_token)).toBe(401)
  const told = await askToken(stage, refreshWith(stage.app, second.refresh_token))
  expect([told.status, errorOf(told)]).toEqual([400, 'invalid_grant'])
  expect(await statusOf(untouched.access_token)).toBe(200)
})

it('RFC 7009 §2.2: revoking again, a token nobody knows, an expired one or garbage is answered with 200 and nothing', async () => {
  const { access_token, refresh_token } = await tokens()
  const active = await signerOf(stage, stage.house.installation.config.KEYRING!, 'active')
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
    'x'.repeat(900_000),
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
      const told = await send(stage, 'POST', path, { form })
      expect([told.status, errorOf(told)]).toEqual([400, 'invalid_request'])
    }
    const told = await send(stage, 'POST', path, { raw: { type: 'text/plain', body: 'token=x' } })
    expect([told.status, errorOf(told)]).toEqual([400, 'invalid_request'])
  }
})

it('RFC 7009 §2.1: a hint, right or wrong, and credentials beside the token change nothing', async () => {
  for (const hint of ['access_token', 'refresh_token', 'unknown']) {
    const { access_token, refresh_token } = await tokens()
    for (const token of [access_token, refresh_token]) {
      const form = { token, token_type_hint: hint, client_id: stage.app.id, client_secret: stage.app.secret }
      expect((await send(stage, 'POST', '/api/oauth/revoke', { form })).status).toBe(200)
    }
    expect(await statusOf(access_token)).toBe(401)
  }
  await revoke(await ownToken(stage, stage.app), basic(stage.app))
})

it('RFC 7662 §2.2: a living access token is described', async () => {
  const { access_token } = await tokens()
  expect(await stateOf(access_token)).toMatchObject({
    active: true,
    client_id: stage.app.id,
    token_type: 'Bearer',
    sub: stage.person,
    iss: stage.issuer,
    aud: stage.issuer,
    scope: expect.stringContaining('invoices:read'),
  })
  const told = await send(stage, 'POST', '/api/oauth/introspect', {
    json: { token: await ownToken(stage, stage.app) },
  })
  expect(told.json).toMatchObject({ active: true, sub: stage.app.id, client_id: stage.app.id })
})

it('RFC 7662 §2.2: refresh tokens, codes, garbage and tokens of others are inactive, and nothing more is said', async () => {
  const code = await newCode(stage, stage.app, stage.cookie, [stage.company.companyId])
  const { access_token, refresh_token } = await tokens()
  const active = await signerOf(stage, stage.house.installation.config.KEYRING!, 'active')
  const other = await signWith(active, claimsLike(access_token, { iss: 'https://other.example' }))
  const forged = await signWith(await newSigner(), claimsLike(access_token))
  for (const token of [
    refresh_token,
    code.code!,
    other,
    forged,
    stage.app.secret,
    'x',
    '..',
    "' or 1=1 --",
    'é',
    'x'.repeat(900_000),
  ])
    expect(await stateOf(token)).toEqual(inactive)
})

it('RFC 7662 §2.2: an expired and a revoked access token are inactive, and one whose grant ended', async () => {
  const first = await tokens()
  const active = await signerOf(stage, stage.house.installation.config.KEYRING!, 'active')
  expect(
    await stateOf(await signWith(active, claimsLike(first.access_token, { iat: 1_000, exp: 4_600 }))),
  ).toEqual(inactive)
  const second = await redeem(stage, refreshWith(stage.app, first.refresh_token))
  await revoke(first.access_token)
  expect(await stateOf(first.access_token)).toEqual(inactive)
  expect(await stateOf(second.access_token)).toMatchObject({ active: true })
  await revoke(second.refresh_token)
  expect(await stateOf(second.access_token)).toEqual(inactive)
})

it('RFC 7662 §2.2: a token that opens no company any more is inactive: client, company or membership gone', async () => {
  const app = await registerApp(stage, stage.second)
  const token = await ownToken(stage, app)
  const person = await addPerson(stage, { [stage.company.companyId]: 'viewer' })
  const cookie = await openSession(stage, person)
  const { access_token } = await redeem(
    stage,
    await newCode(stage, stage.app, cookie, [stage.company.companyId]),
  )
  for (const living of [token, access_token]) expect(await stateOf(living)).toMatchObject({ active: true })
  await stage.sql('update companies set enabled = false where id = $1', [stage.second.companyId])
  expect(await stateOf(token)).toEqual(inactive)
  await stage.sql('update companies set enabled = true where id = $1', [stage.second.companyId])
  await stage.sql('update oauth_clients set enabled = false where id = $1', [app.id])
  expect(await stateOf(token)).toEqual(inactive)
  await stage.sql('delete from memberships where person_id = $1', [person])
  expect(await stateOf(access_token)).toEqual(inactive)
})

it('RFC 7662 §2.2: the scope that is told is what the token can still do', async () => {
  const app = await registerApp(stage, stage.company, { scopes: ['invoices:read', 'debtors:read'] })
  const token = await ownToken(stage, app)
  await stage.sql(`update oauth_clients set scopes = '{debtors:read}' where id = $1`, [app.id])
  expect((await stateOf(token)).scope).toBe('debtors:read')
})

it('RFC 7662 §4: nobody learns from a grant by a digest: only the token itself is known', async () => {
  const { refresh_token } = await tokens()
  await revoke(plainSha256(refresh_token).toString('hex'))
  expect((await askToken(stage, refreshWith(stage.app, refresh_token))).status).toBe(200)
})
