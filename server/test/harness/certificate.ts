import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'

export const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : content.length < 256
        ? Buffer.from([0x81, content.length])
        : Buffer.from([0x82, content.length >> 8, content.length & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, content])
}
export const hex = (text: string) => Buffer.from(text, 'hex')
export const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (encoded: string) => der(0x06, hex(encoded))
export const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const subjectAltName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))

interface CertificateOptions {
  name: string
  publicKey: KeyObject
  extensions: Buffer[]
  issuer: { name: string; privateKey: KeyObject }
}

/** DER-encoded, valid until 2049. */
export function certificate({ name, publicKey, extensions, issuer }: CertificateOptions): Buffer {
  const distinguishedName = (text: string) =>
    sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
  const content = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = der(0x03, hex('00'), sign('sha256', content, issuer.privateKey))
  return sequence(content, ecdsaWithSha256, signature)
}

/** A self-signed certificate for these names; clients must be told to trust it. */
export function selfSigned(...names: string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = names[0] ?? 'nobody'
  const extensions = [extension('551d11', sequence(...names.map(subjectAltName)))]
  const cert = certificate({ name, publicKey, extensions, issuer: { name, privateKey } }).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
