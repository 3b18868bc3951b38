import { createHash, timingSafeEqual } from 'node:crypto'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Scope } from '../../../kit/operation.ts'
import { newToken } from '../new-token.ts'
import { lifetimeSeconds, signAccessToken } from './access-token.ts'
import { type Client, chooseScopes } from './client.ts'
import { accessEnded, accessReused, keepGrantAct } from './grant-acts.ts'
import { OAuthError } from './oauth-error.ts'

const refreshLifeMs = 30 * 24 * 3_600_000
/** A second use so soon is two processes of one client; later it is somebody else. */
const graceMs = 30_000

export interface Grant {
  id: string
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
  `select g.id, g.client_id, g.person_id, g.environment, g.scopes, g.revoked_at, ${opensAny}, c.redirect_uri, c.challenge,
          c.expires_at, c.used_at
     from oauth_codes c join oauth_grants g on g.id = c.grant_id where c.code_hash = $1 for update`,
).as<Grant & { redirect_uri: string; challenge: string; expires_at: number; used_at: number | null }>()
const useCode = sql('oauth.use-code', 'update oauth_codes set used_at = $2 where code_hash = $1')
const lockRefresh = sql(
  'oauth.lock-refresh-token',
  `select g.id, g.client_id, g.person_id, g.environment, g.scopes, g.revoked_at, ${opensAny}, r.scopes as token_scopes,
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
const revoke = sql(
  'oauth.revoke-grant',
  `update oauth_grants set revoked_at = $2, revoked_because = $3 where id = $1 and revoked_at is null
   returning company_ids, last_used_at`,
).as<Ended>()
const touch = sql('oauth.touch-grant', 'update oauth_grants set last_used_at = $2 where id = $1')

type RevokedBecause = 'person' | 'code_reuse' | 'refresh_reuse' | 'token'

interface Ended {
  company_ids: string[]
  /** When it last gave a token; null: never. */
  last_used_at: number | null
}

/** The grant ends, and with it every code, refresh token and living access token of its family. Null: it had ended before. */
export const revokeGrant = async (
  ask: Ask,
  grantId: string,
  because: RevokedBecause,
  wall: number,
): Promise<Ended | null> => (await ask(revoke, [grantId, iso(wall), because]))[0] ?? null

/** OAuth 2.1 §4.1.3, RFC 9700 §4.14.2: whoever comes second shows that it was seen by two. */
async function endReused(
  site: Site,
  ask: Ask,
  requestId: string,
  grant: Grant,
  because: 'code_reuse' | 'refresh_reuse',
): Promise<void> {
  const { id: grantId, client_id: clientId, person_id: personId } = grant
  const ended = await revokeGrant(ask, grantId, because, site.clock.wall())
  // A code that failed and is tried again gave nobody anything: no reason to alarm.
  if (!ended?.last_used_at) return
  const act = newEvent(accessReused, personId, { personId, grantId, clientId, because })
  const actor = { kind: 'oauth_client', id: clientId, onBehalfOf: personId } as const
  await keepGrantAct(site, ask, { actor, requestId }, act, ended.company_ids)
}

const invalidGrant = (what: string) =>
  new OAuthError('invalid_grant', `The ${what} is unknown, used, expired or not this client's.`)

const isLiving = ({ revoked_at, opens_any, expires_at }: Grant & { expires_at: number }, wall: number) =>
  revoked_at === null && opens_any && expires_at > wall

const isAnswer = (challenge: string, verifier: string): boolean => {
  const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'))
  const expected = Buffer.from(challenge)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export interface Issued {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  refresh_token?: string
}

/** What was granted and asked for, as far as the client may still have it. A refusal is returned: it undoes nothing. */
function scopesOf(asked: string[] | null, granted: readonly Scope[], client: Client): Scope[] | OAuthError {
  try {
    return chooseScopes(
      asked,
      granted.filter(scope => client.scopes.includes(scope)),
    )
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

async function issue(site: Site, ask: Ask, grant: Grant, scopes: readonly Scope[]): Promise<Issued> {
  const wall = site.clock.wall()
  const refresh = await newToken(ask, 'ort')
  await ask(insertRefresh, [plainSha256(refresh), grant.id, grant.scopes, iso(wall + refreshLifeMs)])
  await ask(touch, [grant.id, iso(wall)])
  const access = await signAccessToken(site, ask, {
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

/** Refusals are returned, not thrown: what was found out about a code or a token is committed before it is answered. */
export async function redeemCode(
  site: Site,
  ask: Ask,
  client: Client,
  given: { code: string; redirectUri: string; verifier: string; requestId: string },
): Promise<Issued | OAuthError> {
  const wall = site.clock.wall()
  const [found] = await ask(lockCode, [plainSha256(given.code)])
  if (!found || found.client_id !== client.id) return invalidGrant('code')
  if (found.used_at !== null) {
    await endReused(site, ask, given.requestId, found, 'code_reuse')
    return invalidGrant('code')
  }
  await ask(useCode, [plainSha256(given.code), iso(wall)])
  if (!isLiving(found, wall)) return invalidGrant('code')
  if (found.redirect_uri !== given.redirectUri)
    return new OAuthError('invalid_grant', 'redirect_uri is not the one of the authorization request.')
  if (!isAnswer(found.challenge, given.verifier))
    return new OAuthError('invalid_grant', 'code_verifier does not answer the code_challenge.')
  const scopes = scopesOf(null, found.scopes, client)
  return scopes instanceof OAuthError ? scopes : issue(site, ask, found, scopes)
}

/** Every refresh token is good for once, and gives the next. */
export async function refreshGrant(
  site: Site,
  ask: Ask,
  client: Client,
  given: { token: string; scopes: string[] | null; requestId: string },
): Promise<Issued | OAuthError> {
  const wall = site.clock.wall()
  const [found] = await ask(lockRefresh, [plainSha256(given.token)])
  if (!found || found.client_id !== client.id) return invalidGrant('refresh token')
  if (found.used_at !== null) {
    if (wall - found.used_at > graceMs) await endReused(site, ask, given.requestId, found, 'refresh_reuse')
    return invalidGrant('refresh token')
  }
  if (!isLiving(found, wall)) return invalidGrant('refresh token')
  // Before the token is used up: a wrong scope is a mistake, not the end.
  const scopes = scopesOf(given.scopes, found.token_scopes, client)
  if (scopes instanceof OAuthError) return scopes
  await ask(useRefresh, [plainSha256(given.token), iso(wall)])
  return issue(site, ask, found, scopes)
}

const findRefresh = sql(
  'oauth.find-refresh-token',
  `select g.id, g.client_id, g.person_id from oauth_refresh_tokens r join oauth_grants g on g.id = r.grant_id
    where r.token_hash = $1`,
).as<Pick<Grant, 'id' | 'client_id' | 'person_id'>>()

/** Whoever holds a refresh token may end all it stands for; the companies learn of it. */
export async function endByRefreshToken(
  site: Site,
  ask: Ask,
  requestId: string,
  token: string,
): Promise<void> {
  const [grant] = await ask(findRefresh, [plainSha256(token)])
  const ended = grant && (await revokeGrant(ask, grant.id, 'token', site.clock.wall()))
  if (!ended) return
  const { id: grantId, client_id: clientId, person_id: personId } = grant
  const act = newEvent(accessEnded, personId, { personId, grantId, clientId, because: 'token' })
  const actor = { kind: 'oauth_client', id: clientId, onBehalfOf: personId } as const
  await keepGrantAct(site, ask, { actor, requestId }, act, ended.company_ids)
}
