import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeProtectedHeader } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import {
  assembleToken,
  claimsLike,
  newSigner,
  rsaSignature,
  type Signer,
  signerOf,
  signWith,
} from './forge.ts'
import { errorOf, newCode, ownToken, redeem, registerApp, useToken } from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()
const seconds = () => Math.floor(Date.now() / 1000)

let genuine: string
let active: Signer
let foreign: Signer
beforeAll(async () => {
  genuine = await ownToken(fixture, fixture.app)
  active = await signerOf(fixture, fixture.installation.server.config.KEYRING!, 'active')
  foreign = await newSigner()
})
const answer = async (token: string) => {
  const reply = await useToken(fixture, token)
  return [reply.status, reply.status === 200 ? 'ok' : errorOf(reply)]
}
const refused = [401, 'AUTH_002']
const header = () => decodeProtectedHeader(genuine) as Record<string, unknown>

it('what every forgery below is measured against: the same claims signed by the active key are believed', async () => {
  expect(await answer(genuine)).toEqual([200, 'ok'])
  expect(await answer(await signWith(active, claimsLike(genuine)))).toEqual([200, 'ok'])
  const signature = rsaSignature(createPrivateKey({ key: active.privateJwk as never, format: 'jwk' }))
  expect(await answer(assembleToken(header(), claimsLike(genuine), signature))).toEqual([200, 'ok'])
})

it.each(['none', 'None', 'NONE', 'nOnE', '', 'null'])(
  'RFC 8725 §3.1: alg %j with no signature is refused',
  async alg => {
    for (const kid of [active.kid, undefined])
      expect(await answer(assembleToken({ alg, typ: 'at+jwt', kid }, claimsLike(genuine), () => ''))).toEqual(
        refused,
      )
  },
)

it('RFC 8725 §2.1: HS256 with our public key as the secret is refused, however the key is written', async () => {
  const key = createPublicKey({ key: active.publicJwk as never, format: 'jwk' })
  const secrets = [
    key.export({ format: 'pem', type: 'spki' }),
    String(key.export({ format: 'pem', type: 'spki' })).trim(),
    key.export({ format: 'pem', type: 'pkcs1' }),
    key.export({ format: 'der', type: 'spki' }),
    JSON.stringify(active.publicJwk),
    String(active.publicJwk.n),
    Buffer.from(String(active.publicJwk.n), 'base64url'),
    '',
  ]
  for (const secret of secrets) {
    const hmac = (input: string) =>
      createHmac('sha256', secret as string)
        .update(input)
        .digest('base64url')
    expect(await answer(assembleToken({ ...header(), alg: 'HS256' }, claimsLike(genuine), hmac))).toEqual(
      refused,
    )
  }
})

it('RFC 8725 §3.1: other algorithms are refused, with our own key too', async () => {
  const key = createPrivateKey({ key: active.privateJwk as never, format: 'jwk' })
  const rs512 = (input: string) => sign('sha512', Buffer.from(input), key).toString('base64url')
  expect(await answer(assembleToken({ ...header(), alg: 'RS512' }, claimsLike(genuine), rs512))).toEqual(
    refused,
  )
  const ps256 = (input: string) =>
    sign('sha256', Buffer.from(input), { key, padding: 6, saltLength: 32 }).toString('base64url')
  expect(await answer(assembleToken({ ...header(), alg: 'PS256' }, claimsLike(genuine), ps256))).toEqual(
    refused,
  )
  const { privateKey } = generateKeyPairSync('ed25519')
  const eddsa = (input: string) => sign(null, Buffer.from(input), privateKey).toString('base64url')
  expect(await answer(assembleToken({ ...header(), alg: 'EdDSA' }, claimsLike(genuine), eddsa))).toEqual(
    refused,
  )
})

it.each([
  ['a path', '../../../../../../dev/null'],
  ['an absolute path', '/proc/sys/kernel/randomize_va_space'],
  ['an SQL phrase', "x' union select 'a' --"],
  ['an address', 'https://evil.example/key.json'],
  ['a command', '| id'],
  ['empty', ''],
  ['NUL', '\0'],
  ['a name JavaScript knows', '__proto__'],
  ['long', 'k'.repeat(3_000)],
  ['a list', ['a']],
  ['an object', { $ne: null }],
  ['a number', 1],
  ['null', null],
  ['missing', undefined],
])('RFC 8725 §3.10: a kid that is %s is refused', async (_, kid) => {
  const own = rsaSignature(createPrivateKey({ key: foreign.privateJwk as never, format: 'jwk' }))
  const ours = rsaSignature(createPrivateKey({ key: active.privateJwk as never, format: 'jwk' }))
  for (const signature of [own, ours, () => ''])
    expect(
      await answer(assembleToken({ alg: 'RS256', typ: 'at+jwt', kid }, claimsLike(genuine), signature)),
    ).toEqual(refused)
})

