import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const word = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

interface Answering {
  challenge: string
  /** What the browser says of itself; the truth unless a test lies. */
  origin?: string
  type?: string
  rpId?: string
  isVerified?: boolean
  /** Counts on by itself otherwise. */
  counter?: number
}

/** What an authenticator has when it vouches for itself. */
export interface Made {
  authData: Uint8Array<ArrayBuffer>
  clientDataHash: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
}
export interface Attested {
  fmt: string
  attStmt: Map<string, unknown>
}
const none = (): Attested => ({ fmt: 'none', attStmt: new Map() })

/** A phone in software: it makes a passkey for one site and answers with it, as WebAuthn level 3 writes it. */
export function newAuthenticator(siteUrl: string) {
  const { hostname, origin: siteOrigin } = new URL(siteUrl)
  const id = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let used = 0
  let userHandle: string | undefined

  const clientData = ({ challenge, origin = siteOrigin }: Answering, type: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  // Who is present (1), and shown to be who they are (4); with a key attached (64) when it is made.
  function authenticatorData({ rpId = hostname, isVerified = true, counter }: Answering, attached?: Buffer) {
    const flags = 1 + (isVerified ? 4 : 0) + (attached ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? ++used)
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
    id: word(id),
    /** To `navigator.credentials.create`. */
    create(answering: Answering & { user?: string; attest?: (made: Made) => Attested }) {
      userHandle = answering.user
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attached = Buffer.concat([Buffer.alloc(16), length, id, coseKey()])
      const authData = new Uint8Array(authenticatorData({ counter: 0, ...answering }, attached))
      const data = clientData(answering, answering.type ?? 'webauthn.create')
      const made = { authData, clientDataHash: sha256(data), privateKey, publicKey }
      const { fmt, attStmt } = (answering.attest ?? none)(made)
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ])
      return {
        id: word(id),
        rawId: word(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: word(data),
          attestationObject: word(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      }
    },
    /** To `navigator.credentials.get`. */
    get(answering: Answering & { user?: string }) {
      const data = clientData(answering, answering.type ?? 'webauthn.get')
      const authData = authenticatorData(answering)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      return {
        id: word(id),
        rawId: word(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: word(data),
          authenticatorData: word(authData),
          signature: word(signature),
          userHandle: answering.user ?? userHandle,
        },
      }
    },
  }
}
