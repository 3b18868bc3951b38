import { isIP } from 'node:net'

/**
 * Addresses that share their first bits; one address is a block with all bits fixed. An IPv4 address written as IPv6
 * (`::ffff:192.0.2.1`) is that IPv4 address, so it cannot pass for another one on its way round a whitelist.
 */
export interface IpBlock {
  readonly family: 4 | 6
  readonly first: bigint
  readonly bits: number
}

export type ReadBlock =
  | { readonly block: IpBlock }
  | { readonly because: 'not_an_address' }
  /** `192.0.2.7/24`: either the address or the length is not what was meant. */
  | { readonly because: 'bits_beyond_length'; readonly network: IpBlock }

const widths = { 4: 32, 6: 128 } as const

const ipv4Number = (text: string): bigint =>
  text.split('.').reduce((number, part) => number * 256n + BigInt(part), 0n)

function ipv6Number(text: string): bigint {
  const tail = /\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0]
  const low = tail ? ipv4Number(tail) : 0n
  const hex = tail
    ? `${text.slice(0, -tail.length)}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`
    : text
  const [head = '', rest] = hex.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const [before, after] = [groups(head), groups(rest)]
  const all = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return all.reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n)
}

const isMapped = (number: bigint) => number >> 32n === 0xffffn

/** The address of a caller, or null when the text is no address: a proxy may forward anything. */
export function readAddress(text: string): IpBlock | null {
  const [address = ''] = text.split('%')
  const family = isIP(address)
  if (family === 4) return { family, first: ipv4Number(address), bits: widths[4] }
  if (family !== 6) return null
  const number = ipv6Number(address)
  return isMapped(number)
    ? { family: 4, first: number & 0xffff_ffffn, bits: widths[4] }
    : { family, first: number, bits: widths[6] }
}

const masked = (first: bigint, width: number, bits: number) => {
  const free = BigInt(width - bits)
  return (first >> free) << free
}

/** An address, or an address with a prefix length. Nothing is guessed: the bits after the prefix must be zero. */
export function readBlock(text: string): ReadBlock {
  const [address = '', length, ...more] = text.split('/')
  const parsed = address.includes('%') ? null : readAddress(address)
  const written = isIP(address) === 6 ? widths[6] : widths[4]
  if (!parsed || more.length > 0 || (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)))
    return { because: 'not_an_address' }
  if (length === undefined) return { block: parsed }
  // A mapped address counts its length from the front of the IPv6 one; shorter than 96 it is not IPv4 any more.
  const bits = Number(length) - (written - widths[parsed.family])
  if (bits < 0 || bits > widths[parsed.family]) return { because: 'not_an_address' }
  const first = masked(parsed.first, widths[parsed.family], bits)
  const block = { family: parsed.family, first, bits }
  return first === parsed.first ? { block } : { because: 'bits_beyond_length', network: block }
}

export const covers = (outer: IpBlock, inner: IpBlock): boolean =>
  outer.family === inner.family &&
  outer.bits <= inner.bits &&
  masked(inner.first, widths[inner.family], outer.bits) === outer.first

const ipv4Text = (number: bigint) => [24n, 16n, 8n, 0n].map(shift => (number >> shift) & 0xffn).join('.')

/** RFC 5952: small letters, no leading zeros, and the first of the longest runs of zeros left out. */
function ipv6Text(number: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  )
  const runs = [...groups.join(':').matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)]
  const longest = runs.reduce((best, [run]) => (run.length > best.length ? run : best), '')
  if (longest === '') return groups.join(':')
  const { index } = runs.find(([run]) => run === longest)!
  const text = groups.join(':')
  return `${text.slice(0, index).replace(/:$/, '')}::${text.slice(index + longest.length).replace(/^:/, '')}`
}

/** The one way a block is written here. */
export function blockText({ family, first, bits }: IpBlock): string {
  const address = family === 4 ? ipv4Text(first) : ipv6Text(first)
  return bits === widths[family] ? address : `${address}/${bits}`
}

/** One machine can use a whole /64 of IPv6, so IPv6 is counted by /64 network and IPv4 by single address. */
export function networkOf(address: string): string {
  const block = readAddress(address)
  if (!block) return address
  return blockText(block.family === 4 ? block : { ...block, first: masked(block.first, 128, 64), bits: 64 })
}