it('RFC 8725 §3.10: keys a token brings or points to are neither believed nor fetched', async () => {
  let asked = 0
  const keyServer = createServer((_, response) => {
    asked++
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [foreign.publicJwk] }))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => keyServer.once('listening', resolve))
  const url = `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}/jwks.json`
  const claims = claimsLike(genuine)
  try {
    for (const kid of [foreign.kid, active.kid])
      for (const extra of [{ jku: url }, { x5u: url }, { jwk: foreign.publicJwk }, { x5c: ['AAAA'] }])
        expect(await answer(await signWith(foreign, claims, { kid, ...extra }))).toEqual(refused)
    expect(asked).toBe(0)
    // With the right key and a valid signature these headers are ignored.
    expect(
      await answer(await signWith(active, claimsLike(genuine), { jku: url, jwk: foreign.publicJwk })),
    ).toEqual([200, 'ok'])
    expect(asked).toBe(0)
  } finally {
    keyServer.close()
  }
})

it('RFC 9068 §4: a token of another type is refused', async () => {
  for (const typ of ['JWT', 'jwt', 'id_token', 'logout+jwt', 'at', '', undefined])
    expect(await answer(await signWith(active, claimsLike(genuine), { typ })), String(typ)).toEqual(refused)
})

it('RFC 7515 §4.1.11: a token that insists on an extension nobody here knows is refused', async () => {
  const signature = rsaSignature(createPrivateKey({ key: active.privateJwk as never, format: 'jwk' }))
  expect(
    await answer(assembleToken({ ...header(), crit: ['x'], x: 1 }, claimsLike(genuine), signature)),
  ).toEqual(refused)
  expect(
    await answer(assembleToken({ ...header(), crit: ['b64'], b64: false }, claimsLike(genuine), signature)),
  ).toEqual(refused)
})

it.each([
  ['another audience', { aud: 'https://other.example' }],
  ['no audience', { aud: undefined }],
  ['the audience with a slash more', () => ({ aud: `${fixture.issuer}/` })],
  ['another issuer', { iss: 'https://other.example' }],
  ['the issuer with a slash more', () => ({ iss: `${fixture.issuer}/` })],
  ['no issuer', { iss: undefined }],
  ['not yet valid', () => ({ nbf: seconds() + 120 })],
  ['issued in the future', () => ({ iat: seconds() + 120, exp: seconds() + 3720 })],
  ['no moment of issue', { iat: undefined }],
  ['a moment of issue that is a text', { iat: 'now' }],
  ['no end', { exp: undefined }],
  ['an end that is a text', { exp: '9999999999' }],
  ['no id', { jti: undefined }],
  ['an id that is none', { jti: "' or 1=1 --" }],
  ['an id in capitals with braces', { jti: '{01A1DED9-B902-7045-B3E1-D50158305EC9}' }],
  ['no subject', { sub: undefined }],
  ['another subject', { sub: 'oc_e1somebodyelse0000000' }],
  ['no client', { client_id: undefined }],
  ['another client', { client_id: 'oc_e1somebodyelse0000000' }],
  ['a client that is a list', { client_id: ['a'] }],
  ['no scope', { scope: undefined }],
  ['a scope that is a list', { scope: ['invoices:read'] }],
  ['no environment', { env: undefined }],
  ['an environment nobody knows', { env: 'staging' }],
  ['a grant nobody knows', () => ({ grant: '01a1ded9-b902-7045-b3e1-d50158305ec9', sub: fixture.person })],
  ['a grant that is none', { grant: 'x' }],
])('RFC 9068 §4: a token with %s is refused, even signed by us', async (_, change) => {
  const changes = typeof change === 'function' ? change() : change
  expect(await answer(await signWith(active, claimsLike(genuine, changes)))).toEqual(refused)
})

it('RFC 9068 §4: an expired token is AUTH_003, to the second', async () => {
  const at = (exp: number) => signWith(active, claimsLike(genuine, { iat: exp - 3600, exp }))
  expect(await answer(await at(seconds()))).toEqual([401, 'AUTH_003'])
  expect(await answer(await at(seconds() - 86_400))).toEqual([401, 'AUTH_003'])
  expect(await answer(await at(seconds() + 5))).toEqual([200, 'ok'])
  // A token that is expired and also invalid is reported as invalid.
  const stale = claimsLike(genuine, { exp: seconds() - 1 })
  expect(await answer(await signWith(foreign, stale, { kid: active.kid }))).toEqual(refused)
})

