import { BlockList, isIP } from 'node:net'

const subnets = (family: 'ipv4' | 'ipv6', ...ranges: string[]) => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

// IANA's special-purpose registries (RFC 6890) and multicast. The three AS112 and AMT blocks are reachable, but no customer uses them.
const specialIpv4 = subnets(
  'ipv4',
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Azure answers its machines here (metadata, agent), on an address that looks public.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)

// Only global unicast is allowed, so mapped, compatible, NAT64, unique-local, link-local and multicast need no rule.
const globalIpv6 = subnets('ipv6', '2000::/3')
const specialIpv6 = subnets(
  'ipv6',
  // Teredo, benchmarking, ORCHID: Teredo and 6to4 addresses contain an IPv4 address that an attacker can choose.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
)

/** True only for an address on the public internet; anything not understood is not. */
export function isPublicAddress(address: string): boolean {
  // A zone only exists on link-local addresses.
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}
