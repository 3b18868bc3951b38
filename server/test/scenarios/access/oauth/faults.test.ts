import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../../dev/ports.ts'
import { type Part, program } from '../../../chaos/part.ts'
import { cutLine } from './cut-line.ts'
import {
  askConsent,
  askToken,
  authorization,
  basic,
  consent,
  errorOf,
  hiddenFields,
  newCode,
  newPkce,
  ownToken,
  redeem,
  refreshWith,
  registerApp,
  type Stage,
  send,
  type Tokens,
  type Told,
  useToken,
} from './stage.ts'
import { useStage } from './use-stage.ts'

// The house is where companies and people come from; the requests go to a process of its own, whose every word can be read.
const house = useStage()
let stage: Stage
let api: Part
let line: Awaited<ReturnType<typeof cutLine>>
let logDir: string
const ended: string[] = []

beforeAll(async () => {
  const { config } = house.house.installation
  line = await cutLine(house.house.database.env.API_DATABASE_URL)
  logDir = await mkdtemp(join(tmpdir(), 'relance-oauth-'))
  const port = await freePort()
  api = program({
    role: 'api',
    name: 'api',
    env: {
      RELANCE_ENV: 'development',
      API_DATABASE_URL: line.url,
      KEYRING: config.KEYRING!,
      PORT: String(port),
      PUBLIC_URL: house.issuer,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'debug',
    },
    logFile: join(logDir, 'api.log'),
    onOwnEnd: words => ended.push(words),
  })
  await api.start()
  stage = { url: `http://127.0.0.1:${port}`, issuer: house.issuer, sql: house.sql }
})
afterAll(async () => {
  await api?.stop()
  await line?.stop()
  await rm(logDir, { recursive: true, force: true })
})

const code = (app = house.app) => newCode(stage, app, house.cookie, [house.company.companyId])
/** Of another application: a newer consent to the same one would end the older. */
const otherCode = async () => code(await registerApp(house, house.company))
const tokens = async (): Promise<Tokens> => redeem(stage, await code())
const own = () => ({
  grant_type: 'client_credentials',
  client_id: house.app.id,
  client_secret: house.app.secret,
})

/** Which word it is, and nothing about why. */
function expectUnavailable(told: Told, status: number, error: string): void {
  expect([told.status, told.json.error], told.text).toEqual([status, error])
  expect(told.text).not.toMatch(/postgres|ECONN|connection|relation|SQL|select|oauth_|\bat \/|127\.0\.0\.1/i)
  expect(told.headers.get('cache-control')).toBe('no-store')
}

/** Somebody else holds the rows that were found, until told to let go. */
async function holding(text: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: house.house.database.adminUrl })
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
  const wish = await otherCode()
  line.cut()
  for (const told of [
    await askToken(stage, own()),
    await askToken(stage, wish),
    await askToken(stage, refreshWith(house.app, refresh_token)),
    await send(stage, 'POST', '/api/oauth/revoke', { json: { token: refresh_token } }),
    await send(stage, 'POST', '/api/oauth/introspect', { json: { token: access_token } }),
    await send(stage, 'GET', '/.well-known/jwks.json'),
  ]) {
    expectUnavailable(told, 503, 'temporarily_unavailable')
    expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const page = await askConsent(stage, authorization(house.app, newPkce()), house.cookie)
  expect([page.status, page.headers.get('location')]).toEqual([503, null])
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const called = await useToken(stage, access_token)
  expect([called.status, errorOf(called)]).toEqual([503, 'SVC_001'])
  line.mend()
  expect((await askToken(stage, wish)).status).toBe(200)
  expect((await askToken(stage, refreshWith(house.app, refresh_token))).status).toBe(200)
})

it('RFC 6749 §5.2: a connection that breaks while a code is redeemed is 503, and the code is still good', async () => {
  const wish = await code()
  const letGo = await holding('select from oauth_codes for update')
  const asked = askToken(stage, wish)
  await pause(300)
  line.cut()
  expectUnavailable(await asked, 503, 'temporarily_unavailable')
  line.mend()
  await letGo()
  expect((await askToken(stage, wish)).status).toBe(200)
})

it('RFC 6749 §5.2: a code that is held by somebody for too long is 503 with Retry-After, and not the fault of the client', async () => {
  const wish = await code()
  const letGo = await holding('select from oauth_codes for update')
  const told = await askToken(stage, wish)
  await letGo()
  expectUnavailable(told, 503, 'temporarily_unavailable')
  expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await askToken(stage, wish)).status).toBe(200)
})

