import { createHash, randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'
import type { CreatedCompany } from '../../../../src/features/access/companies/create-company.ts'
import type { Role } from '../../../../src/features/access/roles.ts'
import { scopes as everyScope } from '../../../../src/features/access/scopes.ts'
import { plainSha256 } from '../../../../src/kit/crypto.ts'
import type { Environment, Scope } from '../../../../src/kit/operation.ts'
import { randomWord } from '../../../../src/kit/random-word.ts'

/** A server to speak OAuth with, and its database, where applications and people are put without asking it. */
export interface Stage {
  /** Where it listens. */
  url: string
  /** What it calls itself. */
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
  stage: Stage,
  company: CreatedCompany,
  settings: AppSettings = {},
): Promise<App> {
  const {
    environment = 'production',
    scopes = everyScope,
    grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'],
    redirectUris = ['https://app.example/callback'],
  } = settings
  const id = `oc_e1${randomWord(20)}`
  const secret = `ocs_e1${randomWord(43)}`
  await stage.sql(
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
export async function addPerson(stage: Stage, roles: Readonly<Record<string, Role>>): Promise<string> {
  const id = randomUUIDv7()
  const wall = new Date().toISOString()
  await stage.sql(
    `insert into people (id, email, email_key, name, language, email_verified_at, created_at) values ($1, $2, $2, 'Camille', 'en', $3, $3)`,
    [id, `${id}@example.com`, wall],
  )
  for (const [companyId, role] of Object.entries(roles))
    await stage.sql(
      'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
      [id, companyId, role, wall],
    )
  return id
}

/** A browser somebody has signed in with: its cookie. */
export async function openSession(stage: Stage, personId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await stage.sql(
    `insert into sessions (token_hash, person_id, method, address, agent, created_at, seen_at, expires_at)
     values ($1, $2, 'password', '192.0.2.1', 'test', $3, $3, $4)`,
    [plainSha256(token), personId, new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()],
  )
  return `__Host-relance=${token}`
}

export interface Told {
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
  /** A body as it is, with the type it is said to have. */
  raw?: { type: string | null; body: string | Uint8Array }
  headers?: Record<string, string>
}

/** Strangers are counted by their address: everybody here comes from another one. */
export const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

function bodyOf({ form, json, raw }: Message): { type: string | null; body: string | Uint8Array } | null {
  if (raw) return raw
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return null
  return { type: 'application/x-www-form-urlencoded', body: String(new URLSearchParams(form)) }
}

export async function send(stage: Stage, method: string, path: string, message: Message = {}): Promise<Told> {
  const body = bodyOf(message)
  const response = await fetch(stage.url + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': someAddress(),
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
    location: location === null ? null : new URL(location, stage.url),
  }
}

export const basic = ({ id, secret }: Pick<App, 'id' | 'secret'>): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

export const askToken = (stage: Stage, form: Fields, headers: Record<string, string> = {}): Promise<Told> =>
  send(stage, 'POST', '/api/oauth/token', { form, headers })

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

/** A token for the application itself. */
export async function ownToken(stage: Stage, app: App, scope?: string): Promise<string> {
  const told = await askToken(stage, {
    grant_type: 'client_credentials',
    client_id: app.id,
    client_secret: app.secret,
    ...(scope && { scope }),
  })
  if (told.status !== 200) throw new Error(`no token: ${told.status} ${told.text}`)
  return told.json.access_token as string
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

export const askConsent = (stage: Stage, query: Fields, cookie?: string): Promise<Told> =>
  send(stage, 'GET', `/api/oauth/authorize?${new URLSearchParams(query)}`, {
    headers: cookie ? { cookie } : {},
  })

/** The fields of the form on a page that nobody typed anything into. */
export function hiddenFields(page: Told): Record<string, string> {
  const inputs = [...page.text.matchAll(/<input\b[^>]*>/g)].map(
    ([tag]) => new Map([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(match => [match[1]!, match[2]!])),
  )
  const hidden = inputs.filter(input => input.get('type') === 'hidden')
  return Object.fromEntries(hidden.map(input => [input.get('name')!, input.get('value')!]))
}

/** Posts the decision as a browser would that shows our page. */
export const decide = (
  stage: Stage,
  cookie: string,
  form: Fields,
  headers: Record<string, string> = {},
): Promise<Told> =>
  send(stage, 'POST', '/api/oauth/authorize', {
    form,
    headers: { origin: stage.issuer, 'sec-fetch-site': 'same-origin', cookie, ...headers },
  })

/** From the link of the application to the address the browser is sent back to. */
export async function consent(
  stage: Stage,
  cookie: string,
  query: Fields,
  companyIds: readonly string[],
): Promise<URL> {
  const page = await askConsent(stage, query, cookie)
  if (page.status !== 200) throw new Error(`no consent page: ${page.status} ${page.text}`)
  const chosen = companyIds.map((id): [string, string] => ['company', id])
  const told = await decide(stage, cookie, [
    ...Object.entries(hiddenFields(page)),
    ...chosen,
    ['decision', 'allow'],
  ])
  if (!told.location) throw new Error(`no redirect: ${told.status} ${told.text}`)
  return told.location
}

/** A code, and what redeems it. */
export async function newCode(
  stage: Stage,
  app: App,
  cookie: string,
  companyIds: readonly string[],
  changes: Record<string, string> = {},
): Promise<Record<string, string>> {
  const pkce = newPkce()
  const back = await consent(stage, cookie, { ...authorization(app, pkce), ...changes }, companyIds)
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

export async function redeem(stage: Stage, form: Fields): Promise<Tokens> {
  const told = await askToken(stage, form)
  if (told.status !== 200) throw new Error(`no tokens: ${told.status} ${told.text}`)
  return told.json as unknown as Tokens
}

export const refreshWith = (app: App, refreshToken: string): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: app.id,
  refresh_token: refreshToken,
})

/** An ordinary request with a token. */
export const useToken = (
  stage: Stage,
  token: string,
  headers: Record<string, string> = {},
  path = '/api/v1/invoices?limit=1',
): Promise<Told> => send(stage, 'GET', path, { headers: { authorization: `Bearer ${token}`, ...headers } })

export const errorOf = (told: Told): string => {
  const { error } = told.json
  return typeof error === 'object' && error !== null ? (error as { code: string }).code : String(error)
}
