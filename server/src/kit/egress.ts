import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { isPublicAddress } from './egress-address.ts'

export type RefusalCause =
  | 'malformed_url'
  | 'not_https'
  | 'userinfo'
  | 'forbidden_port'
  | 'local_name'
  | 'non_public_address'
  | 'outside_base'

/** The guard said no: trying again changes nothing unless the URL or its DNS does. */
export class EgressRefused extends Error {
  readonly because: RefusalCause
  constructor(because: RefusalCause) {
    super(`request refused: ${because}`)
    this.name = 'EgressRefused'
    this.because = because
  }
}

/** `unreachable`: no connection was made, so provably not sent. `timeout` and `interrupted`: perhaps received. */
export class EgressFailed extends Error {
  readonly because: 'unreachable' | 'timeout' | 'interrupted'
  readonly code: string
  constructor(because: EgressFailed['because'], cause: unknown) {
    const code = (cause as { code?: unknown } | undefined)?.code
    const known = typeof code === 'string' ? code : because.toUpperCase()
    super(`request failed: ${because} (${known})`, { cause })
    this.name = 'EgressFailed'
    this.because = because
    this.code = known
  }
}

export interface ResolvedAddress {
  address: string
  family: number
}
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>

interface CommonOptions {
  resolve?: Resolve
  connections?: number
  connectTimeoutMs?: number
  /** A certificate authority for tests only. */
  testCa?: string
}
export interface TenantEgress extends CommonOptions {
  profile: 'tenant'
  /** `host:port` pairs spared by the guard, for tests only: the name in the URL, the address it resolves to, or both. */
  testAllow?: readonly string[]
}
export interface OperatorEgress extends CommonOptions {
  profile: 'operator'
  baseUrl: string
}

export interface EgressRequest {
  method: Dispatcher.HttpMethod
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange, from the name lookup to the last byte. */
  timeoutMs?: number
  maxResponseBytes?: number
}
export interface EgressReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** The reply was longer than `maxResponseBytes` and the rest was not read. */
  truncated: boolean
}
export interface Egress<Target> {
  request(request: EgressRequest & Target): Promise<EgressReply>
  close(): Promise<void>
}

export type UrlVerdict = { allowed: true; url: URL } | { allowed: false; because: RefusalCause }

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')
const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

// A name without a dot is completed by the resolver's search list, which is ours and not the customer's.
const isLocalName = (host: string) =>
  !host.includes('.') || /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa)$/.test(host)

/** What can be said of a customer's URL without asking DNS, as when an endpoint is registered. */
export function judgeTenantUrl(text: string, testAllow: readonly string[] = []): UrlVerdict {
  const refuse = (because: RefusalCause): UrlVerdict => ({ allowed: false, because })
  const url = URL.parse(text)
  if (!url) return refuse('malformed_url')
  if (url.username || url.password) return refuse('userinfo')
  const host = bare(url.hostname)
  const port = portOf(url)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (isWeb && testAllow.includes(`${host}:${port}`)) return { allowed: true, url }
  if (url.protocol !== 'https:') return refuse('not_https')
  if (port !== 443 && port < 1024) return refuse('forbidden_port')
  if (isIP(host)) return isPublicAddress(host) ? { allowed: true, url } : refuse('non_public_address')
  // The root's dot hides a name from comparisons, not from the resolver.
  return isLocalName(host.replace(/\.+$/, '')) ? refuse('local_name') : { allowed: true, url }
}

function operatorUrl(base: URL, path: string): URL {
  const prefix = base.pathname.replace(/\/+$/, '')
  // Written after the origin, a path can name no other host; `..` is resolved by the parser and compared.
  const url = path.startsWith('/') ? URL.parse(base.origin + prefix + path) : null
  if (!url) throw new EgressRefused('malformed_url')
  if (url.origin !== base.origin || !`${url.pathname}/`.startsWith(`${prefix}/`))
    throw new EgressRefused('outside_base')
  return url
}

function operatorBase(baseUrl: string): URL {
  const base = URL.parse(baseUrl)
  if (!base || !/^https?:$/.test(base.protocol)) throw new EgressRefused('malformed_url')
  if (base.username || base.password) throw new EgressRefused('userinfo')
  return base
}

type AddressCheck = (address: string, port: number) => boolean