it('RFC 6749 §5.2: a defect of ours is 500 server_error without a detail, and undoes what was begun', async () => {
  const { refresh_token } = await tokens()
  const wish = await otherCode()
  await house.sql('alter table oauth_refresh_tokens rename to elsewhere')
  const answers = [
    await askToken(stage, wish),
    await askToken(stage, refreshWith(house.app, refresh_token)),
    await send(stage, 'POST', '/api/oauth/revoke', { json: { token: refresh_token } }),
  ]
  await house.sql('alter table elsewhere rename to oauth_refresh_tokens')
  for (const told of answers) expectUnavailable(told, 500, 'server_error')
  expect((await askToken(stage, wish)).status).toBe(200)
  expect((await askToken(stage, refreshWith(house.app, refresh_token))).status).toBe(200)
  await house.sql('alter table memberships rename to elsewhere')
  const page = await askConsent(stage, authorization(house.app, newPkce()), house.cookie)
  await house.sql('alter table elsewhere rename to memberships')
  expect([page.status, page.headers.get('content-type')]).toEqual([500, expect.stringMatching(/^text\/html/)])
  expect(page.text).not.toMatch(/relation|memberships/)
})

it('in maintenance every endpoint says when to come back, in the words of OAuth', async () => {
  const until = new Date(Date.now() + 60_000).toISOString()
  await house.sql('update installation set maintenance_until = $1', [until])
  let told = await askToken(stage, own())
  for (let i = 0; i < 200 && told.status !== 503; i++) {
    await pause(50)
    told = await askToken(stage, own())
  }
  await house.sql('update installation set maintenance_until = null')
  expectUnavailable(told, 503, 'temporarily_unavailable')
  expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(30)
  for (let i = 0; i < 200 && told.status === 503; i++) {
    await pause(50)
    told = await askToken(stage, own())
  }
  expect(told.status).toBe(200)
})

it('RFC 9700 §4.3: nothing secret is in the log, whatever went well or wrong', async () => {
  const wish = await code()
  const first = await redeem(stage, wish)
  const second = await redeem(stage, refreshWith(house.app, first.refresh_token))
  const access = await ownToken(stage, house.app)
  const pkce = newPkce()
  const fields = hiddenFields(await askConsent(stage, authorization(house.app, pkce), house.cookie))
  const wrong = { ...house.app, secret: `${house.app.secret}WRONG` }
  await consent(stage, house.cookie, authorization(house.app, pkce), [house.company.companyId])
  for (const broken of [false, true]) {
    if (broken) await house.sql('alter table oauth_clients rename to elsewhere')
    await askToken(stage, wish)
    await askToken(stage, { grant_type: 'client_credentials' }, basic(wrong))
    await askToken(stage, refreshWith(house.app, second.refresh_token))
    await send(stage, 'POST', '/api/oauth/introspect', { json: { token: second.access_token } })
    await send(stage, 'POST', '/api/oauth/revoke', { json: { token: second.refresh_token } })
    await askConsent(stage, authorization(house.app, pkce), house.cookie)
    await useToken(stage, access)
    if (broken) await house.sql('alter table elsewhere rename to oauth_clients')
  }
  line.cut()
  for (const form of [wish, own(), refreshWith(house.app, first.refresh_token)]) await askToken(stage, form)
  await useToken(stage, access)
  line.mend()
  await pause(300)
  const log = await readFile(join(logDir, 'api.log'), 'utf8')
  expect(log).toContain('"msg":"defect"')
  const secrets = {
    clientSecret: house.app.secret,
    basic: basic(house.app).authorization!.slice(6),
    wrongBasic: basic(wrong).authorization!.slice(6),
    code: wish.code!,
    verifier: wish.code_verifier!,
    refresh: first.refresh_token,
    nextRefresh: second.refresh_token,
    access: access.split('.')[2]!,
    personAccess: second.access_token.split('.')[2]!,
    session: house.cookie.split('=')[1]!,
    csrf: fields.csrf!,
    request: fields.request!,
    keyring: house.house.installation.config.KEYRING!.split(':')[1]!,
    password: `:${new URL(line.url).password}@`,
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(5)
    expect(log.includes(secret), name).toBe(false)
  }
  expect(ended).toEqual([])
})
