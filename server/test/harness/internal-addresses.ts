export const internalIpv4 = [
  // This host, private networks, carrier-grade NAT.
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254'],
  ...['127.0.0.1', '127.0.0.2', '127.0.0.53', '127.255.255.254'],
  ...['172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.255.254'],
  // Link-local, and metadata services of clouds: most of them, ECS, EKS, Tencent, Scaleway, Alibaba, Oracle.
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.170.23', '169.254.0.23', '169.254.42.42'],
  ...['100.100.100.200', '192.0.0.192'],
  // Azure's own, which only looks public.
  '168.63.129.16',
  // Protocol assignments, documentation, AS112, AMT, 6to4 relays, benchmarking, multicast, reserved, broadcast.
  ...['192.0.0.1', '192.0.0.170', '192.0.2.1', '198.51.100.7', '203.0.113.7', '192.31.196.1', '192.175.48.1'],
  ...['192.52.193.1', '192.88.99.1', '198.18.0.1', '198.19.255.254', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255'],
]

export const internalIpv6 = [
  // Nobody, this host, unique-local, link-local, site-local, multicast, discard, segment routing.
  ...['::', '::1', 'fc00::1', 'fd12:3456:789a::1', 'fe80::1', 'fec0::1', 'ff02::1', 'ff05::2'],
  ...['100::1', '100:0:0:1::1', '5f00::1'],
  // Metadata services of clouds: AWS, EKS, Google, Oracle, Scaleway, Akamai.
  ...[
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
  ],
  // Protocol assignments, benchmarking, AMT, AS112, ORCHID, drone identifiers, documentation, never assigned.
  ...[
    '2001::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
  ],
  ...['2001:1ff:ffff::1', '2001:db8::1', '2620:4f:8000::1', '3fff::1', '4000::1', 'e000::1'],
]

const octets = (address: string) => address.split('.').map(Number) as [number, number, number, number]
const asNumber = (address: string) => octets(address).reduce((sum, octet) => sum * 256 + octet, 0)
const hex = (value: number) => value.toString(16)
const octal = (value: number) => `0${value.toString(8)}`
/** An IPv4 address as the two groups it takes in an IPv6 one. */
const pair = ([a, b, c, d]: [number, number, number, number]) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`

const fullWidth = (text: string) => text.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit)))
const percent = (text: string) => text.replace(/./g, sign => `%${hex(sign.charCodeAt(0))}`)

/** Other ways to write an IPv4 address as the host of a URL. */
export function spellingsOfIpv4(address: string): Record<string, string> {
  const [a, b, c, d] = octets(address)
  return {
    decimal: String(asNumber(address)),
    hexadecimal: `0x${hex(asNumber(address))}`,
    'capital hexadecimal': `0X${hex(asNumber(address)).toUpperCase()}`,
    octal: octal(asNumber(address)),
    'hexadecimal parts': octets(address)
      .map(part => `0x${hex(part)}`)
      .join('.'),
    'octal parts': octets(address).map(octal).join('.'),
    'padded octal parts': octets(address)
      .map(part => `0000${octal(part)}`)
      .join('.'),
    'two parts': `${a}.${b * 65_536 + c * 256 + d}`,
    'three parts': `${a}.${b}.${c * 256 + d}`,
    'mixed parts': `0x${hex(a)}.${octal(b)}.${c * 256 + d}`,
    'dot of the root': `${address}.`,
    'percent-encoded': percent(address),
    'full-width digits': fullWidth(address),
    'ideographic dots': address.replaceAll('.', '。'),
    'full-width dots': address.replaceAll('.', '．'),
    'soft hyphens': [...address].join('\u00ad'),
    'tabs and line ends': [...address].join('\t\n'),
  }
}

/** Ways to carry an IPv4 address inside an IPv6 one. */
export function ipv6FormsOfIpv4(address: string): Record<string, string> {
  const groups = pair(octets(address))
  const inverted = pair(octets(address).map(octet => 255 - octet) as [number, number, number, number])
  return {
    mapped: `::ffff:${address}`,
    'mapped, in groups': `::ffff:${groups}`,
    compatible: `::${address}`,
    translated: `::ffff:0:${address}`,
    NAT64: `64:ff9b::${address}`,
    'local NAT64': `64:ff9b:1::${address}`,
    '6to4': `2002:${groups}::1`,
    'Teredo server': `2001:0:${groups}::1`,
    'Teredo client': `2001:0:4136:e378:8000:63bf:${inverted}`,
    'link-local ISATAP': `fe80::5efe:${address}`,
  }
}

const allGroups = (address: string) => {
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = [left, right].map(part => part.split(':').filter(Boolean))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

/** Other ways to write an IPv6 address between the brackets of a URL. */
export function spellingsOfIpv6(address: string): Record<string, string> {
  const groups = allGroups(address)
  const [high = 0, low = 0] = groups.slice(6).map(group => Number.parseInt(group, 16))
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return {
    'written out': groups.join(':'),
    padded: groups.map(group => group.padStart(4, '0')).join(':'),
    capitals: groups.join(':').toUpperCase(),
    'dotted end': `${groups.slice(0, 6).join(':')}:${dotted}`,
  }
}