/** Connects only to addresses that pass: the literal, every one the name resolves to, and the one really reached. */
function guardedConnector(options: CommonOptions, passes: AddressCheck): buildConnector.connector {
  const resolve: Resolve =
    options.resolve ?? (hostname => systemLookup(hostname, { all: true, verbatim: true }))

  const lookupFor =
    (port: number): LookupFunction =>
    (hostname, { all }, callback) => {
      resolve(hostname).then(
        addresses => {
          const [first] = addresses
          if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
          // One private address among public ones is a trap, not a choice.
          if (!addresses.every(({ address }) => passes(address, port))) {
            return callback(new EgressRefused('non_public_address'), '')
          }
          if (all) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        error => callback(error, ''),
      )
    }

  return (target, callback) => {
    const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
    const hostname = bare(target.hostname)
    // undici asks no lookup about a literal.
    if (isIP(hostname) && !passes(hostname, port))
      return callback(new EgressRefused('non_public_address'), null)
    const connect = buildConnector({
      port,
      allowH2: false,
      timeout: options.connectTimeoutMs ?? 5_000,
      lookup: lookupFor(port),
      ...(options.testCa === undefined ? {} : { ca: options.testCa }),
    })
    connect(target, (...[error, socket]) => {
      if (error)
        return callback(error instanceof EgressRefused ? error : new EgressFailed('unreachable', error), null)
      if (passes(socket.remoteAddress ?? '', port)) return callback(null, socket)
      socket.destroy()
      callback(new EgressRefused('non_public_address'), null)
    })
  }
}

async function readUpTo(
  limit: number,
  stream: AsyncIterable<Buffer>,
): Promise<Pick<EgressReply, 'body' | 'truncated'>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop destroys the stream, and the connection with it.
    if (size > limit) break
  }
  return { body: Buffer.concat(chunks).subarray(0, limit), truncated: size > limit }
}

/** The one HTTP client: never follows a redirect, never reads a proxy from the environment. */
export function egress(options: TenantEgress): Egress<{ url: string }>
export function egress(options: OperatorEgress): Egress<{ path: string }>
export function egress(options: TenantEgress | OperatorEgress): Egress<{ url: string } & { path: string }> {
  const base = options.profile === 'operator' ? operatorBase(options.baseUrl) : undefined
  const testAllow = options.profile === 'tenant' ? (options.testAllow ?? []) : []
  const passes: AddressCheck = base
    ? () => true
    : (address, port) => isPublicAddress(address) || testAllow.includes(`${address}:${port}`)
  const dispatcher = new Agent({
    connect: guardedConnector(options, passes),
    connections: options.connections ?? 16,
    allowH2: false,
  })

  function target({ url, path }: { url: string; path: string }): URL {
    if (base) return operatorUrl(base, path)
    const verdict = judgeTenantUrl(url, testAllow)
    if (!verdict.allowed) throw new EgressRefused(verdict.because)
    return verdict.url
  }

  return {
    async request({ method, headers, body, timeoutMs = 10_000, maxResponseBytes = 1 << 20, ...where }) {
      const { origin, pathname, search } = target(where)
      const deadline = new AbortController()
      const exchange = async (): Promise<EgressReply> => {
        const reply = await dispatcher.request({
          origin,
          path: pathname + search,
          method,
          headers: headers ?? null,
          body: body ?? null,
          signal: deadline.signal,
        })
        const read = await readUpTo(maxResponseBytes, reply.body)
        return { status: reply.statusCode, headers: reply.headers, ...read }
      }
      // undici notices an abort only once connected, so the deadline is raced and not merely signalled.
      const expiry = Promise.withResolvers<never>()
      const timer = setTimeout(() => {
        const timeout = new EgressFailed('timeout', undefined)
        expiry.reject(timeout)
        deadline.abort(timeout)
      }, timeoutMs)
      try {
        return await Promise.race([exchange(), expiry.promise])
      } catch (error) {
        if (error instanceof EgressRefused || error instanceof EgressFailed) throw error
        // A mistake of ours, such as a header that cannot be written.
        if (error instanceof errors.InvalidArgumentError) throw error
        throw new EgressFailed('interrupted', error)
      } finally {
        clearTimeout(timer)
      }
    },

    close: () => dispatcher.close(),
  }
}
