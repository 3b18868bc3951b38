import { expect, it } from 'vitest'
import { newKeyring } from '../../../../dev/installation.ts'
import { scopes } from '../../../../src/features/access/scopes.ts'
import { createStartContext, startApi } from '../../../../src/start/api.ts'
import { readConfig } from '../../../../src/start/config.ts'
import { startWorker } from '../../../../src/start/worker.ts'
import { randomAddress, send } from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture({ own: 'reads the whole installation' })

it('RFC 8414 §3.3: the issuer of the metadata is the address it was asked at', async () => {
  const reply = await send(fixture, 'GET', '/.well-known/oauth-authorization-server')
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    expect.stringMatching(/^application\/json/),
  ])
  expect(reply.json.issuer).toBe(fixture.issuer)
})

it('RFC 8414 §2: every endpoint is under the issuer, at the path of the specification', async () => {
  const { json } = await send(fixture, 'GET', '/.well-known/oauth-authorization-server')
  const endpoints = Object.fromEntries(
    Object.entries(json).filter(([name]) => name.endsWith('_endpoint') || name.endsWith('_uri')),
  )
  expect(endpoints).toEqual({
    authorization_endpoint: `${fixture.issuer}/api/oauth/authorize`,
    token_endpoint: `${fixture.issuer}/api/oauth/token`,
    revocation_endpoint: `${fixture.issuer}/api/oauth/revoke`,
    introspection_endpoint: `${fixture.issuer}/api/oauth/introspect`,
    jwks_uri: `${fixture.issuer}/.well-known/jwks.json`,
  })
})

it('RFC 8414 §2: what it offers is what it does, and nothing OAuth 2.1 took away', async () => {
  const { json } = await send(fixture, 'GET', '/.well-known/oauth-authorization-server')
  expect(json).toMatchObject({
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
  expect(json.scopes_supported).toEqual(scopes)
})

it('RFC 8414 §2: an issuer is https, or loopback while developing', () => {
  const base = { RELANCE_ENV: 'production', KEYRING: newKeyring() }
  for (const url of ['http://relance.example', 'https://relance.example/?a', 'https://relance.example/#a'])
    expect(() => readConfig({ ...base, PUBLIC_URL: url }), url).toThrow(/PUBLIC_URL/)
  expect(() => readConfig({ ...base, PUBLIC_URL: 'https://relance.example' })).not.toThrow()
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:8080'])
    expect(() => readConfig({ RELANCE_ENV: 'development', PUBLIC_URL: url })).not.toThrow()
})

it('RFC 8414 §2: in production no issuer is guessed: neither the api nor a worker starts without one', async () => {
  const { config } = fixture.installation.server
  const context = createStartContext({ ...config, RELANCE_ENV: 'production', PUBLIC_URL: undefined })
  await expect(startApi(context)).rejects.toThrow(/PUBLIC_URL/)
  await expect(startWorker(context)).rejects.toThrow(/PUBLIC_URL/)
})

it('RFC 7517 §4: the key set has public keys that sign, one that will, and nothing private', async () => {
  const reply = await send(fixture, 'GET', '/.well-known/jwks.json')
  const keys = reply.json.keys as Record<string, unknown>[]
  expect(keys).toHaveLength(2)
  for (const key of keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    expect(Buffer.from(String(key.n), 'base64url').length).toBeGreaterThanOrEqual(256)
  }
  expect(new Set(keys.map(key => key.kid)).size).toBe(2)
})

it('RFC 7518 §3.3: private keys are sealed where they are kept', async () => {
  const rows = await fixture.sql<{ row: string }>('select row_to_json(k)::text as row from signing_keys k')
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows)
    for (const sign of ['"d"', '"p"', '"dp"', 'PRIVATE']) expect(row).not.toContain(sign)
})

it.each(['/.well-known/oauth-authorization-server', '/.well-known/jwks.json'])(
  '%s is never refused by limits: whoever checks tokens cannot do without it',
  async path => {
    const headers = { 'x-forwarded-for': randomAddress() }
    const reply = await Promise.all(
      Array.from({ length: 100 }, () => send(fixture, 'GET', path, { headers })),
    )
    expect(new Set(reply.map(({ status }) => status))).toEqual(new Set([200]))
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => (await send(fixture, 'GET', '/nothing', { headers })).status),
    )
    expect(statuses).toContain(429)
    expect((await send(fixture, 'GET', path, { headers })).status).toBe(200)
  },
)
