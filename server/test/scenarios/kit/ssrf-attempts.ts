import type { RefusalCause } from '../../../src/kit/egress/url.ts'
import {
  internalIpv4,
  internalIpv6,
  ipv6FormsOfIpv4,
  spellingsOfIpv4,
  spellingsOfIpv6,
} from '../../harness/internal-addresses.ts'

/** One thing a customer could write: what DNS would say of the name in it, lookup by lookup, and why it is refused. */
export interface Attempt {
  url: string
  dns?: string[][]
  because?: RefusalCause
  /** The result of registering it, when it is not refused. */
  registered?: { allowed: true; resolves: boolean }
}

export const internalAddresses = [...internalIpv4, ...internalIpv6]
export const public4 = '93.184.216.34'
const public6 = '2606:2800:220:1:248:1893:25c8:1946'

export const isIpv6 = (address: string) => address.includes(':')
export const hostOf = (address: string) => (isIpv6(address) ? `[${address}]` : address)
let names = 0
export const newName = () => `hooks${++names}.cliente.example`

const splitWords = (text: string) => text.trim().split(/\s+/)
/** Whatever they are taken for, their name leads here. */
const refused = (because: RefusalCause, urls: string[]): Attempt[] =>
  urls.map(url => ({ url, because, dns: [['127.0.0.1']] }))

const addresses: Record<string, (port: number) => Attempt[]> = {
  'a literal, on any port and on the usual one': port =>
    internalAddresses
      .flatMap(address => [`https://${hostOf(address)}:${port}/`, `https://${hostOf(address)}`])
      .map(url => ({ url })),
  'an IPv4 literal written otherwise': port =>
    internalIpv4.flatMap(address =>
      Object.values(spellingsOfIpv4(address)).map(text => ({ url: `https://${text}:${port}/` })),
    ),
  'an IPv4 address inside an IPv6 literal': port =>
    internalIpv4.flatMap(address =>
      Object.values(ipv6FormsOfIpv4(address)).map(text => ({ url: `https://[${text}]:${port}/` })),
    ),
  'an IPv6 literal written otherwise': port =>
    internalIpv6.flatMap(address =>
      Object.values(spellingsOfIpv6(address)).map(text => ({ url: `https://[${text}]:${port}/` })),
    ),
  'an IPv6 literal with a zone': port =>
    internalIpv6.flatMap(address =>
      refused(
        'malformed_url',
        ['%lo', '%25lo', '%1', '%2525eth0'].map(zone => `https://[${address}${zone}]:${port}/`),
      ),
    ),
  'a port below 1024, other than 443': () =>
    internalAddresses.flatMap(address =>
      refused(
        'forbidden_port',
        [0, 1, 22, 25, 80, 1023].map(port => `https://${hostOf(address)}:${port}/`),
      ),
    ),
  'userinfo, in front of this address or made of it': port =>
    internalAddresses.flatMap(address =>
      refused('userinfo', [
        `https://hooks.cliente.example@${hostOf(address)}:${port}/`,
        `https://hooks.cliente.example:443@${hostOf(address)}/`,
        `https://hooks.cliente.example%2f@${hostOf(address)}/`,
        `https://${encodeURIComponent(address)}@hooks.cliente.example/`,
        `https://x:${address}@hooks.cliente.example/`,
      ]),
    ),
  'empty userinfo, which is none': port =>
    internalAddresses.flatMap(address => [
      { url: `https://@${hostOf(address)}:${port}/` },
      { url: `https://:@${hostOf(address)}/` },
    ]),
  'another scheme': port =>
    internalAddresses.flatMap(address =>
      refused(
        'not_https',
        splitWords('http HTTP ftp ws wss gopher dict ldap tftp').map(
          scheme => `${scheme}://${hostOf(address)}:${port}/`,
        ),
      ),
    ),
}

