import { generateKeyPairSync, sign } from 'node:crypto'
import type { Attested, Made } from './authenticator.ts'
import { certificate, der, extension, hex, sequence } from './certificate.ts'

const signed = ({ authData, clientDataHash, privateKey }: Made) =>
  new Uint8Array(sign('sha256', Buffer.concat([authData, clientDataHash]), privateKey))

/** By the very key that was made, and by nobody else. */
export const selfAttested = (made: Made): Attested => ({
  fmt: 'packed',
  attStmt: new Map<string, unknown>([
    ['alg', -7],
    ['sig', signed(made)],
  ]),
})

/**
 * A chain that is right in everything an Android key is asked for, and made by whoever wanted to: its certificate says where to
 * ask whether it was called back.
 */
export const chainNaming =
  (fmt: string, url: string) =>
  (made: Made): Attested => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuer = { name: 'Nobody in particular', privateKey: root.privateKey }
    const list = extension('551d1f', sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url)))))))
    const security = der(0x0a, hex('01'))
    const description = sequence(
      der(0x02, hex('03')),
      security,
      der(0x02, hex('04')),
      security,
      der(0x04, made.clientDataHash),
      der(0x04),
      sequence(),
      sequence(),
    )
    const android = extension('2b06010401d679020111', description)
    const leaf = certificate({
      name: 'A key',
      publicKey: made.publicKey,
      extensions: [android, list],
      issuer,
    })
    const top = certificate({ name: issuer.name, publicKey: root.publicKey, extensions: [list], issuer })
    return {
      fmt,
      attStmt: new Map<string, unknown>([
        ['alg', -7],
        ['ver', '2.0'],
        ['sig', signed(made)],
        ['x5c', [new Uint8Array(leaf), new Uint8Array(top)]],
      ]),
    }
  }