it('RFC 7515 §5.2: a token that was changed by a letter anywhere is refused', async () => {
  const token = await ownToken(fixture, fixture.app, 'invoices:read')
  const [head = '', body = '', signature = ''] = token.split('.')
  const wider = Buffer.from(JSON.stringify(claimsLike(token, { scope: 'webhooks:manage' }))).toString(
    'base64url',
  )
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
  for (const made of [
    `${head}.${wider}.${signature}`,
    `${flip(head, 10)}.${body}.${signature}`,
    `${head}.${flip(body, 20)}.${signature}`,
    `${head}.${body}.${flip(signature, 20)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}..${signature}`,
    `${head}.${body}.${signature}.`,
    `${head}.${body}.${signature}.x.y`,
    `.${body}.${signature}`,
    '..',
    'abc',
  ])
    expect(await answer(made), made.slice(0, 40)).toEqual(refused)
  expect(await answer(token)).toEqual([200, 'ok'])
})

async function insertSigningKey(
  signer: Signer,
  state: 'next' | 'retired',
  retiredAt: number | null,
): Promise<void> {
  const wall = new Date().toISOString()
  await fixture.sql(
    `insert into signing_keys (kid, state, public_jwk, private_sealed, created_at, activated_at, retired_at)
     values ($1, $2, $3, 'gone', $4, $4, $5)`,
    [
      signer.kid,
      state,
      JSON.stringify(signer.publicJwk),
      wall,
      retiredAt && new Date(retiredAt).toISOString(),
    ],
  )
}

it('RFC 8725 §3.8: a token signed by a key that was never ours, or is gone, is refused; by one just retired it is believed', async () => {
  expect(await answer(await signWith(foreign, claimsLike(genuine)))).toEqual(refused)
  expect(await answer(await signWith(foreign, claimsLike(genuine), { kid: active.kid }))).toEqual(refused)
  const [gone, retired] = [await newSigner(), await newSigner()]
  await insertSigningKey(gone, 'retired', Date.now() - 2 * 3_600_000 - 1_000)
  await insertSigningKey(retired, 'retired', Date.now() - 2 * 3_600_000 + 60_000)
  expect(await answer(await signWith(gone, claimsLike(genuine)))).toEqual(refused)
  expect(await answer(await signWith(retired, claimsLike(genuine)))).toEqual([200, 'ok'])
})

it('RFC 8725 §3.8: a token signed by the key that will sign one day is refused until it does', async () => {
  const next = await signerOf(fixture, fixture.installation.server.config.KEYRING!, 'next')
  expect(await answer(await signWith(next, claimsLike(genuine)))).toEqual(refused)
})

it('RFC 6750 §2.1: refresh tokens, codes, secrets and nothing at all are no access tokens', async () => {
  const code = await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId])
  const { refresh_token } = await redeem(fixture, code)
  for (const token of [
    refresh_token,
    code.code!,
    fixture.app.secret,
    fixture.app.id,
    'a b',
    'é'.normalize('NFC'),
  ])
    expect(await answer(encodeURI(token)), token).toEqual(refused)
  for (const nothing of ['', ' ']) expect(await answer(nothing)).toEqual([401, 'AUTH_001'])
})

it('RFC 6750 §2: a token beside an API key, or by another scheme, is refused', async () => {
  const beside = await useToken(fixture, genuine, { 'x-api-key': fixture.company.productionKey })
  expect([beside.status, errorOf(beside)]).toEqual(refused)
  for (const authorization of [
    `Basic ${genuine}`,
    `Token ${genuine}`,
    genuine,
    `Bearer ${genuine}, Bearer ${genuine}`,
  ]) {
    const reply = await useToken(fixture, genuine, { authorization })
    expect([reply.status, errorOf(reply)]).toEqual(refused)
  }
})

it('RFC 6750 §2.3: a token in the query is not read', async () => {
  const reply = await fixture.installation.call('GET', `/api/v1/invoices?access_token=${genuine}`, {
    key: null,
  })
  expect([reply.status, reply.body.error.code]).toEqual([401, 'AUTH_001'])
})

it('RFC 6750 §3: a refused token is answered with WWW-Authenticate: Bearer', async () => {
  const reply = await useToken(fixture, 'abc')
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer /)
})

it('RFC 9068 §3: the scope of a token ends where the client’s ends, at the next request', async () => {
  const app = await registerApp(fixture, fixture.company, { scopes: ['invoices:read', 'debtors:read'] })
  const token = await ownToken(fixture, app)
  expect(await answer(token)).toEqual([200, 'ok'])
  await fixture.sql(`update oauth_clients set scopes = '{debtors:read}' where id = $1`, [app.id])
  expect(await answer(token)).toEqual([403, 'AUTH_004'])
})
