import { createHash, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { type AuditedRequest, recordCompanyAudit } from '../../platform/events/record-company-audit.ts'
import { newToken } from '../new-token.ts'
import { lifetimeSeconds, signAccessToken } from './access-token.ts'
import { accessEnded, accessReused } from './audit-events.ts'
import { type Client, chooseScopes } from './client.ts'
import { OAuthError } from './oauth-error.ts'

const refreshLifeMs = 30 * 24 * 3_600_000
/** A refresh token is renewed with each use, but not for ever: after this the person is asked again. */
const grantLifeMs = 365 * 24 * 3_600_000
/** A second use within this time is taken for two processes of one client; later it is taken for theft. */
const graceMs = 30_000

export interface Grant {
  id: string
  created_at: number
  client_id: string
  person_id: string
  environment: 'production' | 'sandbox'
  scopes: Scope[]
  revoked_at: number | null
  /** Whether the person still belongs to one of its companies. */
  opens_any: boolean
}

const opensAny = `exists (select from memberships m where m.person_id = g.person_id and m.company_id = any (g.company_ids)) as opens_any`

const lockCode = sql(
  'oauth.lock-code',
  `select g.id, g.client_id, g.person_id, g.environment, g.scopes, g.created_at, g.revoked_at, ${opensAny}, c.redirect_uri, c.challenge,
          c.expires_at, c.used_at
     from oauth_codes c join oauth_grants g on g.id = c.grant_id where c.code_hash = $1 for update`,
).as<Grant & { redirect_uri: string; challenge: string; expires_at: number; used_at: number | null }>()
const useCode = sql('oauth.use-code', 'update oauth_codes set used_at = $2 where code_hash = $1')
const lockRefresh = sql(
  'oauth.lock-refresh-token',
  `select g.id, g.client_id, g.person_id, g.environment, g.scopes, g.created_at, g.revoked_at, ${opensAny}, r.scopes as token_scopes,
          r.expires_at, r.used_at
     from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id where r.token_hash = $1 for update`,
).as<Grant & { token_scopes: Scope[]; expires_at: number; used_at: number | null }>()
const useRefresh = sql(
  'oauth.use-refresh-token',
  'update oauth_refresh_tokens set used_at = $2 where token_hash = $1',
)
const insertRefresh = sql(
  'oauth.insert-refresh-token',
  'insert into oauth_refresh_tokens (token_hash, grant_id, scopes, expires_at) values ($1, $2, $3, $4)',
)
const revokeGrantById = sql(
  'oauth.revoke-grant',
  `update oauth_grants set revoked_at = $2, revoked_because = $3 where id = $1 and revoked_at is null
   returning company_ids, last_used_at`,
).as<EndedGrant>()
const updateLastUsed = sql('oauth.touch-grant', 'update oauth_grants set last_used_at = $2 where id = $1')

type RevokedBecause = 'person' | 'code_reuse' | 'refresh_reuse' | 'token'

interface EndedGrant {
  company_ids: string[]
  /** When a token was last issued; null: never. */
  last_used_at: number | null
}

/** Revokes a grant, and with it all its codes, refresh tokens and access tokens. Null: it was already revoked. */
export const revokeGrant = async (
  query: Query,
  grantId: string,
  because: RevokedBecause,
  wall: number,
): Promise<EndedGrant | null> => (await query(revokeGrantById, [grantId, iso(wall), because]))[0] ?? null

/** OAuth 2.1 §4.1.3, RFC 9700 §4.14.2: a second use shows that two parties have the code or token. */
async function revokeReused(
  context: PageContext,
  query: Query,
  request: AuditedRequest,
  grant: Grant,
  because: 'code_reuse' | 'refresh_reuse',
): Promise<void> {
  const { id: grantId, client_id: clientId, person_id: personId } = grant
  const ended = await revokeGrant(query, grantId, because, context.clock.wall())
  // No token was ever issued, so a repeated failed code is not recorded.
  if (!ended?.last_used_at) return
  const auditEvent = newEvent(accessReused, personId, { personId, grantId, clientId, because })
  const actor = { kind: 'oauth_client', id: clientId, onBehalfOf: personId } as const
  await recordCompanyAudit(context, query, request, actor, auditEvent, ended.company_ids)
}

const invalidGrant = (what: string) =>
  new OAuthError('invalid_grant', `The ${what} is unknown, used, expired or not this client's.`)

const isUsable = (
  { revoked_at, opens_any, expires_at, created_at }: Grant & { expires_at: number },
  wall: number,
) => revoked_at === null && opens_any && expires_at > wall && created_at + grantLifeMs > wall

const matchesChallenge = (challenge: string, verifier: string): boolean => {
  const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(challenge)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  refresh_token?: string
}

/** The requested scopes within the grant and the client's scopes. A refusal is returned, not thrown: nothing is rolled back. */
function scopesOf(
  requested: string[] | null,
  granted: readonly Scope[],
  client: Client,
): Scope[] | OAuthError {
  try {
    return chooseScopes(
      requested,
      granted.filter(scope => client.scopes.includes(scope)),
    )
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

async function issueTokens(
  context: PageContext,
  query: Query,
  grant: Grant,
  scopes: readonly Scope[],
): Promise<TokenResponse> {
  const wall = context.clock.wall()
  const refresh = await newToken(query, 'ort')
  const end = Math.min(wall + refreshLifeMs, grant.created_at + grantLifeMs)
  await query(insertRefresh, [plainSha256(refresh), grant.id, grant.scopes, iso(end)])
  await query(updateLastUsed, [grant.id, iso(wall)])
  const access = await signAccessToken(context, query, {
    clientId: grant.client_id,
    personId: grant.person_id,
    grantId: grant.id,
    environment: grant.environment,
    scopes: [...scopes],
  })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope: scopes.join(' '),
    refresh_token: refresh,
  }
}

/** Refusals are returned, not thrown, so that the use of a code or a revocation is committed. */
export async function redeemCode(
  context: PageContext,
  query: Query,
  client: Client,
  given: { code: string; redirectUri: string; verifier: string; request: AuditedRequest },
): Promise<TokenResponse | OAuthError> {
  const wall = context.clock.wall()
  const [found] = await query(lockCode, [plainSha256(given.code)])
  if (!found || found.client_id !== client.id) return invalidGrant('code')
  if (found.used_at !== null) {
    await revokeReused(context, query, given.request, found, 'code_reuse')
    return invalidGrant('code')
  }
  await query(useCode, [plainSha256(given.code), iso(wall)])
  if (!isUsable(found, wall)) return invalidGrant('code')
  if (found.redirect_uri !== given.redirectUri)
    return new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  if (!matchesChallenge(found.challenge, given.verifier))
    return new OAuthError('invalid_grant', 'code_verifier does not answer the code_challenge.')
  const scopes = scopesOf(null, found.scopes, client)
  return scopes instanceof OAuthError ? scopes : issueTokens(context, query, found, scopes)
}

/** A refresh token is valid for one use; a new one is issued with each refresh. */
export async function refreshGrant(
  context: PageContext,
  query: Query,
  client: Client,
  given: { token: string; scopes: string[] | null; request: AuditedRequest },
): Promise<TokenResponse | OAuthError> {
  const wall = context.clock.wall()
  const [found] = await query(lockRefresh, [plainSha256(given.token)])
  if (!found || found.client_id !== client.id) return invalidGrant('refresh token')
  if (found.used_at !== null) {
    if (wall - found.used_at > graceMs)
      await revokeReused(context, query, given.request, found, 'refresh_reuse')
    return invalidGrant('refresh token')
  }
  if (!isUsable(found, wall)) return invalidGrant('refresh token')
  // Checked before the token is marked as used, so that a wrong scope does not cost the token.
  const scopes = scopesOf(given.scopes, found.token_scopes, client)
  if (scopes instanceof OAuthError) return scopes
  await query(useRefresh, [plainSha256(given.token), iso(wall)])
  return issueTokens(context, query, found, scopes)
}

const findRefresh = sql(
  'oauth.find-refresh-token',
  `select g.id, g.client_id, g.person_id from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id
    where r.token_hash = $1`,
).as<Pick<Grant, 'id' | 'client_id' | 'person_id'>>()

/** The holder of a refresh token may revoke its grant; it is recorded in the audit of the companies. */
export async function revokeByRefreshToken(
  context: PageContext,
  query: Query,
  request: AuditedRequest,
  token: string,
): Promise<void> {
  const [grant] = await query(findRefresh, [plainSha256(token)])
  const ended = grant && (await revokeGrant(query, grant.id, 'token', context.clock.wall()))
  if (!ended) return
  const { id: grantId, client_id: clientId, person_id: personId } = grant
  const auditEvent = newEvent(accessEnded, personId, { personId, grantId, clientId, because: 'token' })
  const actor = { kind: 'oauth_client', id: clientId, onBehalfOf: personId } as const
  await recordCompanyAudit(context, query, request, actor, auditEvent, ended.company_ids)
}
