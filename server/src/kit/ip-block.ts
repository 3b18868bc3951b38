import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Addresses that share their first bits; one address is a block with all bits fixed. An IPv4 address written as IPv6
 * (`::ffff:192.0.2.1`) is that IPv4 address, so that it cannot be used to avoid a whitelist.
 */
export interface IpBlock {
  readonly address: ipaddr.IPv4 | ipaddr.IPv6
  readonly bits: number
}

export type ReadBlock =
  | { readonly block: IpBlock }
  | { readonly because: 'not_an_address' }
  /** `192.0.2.7/24`: either the address or the length is not what was meant. */
  | { readonly because: 'bits_beyond_length'; readonly network: IpBlock }

const widths = { ipv4: 32, ipv6: 128 } as const

/** The address of a caller, or null when the text is no address: a proxy may forward anything. */
export function readAddress(text: string): IpBlock | null {
  const [address = ''] = text.split('%')
  // The library also reads `0x7f.1` and `127.1`; Node does not.
  if (isIP(address) === 0) return null
  const parsed = ipaddr.process(address)
  return { address: parsed, bits: widths[parsed.kind()] }
}

/** The first address of the network with this prefix length. */
function networkAddress(address: IpBlock['address'], bits: number): IpBlock['address'] {
  const bytes = address.toByteArray()
  return ipaddr.fromByteArray(
    bytes.map((byte, i) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - 8 * i)))) & 0xff),
  )
}

/** An address, or an address with a prefix length. Nothing is guessed: the bits after the prefix must be zero. */
export function readBlock(text: string): ReadBlock {
  const [address = '', length, ...more] = text.split('/')
  const parsed = address.includes('%') ? null : readAddress(address)
  if (!parsed || more.length > 0 || (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)))
    return { because: 'not_an_address' }
  if (length === undefined) return { block: parsed }
  // A mapped address counts its length from the front of the IPv6 one; shorter than 96 it is not IPv4 any more.
  const written = isIP(address) === 6 ? widths.ipv6 : widths.ipv4
  const bits = Number(length) - (written - parsed.bits)
  if (bits < 0 || bits > parsed.bits) return { because: 'not_an_address' }
  const block = { address: networkAddress(parsed.address, bits), bits }
  return block.address.toString() === parsed.address.toString()
    ? { block }
    : { because: 'bits_beyond_length', network: block }
}

export const covers = (outer: IpBlock, inner: IpBlock): boolean =>
  outer.address.kind() === inner.address.kind() &&
  outer.bits <= inner.bits &&
  inner.address.match(outer.address, outer.bits)

/** The canonical text of a block; IPv6 as in RFC 5952. */
export function blockText({ address, bits }: IpBlock): string {
  const text = address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
  return bits === widths[address.kind()] ? text : `${text}/${bits}`
}

/** One machine can use a whole /64 of IPv6, so IPv6 is counted by /64 network and IPv4 by single address. */
export function networkOf(address: string): string {
  const block = readAddress(address)
  if (!block) return address
  return blockText(
    block.address.kind() === 'ipv4' ? block : { address: networkAddress(block.address, 64), bits: 64 },
  )
}
