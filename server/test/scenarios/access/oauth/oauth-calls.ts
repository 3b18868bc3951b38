import { createHash, randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import type { CreatedCompany } from '../../../../src/features/access/companies/create-company.ts'
import type { Role } from '../../../../src/features/access/roles.ts'
import { scopes as everyScope } from '../../../../src/features/access/scopes.ts'
import type { Environment, Scope } from '../../../../src/kit/actor.ts'
import { plainSha256 } from '../../../../src/kit/crypto.ts'
import { randomAlphanumeric } from '../../../../src/kit/random-alphanumeric.ts'

/** An OAuth server and its database; applications and people are inserted directly. */
export interface OAuthServer {
  /** Where it listens. */
  url: string
  /** Its issuer URL. */
  issuer: string
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

export interface App {
  id: string
  secret: string
  redirectUri: string
  environment: Environment
}

export interface AppSettings {
  environment?: Environment
  scopes?: readonly Scope[]
  grantTypes?: readonly string[]
  redirectUris?: readonly string[]
}

export async function registerApp(
  server: OAuthServer,
  company: CreatedCompany,
  settings: AppSettings = {},
): Promise<App> {
  const {
    environment = 'production',
    scopes = everyScope,
    grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'],
    redirectUris = ['https://app.example/callback'],
  } = settings
  const id = `oc_e1${randomAlphanumeric(20)}`
  const secret = `ocs_e1${randomAlphanumeric(43)}`
  await server.sql(
    `insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, created_at, updated_at)
     values ($1, $2, $3, $4, 'Comptoir', $5, $6, $7, $8, $9, $9)`,
    [
      id,
      company.tenants[environment],
      company.companyId,
      environment,
      redirectUris,
      scopes,
      grantTypes,
      plainSha256(secret),
      new Date().toISOString(),
    ],
  )
  return { id, secret, redirectUri: redirectUris[0] ?? '', environment }
}

/** Somebody who belongs to these companies. */
export async function addPerson(server: OAuthServer, roles: Readonly<Record<string, Role>>): Promise<string> {
  const id = randomUUIDv7()
  const wall = new Date().toISOString()
  await server.sql(
    `insert into people (id, email, email_key, name, language, email_verified_at, created_at) values ($1, $2, $2, 'Camille', 'en', $3, $3)`,
    [id, `${id}@example.com`, wall],
  )
  for (const [companyId, role] of Object.entries(roles))
    await server.sql(
      'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
      [id, companyId, role, wall],
    )
  return id
}

/** A browser somebody has signed in with: its cookie. */
export async function openSession(server: OAuthServer, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await server.sql(
    `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
     values ($1, $2, 'password', '192.0.2.1', 'test', $3, $3, $4)`,
    [plainSha256(token), personId, new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()],
  )
  return `__Host-relance=${token}`
}

export interface HttpReply {
  status: number
  headers: Headers
  text: string
  /** Empty when it is no JSON. */
  json: Record<string, unknown>
  /** Where it sends the browser. */
  location: URL | null
}

export type Fields = Record<string, string> | [string, string][] | string

export interface Message {
  form?: Fields
  json?: unknown
  /** A raw body and its content type. */
  raw?: { type: string | null; body: string | Uint8Array }
  headers?: Record<string, string>
}

/** Requests without a credential are limited by address: each request here has another one. */
export const randomAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

function bodyOf({ form, json, raw }: Message): { type: string | null; body: string | Uint8Array } | null {
  if (raw) return raw
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return null
  return { type: 'application/x-www-form-urlencoded', body: String(new URLSearchParams(form)) }
}

export async function send(
  server: OAuthServer,
  method: string,
  path: string,
  message: Message = {},
): Promise<HttpReply> {
  const body = bodyOf(message)
  const response = await fetch(server.url + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': randomAddress(),
      ...(body?.type && { 'content-type': body.type }),
      ...message.headers,
    },
    // As bytes: fetch invents a type for a text that has none.
    ...(body && { body: Buffer.from(body.body as string) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const location = response.headers.get('location')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : {},
    location: location === null ? null : new URL(location, server.url),
  }
}

export const basic = ({ id, secret }: Pick<App, 'id' | 'secret'>): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

export const requestToken = (
  server: OAuthServer,
  form: Fields,
  headers: Record<string, string> = {},
): Promise<HttpReply> => send(server, 'POST', '/api/oauth/token', { form, headers })

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** A token for the application itself. */
export async function ownToken(server: OAuthServer, app: App, scope?: string): Promise<string> {
  const reply = await requestToken(server, {
    grant_type: 'client_credentials',
    client_id: app.id,
    client_secret: app.secret,
    ...(scope && { scope }),
  })
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`)
  return reply.json.access_token as string
}

export interface Pkce {
  verifier: string
  challenge: string
}
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: challengeOf(verifier) }
}

export const authorization = (app: App, { challenge }: Pick<Pkce, 'challenge'>): Record<string, string> => ({
  response_type: 'code',
  client_id: app.id,
  redirect_uri: app.redirectUri,
  state: 'st4te',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})

export const requestConsent = (server: OAuthServer, query: Fields, cookie?: string): Promise<HttpReply> =>
  send(server, 'GET', `/api/oauth/authorize?${new URLSearchParams(query)}`, {
    headers: cookie ? { cookie } : {},
  })

/** The fields of the form on a page that nobody typed anything into. */
export function hiddenFields(page: HttpReply): Record<string, string> {
  const inputs = [...page.text.matchAll(/<input\b[^>]*>/g)].map(
    ([tag]) => new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(match => [match[1]!, match[2]!])),
  )
  const hidden = inputs.filter(input => input.get('type') === 'hidden')
  return Object.fromEntries(hidden.map(input => [input.get('name')!, input.get('value')!]))
}

/** Posts the decision as a browser would that shows our page. */
export const decide = (
  server: OAuthServer,
  cookie: string,
  form: Fields,
  headers: Record<string, string> = {},
): Promise<HttpReply> =>
  send(server, 'POST', '/api/oauth/authorize', {
    form,
    headers: { origin: server.issuer, 'sec-fetch-site': 'same-origin', cookie, ...headers },
  })

/** From the link of the application to the address the browser is sent back to. */
export async function consent(
  server: OAuthServer,
  cookie: string,
  query: Fields,
  companyIds: readonly string[],
): Promise<URL> {
  const page = await requestConsent(server, query, cookie)
  if (page.status !== 200) throw new Error(`no consent page: ${page.status} ${page.text}`)
  const chosen = companyIds.map((id): [string, string] => ['company', id])
  const reply = await decide(server, cookie, [
    ...Object.entries(hiddenFields(page)),
    ...chosen,
    ['decision', 'allow'],
  ])
  if (!reply.location) throw new Error(`no redirect: ${reply.status} ${reply.text}`)
  return reply.location
}

/** A code, and what redeems it. */
export async function newCode(
  server: OAuthServer,
  app: App,
  cookie: string,
  companyIds: readonly string[],
  changes: Record<string, string> = {},
): Promise<Record<string, string>> {
  const pkce = newPkce()
  const back = await consent(server, cookie, { ...authorization(app, pkce), ...changes }, companyIds)
  const code = back.searchParams.get('code')
  if (!code) throw new Error(`no code: ${back}`)
  return {
    grant_type: 'authorization_code',
    client_id: app.id,
    client_secret: app.secret,
    code,
    redirect_uri: app.redirectUri,
    code_verifier: pkce.verifier,
  }
}

export async function redeem(server: OAuthServer, form: Fields): Promise<Tokens> {
  const reply = await requestToken(server, form)
  if (reply.status !== 200) throw new Error(`no tokens: ${reply.status} ${reply.text}`)
  return reply.json as unknown as Tokens
}

export const refreshWith = (app: App, refreshToken: string): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: app.id,
  refresh_token: refreshToken,
})

/** An ordinary request with a token. */
export const useToken = (
  server: OAuthServer,
  token: string,
  headers: Record<string, string> = {},
  path = '/api/v1/invoices?limit=1',
): Promise<HttpReply> =>
  send(server, 'GET', path, { headers: { authorization: `Bearer ${token}`, ...headers } })

export const errorOf = (reply: HttpReply): string => {
  const { error } = reply.json
  return typeof error === 'object' && error !== null ? (error as { code: string }).code : String(error)
}
