import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../../dev/ports.ts'
import { type ManagedProcess, productProcess } from '../../../chaos/managed-process.ts'
import { breakableProxy } from './breakable-proxy.ts'
import {
  authorization,
  basic,
  consent,
  errorOf,
  type HttpReply,
  hiddenFields,
  newCode,
  newPkce,
  type OAuthServer,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  requestConsent,
  requestToken,
  send,
  type Tokens,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

// The fixture creates companies and people; the requests go to a separate process whose log can be read.
const fixture = useOAuthFixture({ own: 'stops or changes parts' })
let server: OAuthServer
let api: ManagedProcess
let proxy: Awaited<ReturnType<typeof breakableProxy>>
let logDir: string
const exits: string[] = []

beforeAll(async () => {
  const { config } = fixture.installation.server
  proxy = await breakableProxy(fixture.installation.database.env.API_DATABASE_URL)
  logDir = await mkdtemp(join(tmpdir(), 'relance-oauth-'))
  const port = await freePort()
  api = productProcess({
    role: 'api',
    name: 'api',
    env: {
      RELANCE_ENV: 'development',
      API_DATABASE_URL: proxy.url,
      KEYRING: config.KEYRING!,
      PORT: String(port),
      PUBLIC_URL: fixture.issuer,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'debug',
    },
    logFile: join(logDir, 'api.log'),
    onUnexpectedExit: message => exits.push(message),
  })
  await api.start()
  server = { url: `http://127.0.0.1:${port}`, issuer: fixture.issuer, sql: fixture.sql }
})
afterAll(async () => {
  await api?.stop()
  await proxy?.stop()
  await rm(logDir, { recursive: true, force: true })
})

const code = (app = fixture.app) => newCode(server, app, fixture.cookie, [fixture.company.companyId])
/** Of another application: a newer consent to the same one would end the older. */
const otherCode = async () => code(await registerApp(fixture, fixture.company))
const tokens = async (): Promise<Tokens> => redeem(server, await code())
const own = () => ({
  grant_type: 'client_credentials',
  client_id: fixture.app.id,
  client_secret: fixture.app.secret,
})

/** The expected error code, without any detail of the cause. */
function expectUnavailable(reply: HttpReply, status: number, error: string): void {
  expect([reply.status, reply.json.error], reply.text).toEqual([status, error])
  expect(reply.text).not.toMatch(/postgres|ECONN|connection|relation|SQL|select|oauth_|\bat \/|127\.0\.0\.1/i)
  expect(reply.headers.get('cache-control')).toBe('no-store')
}

/** Locks the selected rows in another transaction; returns a function that releases them. */
async function holding(text: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: fixture.installation.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(text)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

it('RFC 6749 §5.2: PostgreSQL away is 503 at every endpoint, in JSON, without a detail; afterwards all is as before', async () => {
  const { access_token, refresh_token } = await tokens()
  const codeGrant = await otherCode()
  proxy.disconnect()
  for (const reply of [
    await requestToken(server, own()),
    await requestToken(server, codeGrant),
    await requestToken(server, refreshWith(fixture.app, refresh_token)),
    await send(server, 'POST', '/api/oauth/revoke', { json: { token: refresh_token } }),
    await send(server, 'POST', '/api/oauth/introspect', { json: { token: access_token } }),
    await send(server, 'GET', '/.well-known/jwks.json'),
  ]) {
    expectUnavailable(reply, 503, 'temporarily_unavailable')
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const page = await requestConsent(server, authorization(fixture.app, newPkce()), fixture.cookie)
  expect([page.status, page.headers.get('location')]).toEqual([503, null])
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const called = await useToken(server, access_token)
  expect([called.status, errorOf(called)]).toEqual([503, 'SVC_001'])
  proxy.reconnect()
  expect((await requestToken(server, codeGrant)).status).toBe(200)
  expect((await requestToken(server, refreshWith(fixture.app, refresh_token))).status).toBe(200)
})

it('RFC 6749 §5.2: a connection that breaks while a code is redeemed is 503, and the code is still good', async () => {
  const codeGrant = await code()
  const letGo = await holding('select from oauth_codes for update')
  const asked = requestToken(server, codeGrant)
  await pause(300)
  proxy.disconnect()
  expectUnavailable(await asked, 503, 'temporarily_unavailable')
  proxy.reconnect()
  await letGo()
  expect((await requestToken(server, codeGrant)).status).toBe(200)
})

it('RFC 6749 §5.2: a code that is held by somebody for too long is 503 with Retry-After, and not the fault of the client', async () => {
  const codeGrant = await code()
  const letGo = await holding('select from oauth_codes for update')
  const reply = await requestToken(server, codeGrant)
  await letGo()
  expectUnavailable(reply, 503, 'temporarily_unavailable')
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await requestToken(server, codeGrant)).status).toBe(200)
})

it('RFC 6749 §5.2: a defect of ours is 500 server_error without a detail, and undoes what was begun', async () => {
  const { refresh_token } = await tokens()
  const codeGrant = await otherCode()
  await fixture.sql('alter table oauth_refresh_tokens rename to elsewhere')
  const answers = [
    await requestToken(server, codeGrant),
    await requestToken(server, refreshWith(fixture.app, refresh_token)),
    await send(server, 'POST', '/api/oauth/revoke', { json: { token: refresh_token } }),
  ]
  await fixture.sql('alter table elsewhere rename to oauth_refresh_tokens')
  for (const reply of answers) expectUnavailable(reply, 500, 'server_error')
  expect((await requestToken(server, codeGrant)).status).toBe(200)
  expect((await requestToken(server, refreshWith(fixture.app, refresh_token))).status).toBe(200)
  await fixture.sql('alter table memberships rename to elsewhere')
  const page = await requestConsent(server, authorization(fixture.app, newPkce()), fixture.cookie)
  await fixture.sql('alter table elsewhere rename to memberships')
  expect([page.status, page.headers.get('content-type')]).toEqual([500, expect.stringMatching(/^text\/html/)])
  expect(page.text).not.toMatch(/relation|memberships/)
})

it('in maintenance every endpoint says when to come back, in the words of OAuth', async () => {
  const until = new Date(Date.now() + 60_000).toISOString()
  await fixture.sql('update installation set maintenance_until = $1', [until])
  let reply = await requestToken(server, own())
  for (let i = 0; i < 200 && reply.status !== 503; i++) {
    await pause(50)
    reply = await requestToken(server, own())
  }
  await fixture.sql('update installation set maintenance_until = null')
  expectUnavailable(reply, 503, 'temporarily_unavailable')
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(30)
  for (let i = 0; i < 200 && reply.status === 503; i++) {
    await pause(50)
    reply = await requestToken(server, own())
  }
  expect(reply.status).toBe(200)
})

it('RFC 9700 §4.3: nothing secret is in the log, whatever went well or wrong', async () => {
  const codeGrant = await code()
  const first = await redeem(server, codeGrant)
  const second = await redeem(server, refreshWith(fixture.app, first.refresh_token))
  const access = await ownToken(server, fixture.app)
  const pkce = newPkce()
  const fields = hiddenFields(await requestConsent(server, authorization(fixture.app, pkce), fixture.cookie))
  const wrong = { ...fixture.app, secret: `${fixture.app.secret}WRONG` }
  await consent(server, fixture.cookie, authorization(fixture.app, pkce), [fixture.company.companyId])
  for (const broken of [false, true]) {
    if (broken) await fixture.sql('alter table oauth_clients rename to elsewhere')
    await requestToken(server, codeGrant)
    await requestToken(server, { grant_type: 'client_credentials' }, basic(wrong))
    await requestToken(server, refreshWith(fixture.app, second.refresh_token))
    await send(server, 'POST', '/api/oauth/introspect', { json: { token: second.access_token } })
    await send(server, 'POST', '/api/oauth/revoke', { json: { token: second.refresh_token } })
    await requestConsent(server, authorization(fixture.app, pkce), fixture.cookie)
    await useToken(server, access)
    if (broken) await fixture.sql('alter table elsewhere rename to oauth_clients')
  }
  proxy.disconnect()
  for (const form of [codeGrant, own(), refreshWith(fixture.app, first.refresh_token)])
    await requestToken(server, form)
  await useToken(server, access)
  proxy.reconnect()
  await pause(300)
  const log = await readFile(join(logDir, 'api.log'), 'utf8')
  expect(log).toContain('"msg":"unhandled error"')
  const secrets = {
    clientSecret: fixture.app.secret,
    basic: basic(fixture.app).authorization!.slice(6),
    wrongBasic: basic(wrong).authorization!.slice(6),
    code: codeGrant.code!,
    verifier: codeGrant.code_verifier!,
    refresh: first.refresh_token,
    nextRefresh: second.refresh_token,
    access: access.split('.')[2]!,
    personAccess: second.access_token.split('.')[2]!,
    session: fixture.cookie.split('=')[1]!,
    csrf: fields.csrf!,
    request: fields.request!,
    keyring: fixture.installation.server.config.KEYRING!.split(':')[1]!,
    password: `:${new URL(proxy.url).password}@`,
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(5)
    expect(log.includes(secret), name).toBe(false)
  }
  expect(exits).toEqual([])
})
