import { generateKeyPairSync, type KeyObject, randomUUIDv7, sign } from 'node:crypto'
import { calculateJwkThumbprint, decodeJwt, importJWK, type JWK, SignJWT } from 'jose'
import { keyring } from '../../../../src/kit/crypto.ts'
import type { OAuthServer } from './oauth-calls.ts'

export interface Signer {
  kid: string
  publicJwk: JWK
  privateJwk: JWK
}

/** A key pair for forged tokens. */
export async function newSigner(): Promise<Signer> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicJwk = pair.publicKey.export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(publicJwk)
  return {
    kid,
    publicJwk: { ...publicJwk, kid, alg: 'RS256', use: 'sig' },
    privateJwk: pair.privateKey.export({ format: 'jwk' }) as JWK,
  }
}

/** The key of the server in that state, opened with its keyring. */
export async function signerOf(server: OAuthServer, ring: string, state: 'active' | 'next'): Promise<Signer> {
  const [row] = await server.sql<{ kid: string; public_jwk: JWK; private_sealed: string }>(
    'select kid, public_jwk, private_sealed from signing_keys where state = $1',
    [state],
  )
  if (!row) throw new Error(`no key is ${state}`)
  const privateJwk = JSON.parse(keyring(ring).open(`signing key ${row.kid}`, row.private_sealed)) as JWK
  return { kid: row.kid, publicJwk: row.public_jwk, privateJwk }
}

/** The claims of a genuine token under a new id, with changes; `undefined` takes one away. */
export function claimsLike(token: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const claims: Record<string, unknown> = { ...decodeJwt(token), jti: randomUUIDv7(), ...changes }
  for (const [name, value] of Object.entries(claims)) if (value === undefined) delete claims[name]
  return claims
}

export async function signWith(
  signer: Signer,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const key = await importJWK(signer.privateJwk, 'RS256')
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signer.kid, ...header } as { alg: string })
    .sign(key)
}

const encodePart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Put together by hand: no library would write such a header. */
export function assembleToken(
  header: Record<string, unknown>,
  claims: Record<string, unknown>,
  signature: (input: string) => string,
): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`
  return `${input}.${signature(input)}`
}

export const rsaSignature =
  (key: KeyObject) =>
  (input: string): string =>
    sign('sha256', Buffer.from(input), key).toString('base64url')
