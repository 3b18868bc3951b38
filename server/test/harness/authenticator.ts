import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

interface CeremonyOptions {
  challenge: string
  /** What the browser reports; correct unless a test changes it. */
  origin?: string
  type?: string
  rpId?: string
  isVerified?: boolean
  /** Counts on by itself otherwise. */
  counter?: number
}

/** The input of an attestation. */
export interface AttestationInput {
  authData: Uint8Array<ArrayBuffer>
  clientDataHash: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
}
export interface AttestationStatement {
  fmt: string
  attStmt: Map<string, unknown>
}
const noAttestation = (): AttestationStatement => ({ fmt: 'none', attStmt: new Map() })

/** A phone in software: it makes a passkey for one site and answers with it, as WebAuthn level 3 writes it. */
export function newAuthenticator(siteUrl: string) {
  const { hostname, origin: siteOrigin } = new URL(siteUrl)
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let useCount = 0
  let userHandle: string | undefined

  const clientData = ({ challenge, origin = siteOrigin }: CeremonyOptions, type: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  // Flags: user present (1), user verified (4), attested credential data included (64).
  function authenticatorData(
    { rpId = hostname, isVerified = true, counter }: CeremonyOptions,
    attached?: Buffer,
  ) {
    const flags = 1 + (isVerified ? 4 : 0) + (attached ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? ++useCount)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attached ?? Buffer.alloc(0)])
  }

  function coseKey(): Buffer {
    const { x, y } = publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ])
    return Buffer.from(isoCBOR.encode(key))
  }

  return {
    id: base64url(id),
    /** To `navigator.credentials.create`. */
    create(
      options: CeremonyOptions & {
        user?: string
        attest?: (attestationInput: AttestationInput) => AttestationStatement
      },
    ) {
      userHandle = options.user
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attached = Buffer.concat([Buffer.alloc(16), length, id, coseKey()])
      const authData = new Uint8Array(authenticatorData({ counter: 0, ...options }, attached))
      const data = clientData(options, options.type ?? 'webauthn.create')
      const attestationInput = { authData, clientDataHash: sha256(data), privateKey, publicKey }
      const { fmt, attStmt } = (options.attest ?? noAttestation)(attestationInput)
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ])
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          attestationObject: base64url(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      }
    },
    /** To `navigator.credentials.get`. */
    get(options: CeremonyOptions & { user?: string }) {
      const data = clientData(options, options.type ?? 'webauthn.get')
      const authData = authenticatorData(options)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: options.user ?? userHandle,
        },
      }
    },
  }
}