const namesInDns: Record<string, (port: number) => Attempt[]> = {
  'a name that leads there': port =>
    internalAddresses.map(address => ({ url: `https://${newName()}:${port}/`, dns: [[address]] })),
  'a name that leads there by an IPv6 address': port =>
    internalIpv4
      .flatMap(address => Object.values(ipv6FormsOfIpv4(address)))
      .map(address => ({ url: `https://${newName()}:${port}/`, dns: [[address]] })),
  'a name with public addresses and this one': port =>
    internalAddresses
      .flatMap(address => [
        [public4, address],
        [address, public4],
        [public6, address, public4],
        [...Array<string>(300).fill(public4), address],
      ])
      .map(several => ({ url: `https://${newName()}:${port}/`, dns: [several] })),
  'a name that is public when it is registered, and not when it is called': port =>
    internalAddresses.map(address => ({
      url: `https://${newName()}:${port}/`,
      dns: [[public4], [address]],
      registered: { allowed: true, resolves: true },
    })),
  'a name without address when it is registered, and with this one when it is called': port =>
    internalAddresses.map(address => ({
      url: `https://${newName()}:${port}/`,
      dns: [[], [address]],
      registered: { allowed: true, resolves: false },
    })),
  'a public name with an address in its letters or around it': () =>
    splitWords(String.raw`127.0.0.1.nip.example xn--127-0-0-1.example xn--a.example 169-254-169-254.example kubernetes.default.svc localhost.example
      HOOKS.CLIENTE.EXAMPLE hooks.cliente.example. hooks。cliente。example höoks.example xn--hoks-5qa.example faß.example
      hooks.cliente.example\@127.0.0.1 hooks.cliente.example/@127.0.0.1 hooks.cliente.example#@127.0.0.1
      hooks.cliente.example?https://127.0.0.1 hooks.cliente.example/\127.0.0.1/ hooks.cliente.example//127.0.0.1/..//
      hooks.cliente.example/%0d%0aHost:%20127.0.0.1`).map(text => ({
      url: `https://${text}`,
      dns: [['127.0.0.1']],
    })),
}

const texts: Record<string, (port: number) => Attempt[]> = {
  'a port written oddly': () => [
    ...refused(
      'malformed_url',
      ['65536', '-1', '1e3', '0x50', '80@', ' 443'].map(port => `https://127.0.0.1:${port}/`),
    ),
    ...['', '00443', '443'].map(port => ({ url: `https://127.0.0.1:${port}/` })),
  ],
  'no web address at all': () => [
    ...refused(
      'not_https',
      splitWords(`file:///etc/passwd file://127.0.0.1/etc/passwd javascript:fetch("//127.0.0.1") data:text/html,https://127.0.0.1
        blob:https://127.0.0.1/x about:blank jar:https://127.0.0.1!/ view-source:https://127.0.0.1/ unix:/run/engine.sock
        http+unix://%2Frun%2Fengine.sock/ localhost:9070`),
    ),
    ...refused('malformed_url', [
      '',
      ' ',
      ...splitWords('//127.0.0.1/ 127.0.0.1 /127.0.0.1 https:// https: : ? #'),
    ]),
  ],
  'slashes, spaces and line ends where they do not belong': port =>
    [
      ...splitWords(String.raw`https:HOST/ https:/HOST/ https:///HOST/ https://///HOST https:\\HOST/ https:/\HOST\ HTTPS://HOST/
        https://HOST\@hooks.cliente.example/ https://HOST?@hooks.cliente.example https://HOST#@hooks.cliente.example`),
      ...[
        '\thttps://HOST/',
        ' \n\u0000https://HOST/ \r\n',
        'ht\ntps://HOST/',
        'https:\t//HOST\r/',
        'https://\nHOST\t',
      ],
    ].flatMap(url => ['127.0.0.1', '[::1]'].map(host => ({ url: url.replace('HOST', `${host}:${port}`) }))),
  'a host that is none': () =>
    refused('malformed_url', [
      ...splitWords(`https://[127.0.0.1]/ https://[::1/ https://::1/ https://[[::1]]/ https://[::1]x/ https://[:::1]/ https://[::ffff:127.0.0.1.]/
        https://127.0.0.1%00/ https://127.0.0.1%2f/ https://127.0.0.1%3a80/ https://256.0.0.1/ https://1.2.3.4.5/ https://127.0.0.08/
        https://99999999999/ https://hooks.127/ https://hooks.0x7f/ https://127.0.0.1|hooks.cliente.example/ https://hooks<.example/
        https://hooks^.example/ https://％31％32％37.0.0.1/ https://hooks.cliente.example%40127.0.0.1/`),
      ...['https://127.0.0.1 /', 'https://\u00ad/', 'https://a\u0000b.example/'],
    ]),
  'a local name': port =>
    refused(
      'local_name',
      [
        ...splitWords(`localhost LOCALHOST LocalHost. localhost.. api.localhost api.localhost。 localhost.localdomain ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ
        ℒocalhost localhoſt %6c%6f%63alhost redis engine postgres metadata instance-data kubernetes wpad xn--80ak6aa92e x.
        metadata.google.internal METADATA.GOOGLE.INTERNAL. host.docker.internal ip-10-0-0-1.ec2.internal printer.local
        kubernetes.default.svc.cluster.local router.home.arpa`),
        ...['loc\u00adalhost', 'local\u200bhost', 'local\u2060host', 'lo\tcal\nhost'],
      ].map(name => `https://${name}:${port}/`),
    ),
}

/** By what they have in common, for a victim that listens on this port. */
export const forms = { ...addresses, ...namesInDns, ...texts }
/** Those that are refused for what they say, whatever DNS says. */
export const formsWithoutDns = { ...addresses, ...texts }
