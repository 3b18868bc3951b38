import { errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Environment } from '../../../kit/actor.ts'
import type { Query } from '../../../kit/db/query.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { activeKey, algorithm, findVerificationKey } from './signing-keys.ts'

export const lifetimeSeconds = 3_600

/** The claims of a token. Whether it is still valid is checked in the database. */
export interface TokenClaims {
  jti: string
  clientId: string
  /** Null: the client acts for itself. */
  personId: string | null
  grantId: string | null
  environment: Environment
  scopes: string[]
  /** Epoch seconds. */
  issuedAt: number
  expiresAt: number
}

type Key = Awaited<ReturnType<typeof importJWK>>
const importedKeys = new LRUCache<string, Key>({ max: 8 })

/** Signed with the key that is active in this transaction: a retired key signs nothing. */
export async function signAccessToken(
  context: PageContext,
  query: Query,
  token: Pick<TokenClaims, 'clientId' | 'personId' | 'grantId' | 'environment' | 'scopes'>,
): Promise<string> {
  const { kid, privateJwk } = await activeKey(query, context.keyring)
  let key = importedKeys.get(kid)
  if (!key) {
    key = await importJWK(privateJwk, algorithm)
    importedKeys.set(kid, key)
  }
  const wall = context.clock.wall()
  const issuedAt = Math.floor(wall / 1000)
  return new SignJWT({
    client_id: token.clientId,
    scope: token.scopes.join(' '),
    env: token.environment,
    ...(token.grantId && { grant: token.grantId }),
  })
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
    .setIssuer(context.publicUrl)
    .setAudience(context.publicUrl)
    .setSubject(token.personId ?? token.clientId)
    .setJti(context.newId(wall))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

export type Verified = { claims: TokenClaims } | { refused: 'expired' | 'invalid' }

/** The tolerance for clock differences between our processes. */
const skewSeconds = 60
/** Our tokens have about 800 characters. */
const tokenLengthMax = 8_000

/** How long a process caches a verification key. */
export const keyCacheMs = 10_000

/** Verifies tokens with the active and recently retired keys: each is looked up by its id and cached for a few seconds. */
export function tokenReader(context: PageContext): (token: string) => Promise<Verified> {
  const keyCache = new LRUCache<string, Key>({ max: 16, ttl: keyCacheMs })
  async function keyNamed(kid: unknown): Promise<Key> {
    // Only our own keys, by key id; never a key in the token or one it points to.
    if (typeof kid !== 'string') throw new errors.JWKSNoMatchingKey()
    const cached = keyCache.get(kid)
    if (cached) return cached
    const jwk = await findVerificationKey(context, kid)
    if (!jwk) throw new errors.JWKSNoMatchingKey()
    const key = await importJWK(jwk, algorithm)
    keyCache.set(kid, key)
    return key
  }
  return async token => {
    if (token.length > tokenLengthMax) return { refused: 'invalid' }
    const wall = context.clock.wall()
    try {
      const { payload } = await jwtVerify(token, header => keyNamed(header.kid), {
        algorithms: [algorithm],
        typ: 'at+jwt',
        issuer: context.publicUrl,
        audience: context.publicUrl,
        requiredClaims: ['sub', 'jti', 'iat', 'exp', 'client_id', 'scope', 'env'],
        currentDate: new Date(wall),
      })
      const { sub, jti, iat, exp, client_id, scope, env, grant } = payload
      if (!isId(jti) || typeof client_id !== 'string' || typeof scope !== 'string')
        return { refused: 'invalid' }
      if (env !== 'production' && env !== 'sandbox') return { refused: 'invalid' }
      if (grant === undefined ? sub !== client_id : !isId(grant) || !isId(sub)) return { refused: 'invalid' }
      if (iat! > wall / 1000 + skewSeconds) return { refused: 'invalid' }
      return {
        claims: {
          jti,
          clientId: client_id,
          personId: grant === undefined ? null : sub!,
          grantId: (grant as string | undefined) ?? null,
          environment: env,
          scopes: scope.split(' ').filter(Boolean),
          issuedAt: iat!,
          expiresAt: exp!,
        },
      }
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { refused: 'expired' }
      if (error instanceof errors.JOSEError) return { refused: 'invalid' }
      throw error
    }
  }
}
