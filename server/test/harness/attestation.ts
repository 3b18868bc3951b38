import { generateKeyPairSync, sign } from 'node:crypto'
import type { AttestationInput, AttestationStatement } from './authenticator.ts'
import { certificate, der, extension, hex, sequence } from './certificate.ts'

const signAttestation = ({ authData, clientDataHash, privateKey }: AttestationInput) =>
  new Uint8Array(sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey))

/** Self attestation: signed by the new key itself. */
export const selfAttestation = (input: AttestationInput): AttestationStatement => ({
  fmt: 'packed',
  attStmt: new Map<string, unknown>([
    ['alg', -7],
    ['sig', signAttestation(input)],
  ]),
})

/**
 * A certificate chain that satisfies every check of an Android key and is self-made. Its certificates name a URL of a
 * revocation list.
 */
export const attestationWithRevocationUrl =
  (fmt: string, url: string) =>
  (input: AttestationInput): AttestationStatement => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuer = { name: 'Nobody in particular', privateKey: root.privateKey }
    const revocationList = extension(
      '551d1f',
      sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))),
    )
    const security = der(0x0a, hex('01'))
    const description = sequence(
      der(0x02, hex('03')),
      security,
      der(0x02, hex('04')),
      security,
      der(0x04, input.clientDataHash),
      der(0x04),
      sequence(),
      sequence(),
    )
    const android = extension('2b06010401d679020111', description)
    const leafCertificate = certificate({
      name: 'A key',
      publicKey: input.publicKey,
      extensions: [android, revocationList],
      issuer,
    })
    const rootCertificate = certificate({
      name: issuer.name,
      publicKey: root.publicKey,
      extensions: [revocationList],
      issuer,
    })
    return {
      fmt,
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['ver', '2.0'],
        ['sig', signAttestation(input)],
        ['x5c', [new Uint8Array(leafCertificate), new Uint8Array(rootCertificate)]],
      ]),
    }
  }
