import { errors, importJWK, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Ask } from '../../../kit/db/plain.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Environment } from '../../../kit/operation.ts'
import { activeKey, algorithm, signerNamed } from './signing-keys.ts'

export const lifetimeSeconds = 3_600

/** What a token says. Whether it still holds is asked of the database. */
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
const imported = new LRUCache<string, Key>({ max: 8 })

/** Signed with the key that is the active one in this very transaction: a retired key signs nothing. */
export async function signAccessToken(
  site: Site,
  ask: Ask,
  token: Pick<TokenClaims, 'clientId' | 'personId' | 'grantId' | 'environment' | 'scopes'>,
): Promise<string> {
  const { kid, privateJwk } = await activeKey(ask, site.keyring)
  let key = imported.get(kid)
  if (!key) {
    key = await importJWK(privateJwk, algorithm)
    imported.set(kid, key)
  }
  const wall = site.clock.wall()
  const issuedAt = Math.floor(wall / 1000)
  return new SignJWT({
    client_id: token.clientId,
    scope: token.scopes.join(' '),
    env: token.environment,
    ...(token.grantId && { grant: token.grantId }),
  })
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
    .setIssuer(site.publicUrl)
    .setAudience(site.publicUrl)
    .setSubject(token.personId ?? token.clientId)
    .setJti(site.newId(wall))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isId = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

export type Verified = { claims: TokenClaims } | { refused: 'expired' | 'invalid' }

/** Clocks of our processes differ by less. */
const skewSeconds = 60
/** Ours have some 800 characters. */
const longest = 8_000

/** How long a process goes on with a key it has looked up. */
export const rememberedMs = 10_000

/** Reads tokens with the keys that sign or did so lately: each is looked up by its name, and remembered for a few seconds. */
export function tokenReader(site: Site): (token: string) => Promise<Verified> {
  const known = new LRUCache<string, Key>({ max: 16, ttl: rememberedMs })
  async function keyNamed(kid: unknown): Promise<Key> {
    // Ours, by its name; never one the token brings or points to.
    if (typeof kid !== 'string') throw new errors.JWKSNoMatchingKey()
    const before = known.get(kid)
    if (before) return before
    const jwk = await signerNamed(site, kid)
    if (!jwk) throw new errors.JWKSNoMatchingKey()
    const key = await importJWK(jwk, algorithm)
    known.set(kid, key)
    return key
  }
  return async token => {
    if (token.length > longest) return { refused: 'invalid' }
    const wall = site.clock.wall()
    try {
      const { payload } = await jwtVerify(token, header => keyNamed(header.kid), {
        algorithms: [algorithm],
        typ: 'at+jwt',
        issuer: site.publicUrl,
        audience: site.publicUrl,
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
