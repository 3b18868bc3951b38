import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { expect } from 'vitest'
import type { Role } from '../../src/features/access/roles.ts'
import { scopes as everyScope } from '../../src/features/access/scopes.ts'
import type { Scope } from '../../src/kit/actor.ts'
import { plainSha256 } from '../../src/kit/crypto.ts'
import type { ApiResponse, TestInstallation } from './use-installation.ts'

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

interface RequestOptions {
  /** The credential of the request: a key or a token; the installation's production key by default. */
  key?: string
  token?: string
  companyId?: string
  headers?: Record<string, string>
  /** The server to call; the installation itself by default. */
  baseUrl?: string
}

/** Requests without a credential are limited by address, token requests too: with this setting each call can have its own address. */
export const ownAddresses = { TRUSTED_PROXIES: '127.0.0.1' }
export const randomAddress = () => `10.${[...randomBytes(3)].join('.')}`

const path = '/api/v1/oauth-clients'
export const redirectUri = 'https://app.example/callback'

/** API calls for tests of applications, people and their tokens. */
export function tokenCalls(installation: TestInstallation) {
  async function call<Data = Record<string, unknown>>(
    method: string,
    requestPath: string,
    body?: unknown,
    { key, token, companyId, headers = {}, baseUrl }: RequestOptions = {},
  ): Promise<ApiResponse<Data>> {
    const credential = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await fetch((baseUrl ?? installation.server.baseUrl) + requestPath, {
      method,
      headers: {
        ...(token === undefined && { 'x-api-key': key ?? installation.company.productionKey }),
        ...credential,
        ...(companyId !== undefined && { 'x-company-id': companyId }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'x-forwarded-for': randomAddress(),
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

  async function requestToken(
    body: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, string> }> {
    const response = await fetch(`${installation.server.baseUrl}/api/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': randomAddress() },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  async function issueToken(form: Record<string, string>): Promise<Record<string, string>> {
    const { status, body } = await requestToken(form)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  const register = (body: Record<string, unknown>, options: RequestOptions = {}) =>
    call<NewClient>('POST', path, body, options)

  async function client(
    settings: Record<string, unknown> = {},
    options: RequestOptions = {},
  ): Promise<NewClient> {
    const answer = await register(
      {
        name: 'An application',
        redirectUris: [redirectUri],
        scopes: everyScope,
        grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'],
        ...settings,
      },
      options,
    )
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data
  }

  /** A token of the application itself. */
  async function tokenOf({ clientId, clientSecret }: NewClient, scopes?: readonly Scope[]): Promise<string> {
    const { access_token } = await issueToken({
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
    await installation.sql(
      `insert into people (id, email, email_key, name, language, email_verified_at, created_at) values ($1, $2, $2, 'Camille Exemple', 'fr', $3, $3)`,
      [id, email, now()],
    )
    return { id, email }
  }

  const addMember = (personId: string, role: Role, companyId = installation.company.companyId) =>
    installation.sql(
      'insert into memberships (person_id, company_id, role, created_at) values ($1, $2, $3, $4)',
      [personId, companyId, role, now()],
    )

  /** A consent as the page would have written it, and its code redeemed at the token endpoint. */
  async function consent({
    client: { clientId, clientSecret, environment, redirectUris },
    personId,
    companyIds = [installation.company.companyId],
    scopes = everyScope,
  }: Consent): Promise<PersonToken> {
    const grantId = randomUUIDv7()
    const code = `oac_e1${randomBytes(24).toString('hex')}`
    const verifier = randomBytes(40).toString('hex')
    await installation.sql(
      `insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at, auth_time)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [grantId, clientId, personId, environment, scopes, companyIds, now()],
    )
    await installation.sql(
      `insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_at) values ($1, $2, $3, $4, $5)`,
      [
        plainSha256(code),
        grantId,
        redirectUris[0],
        createHash('sha256').update(verifier).digest('base64url'),
        new Date(Date.now() + 60_000).toISOString(),
      ],
    )
    const { access_token, refresh_token } = await issueToken({
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
    requestToken,
    register,
    client,
    tokenOf,
    person,
    addMember,
    consent,
    update: (id: string, body: unknown, options: RequestOptions = {}) =>
      call<ListedClient>('PUT', `${path}/${id}`, body, options),
    remove: (id: string, options: RequestOptions = {}) => call('DELETE', `${path}/${id}`, undefined, options),
    rotate: (id: string, options: RequestOptions = {}) =>
      call<NewClient>('POST', `${path}/${id}/rotate-secret`, undefined, options),
    /** Somebody who is a member in that role, by one token of the application. */
    async member(
      role: Role,
      settings: Partial<Consent> & { client: NewClient },
    ): Promise<PersonToken & { personId: string; email: string }> {
      const { id, email } = await person()
      for (const companyId of settings.companyIds ?? [installation.company.companyId])
        await addMember(id, role, companyId)
      return { personId: id, email, ...(await consent({ ...settings, personId: id })) }
    },
    /** 200 if the credential is accepted, otherwise the error code. */
    async tryCredential(options: RequestOptions): Promise<number | string> {
      const answer = await call('GET', '/api/v1/company', undefined, options)
      return answer.status === 200 ? 200 : answer.body.error.code
    },
  }
}
