import { BlockList, isIP, SocketAddress } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, it } from 'vitest'
import { blockText, covers, networkOf, readAddress, readBlock } from './ip-block.ts'

const block = (text: string) => {
  const read = readBlock(text)
  if (!('block' in read)) throw new Error(`${text} is no block: ${read.because}`)
  return read.block
}
const rewritten = (text: string) => blockText(block(text))

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/32', '192.0.2.7'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['2001:db8::7/128', '2001:db8::7'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:db8::/32', '2001:db8::/32'],
  ['::', '::'],
  ['::/0', '::/0'],
  ['::1', '::1'],
  ['1::', '1::'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
])('%s is written %s', (given, written) => {
  expect(rewritten(given)).toBe(written)
})

it.each([
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
])('%s is an IPv4 address in IPv6 notation, and is stored as %s', (given, written) => {
  expect(rewritten(given)).toBe(written)
})

it.each([
  '',
  ' ',
  '192.0.2',
  '192.0.2.256',
  '192.0.2.07',
  '0xc0.0.2.7',
  '3221225991',
  '192.0.2.7 ',
  '192.0.2.0/33',
  '192.0.2.0/-1',
  '192.0.2.0/024',
  '192.0.2.0/2.4',
  '192.0.2.0/',
  '192.0.2.0/24/24',
  '192.0.2.0/255.255.255.0',
  '192.0.2.0-192.0.2.9',
  '192.0.2.*',
  '2001:db8::/129',
  '2001:db8::1::2',
  'fe80::1%eth0',
  '::ffff:0:0/95',
  'example.org',
  '::ffff:192.0.2.256',
  '/24',
  '192.0.2.7\u0000',
  '９.９.９.９',
])('%j is no address', text => {
  expect(readBlock(text)).toEqual({ because: 'not_an_address' })
})

it('a length that cuts through the address is refused, with the network it would have meant', () => {
  for (const [given, network] of [
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['10.1.0.0/8', '10.0.0.0/8'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['0.0.0.1/0', '0.0.0.0/0'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ] as const) {
    const read = readBlock(given)
    expect(read).toMatchObject({ because: 'bits_beyond_length' })
    if ('network' in read) expect(blockText(read.network)).toBe(network)
  }
})

it('one block lies in another, in itself, and never in one of the other family', () => {
  const within = (inner: string, outer: string) => covers(block(outer), block(inner))
  expect(within('192.0.2.7', '192.0.2.0/24')).toBe(true)
  expect(within('192.0.2.0/25', '192.0.2.0/24')).toBe(true)
  expect(within('192.0.2.0/24', '192.0.2.0/24')).toBe(true)
  expect(within('192.0.2.0/23', '192.0.2.0/24')).toBe(false)
  expect(within('192.0.3.0/25', '192.0.2.0/24')).toBe(false)
  expect(within('0.0.0.0/0', '192.0.2.0/24')).toBe(false)
  expect(within('192.0.2.7', '::/0')).toBe(false)
  expect(within('::ffff:192.0.2.7', '192.0.2.0/24')).toBe(true)
  expect(within('::ffff:192.0.2.7', '::/0')).toBe(false)
  expect(within('2001:db8::7', '0.0.0.0/0')).toBe(false)
})

it('an address is read in every notation a proxy may use, and anything else is null', () => {
  const from = (text: string) => {
    const address = readAddress(text)
    return address && blockText(address)
  }
  expect(from('::FFFF:192.0.2.7')).toBe('192.0.2.7')
  expect(from('::ffff:c000:207')).toBe('192.0.2.7')
  expect(from('fe80::1%eth0')).toBe('fe80::1')
  for (const nonsense of ['', 'nonsense', '192.0.2.7:443', '[::1]', '192.0.2.0/24', 'unknown'])
    expect(from(nonsense), nonsense).toBeNull()
})

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6())
const isOfBlock = (text: string) =>
  !readAddress(text) || `ipv${isIP(text)}` === readAddress(text)!.address.kind()

it('any address written by us means the address it was read from, and is written the same again', () => {
  fc.assert(
    fc.property(anyAddress.filter(isOfBlock), text => {
      const written = rewritten(text)
      const family = isIP(text) === 6 ? 'ipv6' : 'ipv4'
      expect(new SocketAddress({ address: written, family }).address).toBe(
        new SocketAddress({ address: text, family }).address,
      )
      expect(rewritten(written)).toBe(written)
    }),
    { numRuns: 2_000 },
  )
})

it('what lies in a block is what the runtime’s own list says lies in it', () => {
  fc.assert(
    fc.property(
      anyAddress.filter(isOfBlock),
      anyAddress.filter(isOfBlock),
      fc.nat(128),
      fc.option(fc.nat(127)),
      (network, stranger, length, flipped) => {
        const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
        const bits = length % (family === 'ipv6' ? 129 : 33)
        const read = readBlock(`${network}/${bits}`)
        const outer = 'block' in read ? read.block : 'network' in read ? read.network : null
        expect(outer).not.toBeNull()
        const list = new BlockList()
        list.addSubnet(network, bits, family)
        // A stranger is hardly ever near: mostly it is the network's own address but for one bit.
        const whole = readAddress(network)!
        const bit = (flipped ?? 0) % whole.bits
        const bytes = whole.address.toByteArray()
        bytes[bit >> 3]! ^= 0x80 >> (bit & 7)
        const near = { ...whole, address: ipaddr.fromByteArray(bytes) }
        const address = flipped === null ? stranger : blockText(near)
        const inner = readAddress(address)!
        if (isIP(address) !== isIP(network)) expect(covers(outer!, inner)).toBe(false)
        else expect(covers(outer!, inner)).toBe(list.check(address, family))
      },
    ),
    { numRuns: 5_000 },
  )
})

it.each([
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['unknown', 'unknown'],
])('requests from %s are counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
