import { isIP } from 'node:net'
import { isPublicAddress } from './address.ts'

export type RefusalCause =
  | 'malformed_url'
  | 'not_https'
  | 'userinfo'
  | 'forbidden_port'
  | 'local_name'
  | 'non_public_address'
  | 'outside_base'

/** The URL is not allowed: a retry helps only if the URL or its DNS changes. */
export class EgressRefused extends Error {
  readonly because: RefusalCause
  constructor(because: RefusalCause) {
    super(`request refused: ${because}`)
    this.name = 'EgressRefused'
    this.because = because
  }
}

export type UrlVerdict = { allowed: true; url: URL } | { allowed: false; because: RefusalCause }

export const isTestAllowed = (testAllow: readonly string[], host: string, port: number) =>
  testAllow.some(entry => entry === `${host}:${port}` || entry === `${host}:*`)

export const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')
export const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

// A name without a dot is completed by the resolver's search list, which is ours and not the customer's.
const isLocalName = (host: string) =>
  !host.includes('.') || /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/.test(host)

/** Checks a customer's URL without DNS. */
export function judgeTenantUrl(text: string, testAllow: readonly string[] = []): UrlVerdict {
  const refuse = (because: RefusalCause): UrlVerdict => ({ allowed: false, because })
  const url = URL.parse(text)
  if (!url) return refuse('malformed_url')
  if (url.username || url.password) return refuse('userinfo')
  const host = withoutBrackets(url.hostname)
  const port = portOf(url)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (isWeb && isTestAllowed(testAllow, host, port)) return { allowed: true, url }
  if (url.protocol !== 'https:') return refuse('not_https')
  if (port !== 443 && port < 1024) return refuse('forbidden_port')
  if (isIP(host)) return isPublicAddress(host) ? { allowed: true, url } : refuse('non_public_address')
  // A trailing dot changes the name for comparisons, but not for the resolver.
  return isLocalName(host.replace(/(?<!\.)\.+$/, '')) ? refuse('local_name') : { allowed: true, url }
}

export function operatorUrl(base: URL, path: string): URL {
  const prefix = base.pathname.replace(/(?<!\/)\/+$/, '')
  // Written after the origin, a path can name no other host; `..` is resolved by the parser and compared.
  const url = path.startsWith('/') ? URL.parse(base.origin + prefix + path) : null
  if (!url) throw new EgressRefused('malformed_url')
  if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(`${prefix}/`))
    throw new EgressRefused('outside_base')
  return url
}

export function parseOperatorBase(baseUrl: string): URL {
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol)) throw new EgressRefused('malformed_url')
  if (base.username || base.password) throw new EgressRefused('userinfo')
  return base
}
