import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import type { Role } from '../../src/features/access/roles.ts'
import { scopes as everyScope } from '../../src/features/access/scopes.ts'
import { plainSha256 } from '../../src/kit/crypto.ts'
import type { Scope } from '../../src/kit/operation.ts'
import type { Answer, House } from './house.ts'

export interface ListedClient {
  clientId: string
  name: string
  redirectUris: string[]
  scopes: Scope[]
  grantTypes: string[]
  environment: 'production' | 'sandbox'
  enabled: boolean
  createdAt: string
}
export type NewClient = ListedClient & { clientSecret: string }

export interface Consent {
  client: NewClient
  personId: string
  companyIds?: readonly string[]
  scopes?: readonly Scope[]
}

export interface PersonToken {
  grantId: string
  accessToken: string
  refreshToken: string
}

interface As {
  /** Whose request it is: a key, or a token; the house's own production key unless said otherwise. */
  key?: string
  token?: string
  companyId?: string
  headers?: Record<string, string>
  /** Where to: the house itself unless said otherwise. */
  baseUrl?: string
}

/** Strangers are counted by address, and whoever asks for a token is one: with this the house believes each call its own. */
export const ownAddresses = { TRUSTED_PROXIES: '127.0.0.1' }
export const anAddress = () => `10.${[...randomBytes(3)].join('.')}`

const path = '/api/v1/oauth-clients'
export const redirectUri = 'https://app.example/callback'

/** What tests of applications, people and their tokens ask for. */
export function tokenCalls(house: House) {
  async function call<Data = Record<string, unknown>>(
    method: string,
    at: string,
    body?: unknown,
    { key, token, companyId, headers = {}, baseUrl }: As = {},
  ): Promise<Answer<Data>> {
    const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch((baseUrl ?? house.installation.baseUrl) + at, {
      method,
      headers: {
        ...(token === undefined && { 'x-api-key': key ?? house.company.productionKey }),
        ...credential,
        ...(companyId !== undefined && { 'x-company-id': companyId }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'x-forwarded-for': anAddress(),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? {} : JSON.parse(text),
    } as never
  }

  async function askToken(
    body: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, string> }> {
    const response = await fetch(`${house.installation.baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress() },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  async function issued(asked: Record<string, string>): Promise<Record<string, string>> {
    const { status, body } = await askToken(asked)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  const register = (body: Record<string, unknown>, as: As = {}) => call<NewClient>('POST', path, body, as)

  async function client(settings: Record<string, unknown> = {}, as: As = {}): Promise<NewClient> {
    const answer = await register(
      {
        name: 'An application',
        redirectUris: [redirectUri],
        scopes: everyScope,
        grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'],
        ...settings,
      },
      as,
    )
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data
  }

  /** A token of the application itself. */
  async function tokenOf({ clientId, clientSecret }: NewClient, scopes?: readonly Scope[]): Promise<string> {
    const { access_token } = await issued({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scopes && { scope: scopes.join(' ') }),
    })
    return access_token!
  }

  const now = () => new Date().toISOString()

  async function person(): Promise<{ id: string; email: string }> {
    const id = randomUUIDv7()
    const email = `personne-${id.slice(-12)}@example.org`
    await house.sql(
      `insert into people (id, email, email_key, name, language, email_verified_at, created_at) values ($1, $2, $2, 'Camille Exemple', 'fr', $3, $3)`,
      [id, email, now()],
    )
    return { id, email }
  }

  const join = (personId: string, role: Role, companyId = house.company.companyId) =>
    house.sql('insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)', [
      personId,
      companyId,
      role,
      now(),
    ])

  /** A consent as the page would have written it, and its code redeemed at the token endpoint. */
  async function consent({
    client: { clientId, clientSecret, environment, redirectUris },
    personId,
    companyIds = [house.company.companyId],
    scopes = everyScope,
  }: Consent): Promise<PersonToken> {
    const grantId = randomUUIDv7()
    const code = `oac_e1${randomBytes(24).toString('hex')}`
    const verifier = randomBytes(40).toString('hex')
    await house.sql(
      `insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [grantId, clientId, personId, environment, scopes, companyIds, now()],
    )
    await house.sql(
      `insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_at) values ($1, $2, $3, $4, $5)`,
      [
        plainSha256(code),
        grantId,
        redirectUris[0],
        createHash('sha256').update(verifier).digest('base64url'),
        new Date(Date.now() + 60_000).toISOString(),
      ],
    )
    const { access_token, refresh_token } = await issued({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUris[0]!,
      code_verifier: verifier,
    })
    return { grantId, accessToken: access_token!, refreshToken: refresh_token! }
  }

  return {
    call,
    askToken,
    register,
    client,
    tokenOf,
    person,
    join,
    consent,
    update: (id: string, body: unknown, as: As = {}) => call<ListedClient>('PUT', `${path}/${id}`, body, as),
    remove: (id: string, as: As = {}) => call('DELETE', `${path}/${id}`, undefined, as),
    rotate: (id: string, as: As = {}) =>
      call<NewClient>('POST', `${path}/${id}/rotate-secret`, undefined, as),
    /** Somebody who is a member in that role, by one token of the application. */
    async member(
      role: Role,
      settings: Partial<Consent> & { client: NewClient },
    ): Promise<PersonToken & { personId: string; email: string }> {
      const { id, email } = await person()
      for (const companyId of settings.companyIds ?? [house.company.companyId])
        await join(id, role, companyId)
      return { personId: id, email, ...(await consent({ ...settings, personId: id })) }
    },
    /** Whether a credential is let in, and if not why. */
    async tried(as: As): Promise<number | string> {
      const answer = await call('GET', '/api/v1/company', undefined, as)
      return answer.status === 200 ? 200 : answer.body.error.code
    },
  }
}
