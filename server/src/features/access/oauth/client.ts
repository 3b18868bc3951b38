import { timingSafeEqual } from 'node:crypto'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { scopes as allScopes } from '../scopes.ts'
import { OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'

export const grantTypes = ['client_credentials', 'authorization_code', 'refresh_token'] as const
export type GrantType = (typeof grantTypes)[number]

export interface Client {
  id: string
  tenant_id: string
  company_id: string
  environment: Environment
  name: string
  redirect_uris: string[]
  scopes: Scope[]
  grant_types: GrantType[]
  /** Null: a public client, built in, whose proof is PKCE. */
  secret_hash: Buffer | null
}

// The company of the client must be enabled; a company of another cell is checked there.
const selectClient = sql(
  'oauth.find-client',
  `select c.id, c.tenant_id, c.company_id, c.environment, c.name, c.redirect_uris, c.scopes, c.grant_types, c.secret_hash
     from oauth_clients c left join companies home on home.id = c.company_id
    where c.id = $1 and c.enabled and coalesce(home.enabled, true)`,
).as<Client>()

export const findClient = async (query: Query, id: string): Promise<Client | undefined> =>
  /^oc_\w{22}$/.test(id) ? (await query(selectClient, [id]))[0] : undefined

interface Credentials {
  id: string
  secret: string | null
}

// RFC 6749 §2.3.1: id and secret are form-encoded before they are joined.
const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

const unknownClient = (description = 'The client is unknown or its secret is wrong.') =>
  new OAuthError('invalid_client', description)

function basicCredentials(authorization: string): { id: string; secret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  if (!encoded) throw unknownClient('In the Authorization header only HTTP Basic is understood here.')
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    return { id: formDecoded(id), secret: formDecoded(secret.join(':')) }
  } catch {
    throw unknownClient('The Authorization header is not form-encoded.')
  }
}

function credentialsOf(authorization: string | undefined, parameters: Parameters): Credentials {
  const id = parameters.get('client_id')
  const secret = parameters.get('client_secret') ?? null
  if (authorization === undefined) {
    if (id === undefined) throw unknownClient('client_id is missing.')
    return { id, secret }
  }
  const given = basicCredentials(authorization)
  // RFC 6749 §2.3: one way of authentication per request.
  if (secret !== null)
    throw new OAuthError('invalid_request', 'Send the secret either by HTTP Basic or in the body.')
  if (id !== undefined && id !== given.id)
    throw new OAuthError('invalid_request', 'client_id differs from the one of HTTP Basic.')
  return given
}

const unknownSecretHash = plainSha256('nobody has this secret')

/** Authenticates the client. A refresh and a public client need only the id; a secret that is sent must be right. */
export async function authenticateClient(
  query: Query,
  authorization: string | undefined,
  parameters: Parameters,
  { needsSecret }: { needsSecret: boolean },
): Promise<Client> {
  const { id, secret } = credentialsOf(authorization, parameters)
  const client = await findClient(query, id)
  const isRight = timingSafeEqual(plainSha256(secret ?? ''), client?.secret_hash ?? unknownSecretHash)
  const isPublic = client?.secret_hash === null
  if (!client || (secret === null ? needsSecret && !isPublic : !isRight)) throw unknownClient()
  return client
}

/**
 * Whether people may be sent back there. The port of a public client's loopback address is free (RFC 8252 §7.3), but it must
 * exist: such an address was not parsed at a registration.
 */
export const mayRedirectTo = (client: Client, redirectUri: string): boolean =>
  URL.canParse(redirectUri) &&
  client.redirect_uris.includes(
    client.secret_hash === null
      ? redirectUri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d{1,5}(?=\/)/, '$1')
      : redirectUri,
  )

export function requireGrantType(client: Client, type: GrantType): void {
  if (!client.grant_types.includes(type))
    throw new OAuthError('unauthorized_client', `This client is not registered for ${type}.`)
}

/** The requested scopes, or all allowed ones. An unknown scope or one that is not allowed is refused. */
export function chooseScopes(requested: readonly string[] | null, allowed: readonly Scope[]): Scope[] {
  const isKnown = (scope: string): scope is Scope => (allScopes as readonly string[]).includes(scope)
  for (const scope of requested ?? []) {
    if (!isKnown(scope)) throw new OAuthError('invalid_scope', `There is no scope ${scope.slice(0, 60)}.`)
    if (!allowed.includes(scope)) throw new OAuthError('invalid_scope', `${scope} may not be had here.`)
  }
  const chosen = requested === null ? [...allowed] : allowed.filter(scope => requested.includes(scope))
  if (chosen.length === 0) throw new OAuthError('invalid_scope', 'There is no scope left to grant.')
  return chosen
}
