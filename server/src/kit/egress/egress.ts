import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { isPublicAddress } from './address.ts'
import { type Resolve, resolveByNameServers, resolveBySystem } from './dns.ts'
import { EgressFailed, type EgressReply, readUpTo, withTimeout } from './reply.ts'
import {
  EgressRefused,
  isTestAllowed,
  judgeTenantUrl,
  operatorUrl,
  parseOperatorBase,
  portOf,
  type RefusalCause,
  withoutBrackets,
} from './url.ts'

export { EgressFailed, type EgressReply } from './reply.ts'

interface CommonOptions {
  resolve?: Resolve
  connections?: number
  connectTimeoutMs?: number
  /** A certificate authority for tests only. */
  testCa?: string
}
export interface TenantEgress extends CommonOptions {
  profile: 'tenant'
  /**
   * `host:port` pairs that are allowed without checks, for tests and development only: the name in the URL, the address it resolves to,
   * or both. `host:*` is every port of it.
   */
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
export interface Egress<Target> {
  request(request: EgressRequest & Target): Promise<EgressReply>
  close(): Promise<void>
}

/** A streamed reply; the exchange ends when the caller stops reading. */
export interface OpenReply extends Pick<EgressReply, 'status' | 'headers'> {
  body: AsyncIterable<Buffer>
}
export interface OperatorClient extends Egress<{ path: string }> {
  open(
    request: Pick<EgressRequest, 'method' | 'headers' | 'body'> & { path: string; signal: AbortSignal },
  ): Promise<OpenReply>
}

export interface TenantClient extends Egress<{ url: string }> {
  /** Whether a customer's URL would be allowed now, by its text and by every address its name resolves to. */
  judgeUrl(
    url: string,
  ): Promise<{ allowed: true; resolves: boolean } | { allowed: false; because: RefusalCause }>
}

function customerResolver(testAllow: readonly string[]): Resolve {
  const byServers = resolveByNameServers()
  const isTestAllowedHost = (hostname: string) => testAllow.some(entry => entry.startsWith(`${hostname}:`))
  return hostname => (isTestAllowedHost(hostname) ? resolveBySystem(hostname) : byServers(hostname))
}

/**
 * undici creates an error for every header above its limit and checks for an abort only between two reads, so a receiver could
 * block the process for a second with each reply. Small reads stop early.
 */
function withSmallReads<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket)
  socket.read = size =>
    socket.destroyed ? null : read(size ?? (Math.min(socket.readableLength, 1_024) || undefined))
  return socket
}

type AddressCheck = (address: string, port: number) => boolean

/** Connects only to addresses that pass: the literal, every one the name resolves to, and the one really reached. */
function guardedConnector(
  options: CommonOptions,
  resolve: Resolve,
  passes: AddressCheck,
): buildConnector.connector {
  const lookupFor =
    (port: number): LookupFunction =>
    (hostname, { all }, callback) => {
      resolve(hostname).then(
        addresses => {
          const [first] = addresses
          if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '')
          // A single private address among public ones is treated as an attack.
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
    const hostname = withoutBrackets(target.hostname)
    // undici does not call `lookup` for an address literal.
    if (isIP(hostname) && !passes(hostname, port))
      return callback(new EgressRefused('non_public_address'), null)
    // A new connector for each connection: a shared one would store a receiver's TLS ticket and send it to the next address of the name.
    const connect = buildConnector({
      port,
      allowH2: false,
      timeout: options.connectTimeoutMs ?? 5_000,
      lookup: lookupFor(port),
      // Otherwise an environment variable could switch off the check of certificates.
      rejectUnauthorized: true,
      ...(options.testCa === undefined ? {} : { ca: options.testCa }),
    })
    connect(target, (...[error, socket]) => {
      if (error)
        return callback(error instanceof EgressRefused ? error : new EgressFailed('unreachable', error), null)
      const reached = socket.remoteAddress
      if (reached !== undefined && passes(reached, port)) return callback(null, withSmallReads(socket))
      socket.destroy()
      // A socket that was closed at once has no remote address, so its address cannot be checked.
      const gone = reached === undefined && new EgressFailed('unreachable', { code: 'ECONNRESET' })
      callback(gone || new EgressRefused('non_public_address'), null)
    })
  }
}

/** The timeout for resolving the name when an endpoint is registered. */
const resolveMaxMs = 3_000

/** The one HTTP client: never follows a redirect, never reads a proxy from the environment. */
export function egress(options: TenantEgress): TenantClient
export function egress(options: OperatorEgress): OperatorClient
export function egress(
  options: TenantEgress | OperatorEgress,
): Egress<{ url: string } & { path: string }> &
  Pick<TenantClient, 'judgeUrl'> &
  Pick<OperatorClient, 'open'> {
  const base = options.profile === 'operator' ? parseOperatorBase(options.baseUrl) : undefined
  const testAllow = options.profile === 'tenant' ? (options.testAllow ?? []) : []
  const passes: AddressCheck = base
    ? () => true
    : (address, port) => isPublicAddress(address) || isTestAllowed(testAllow, address, port)
  const resolve = options.resolve ?? (base ? resolveBySystem : customerResolver(testAllow))
  const dispatcher = new Agent({
    connect: guardedConnector(options, resolve, passes),
    connections: options.connections ?? 16,
    allowH2: false,
    // A receiver may ask for a longer keep-alive, but not longer than this.
    keepAliveMaxTimeout: 60_000,
  })

  function target({ url, path }: { url: string; path: string }): URL {
    if (base) return operatorUrl(base, path)
    const verdict = judgeTenantUrl(url, testAllow)
    if (!verdict.allowed) throw new EgressRefused(verdict.because)
    return verdict.url
  }

  const failed = (error: unknown): Error => {
    if (error instanceof EgressRefused || error instanceof EgressFailed) return error
    // A bug of ours, such as an invalid header.
    if (error instanceof errors.InvalidArgumentError) return error
    return new EgressFailed('interrupted', error)
  }

  return {
    async open({ method, headers, body, path, signal }) {
      const { origin, pathname, search } = target({ path, url: '' })
      try {
        const reply = await dispatcher.request({
          origin,
          path: pathname + search,
          method,
          headers: headers ?? null,
          body: body ?? null,
          signal,
        })
        return { status: reply.statusCode, headers: reply.headers, body: reply.body }
      } catch (error) {
        throw failed(error)
      }
    },

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
        throw failed(error)
      } finally {
        clearTimeout(timer)
      }
    },

    async judgeUrl(text) {
      const verdict = judgeTenantUrl(text, testAllow)
      if (!verdict.allowed) return verdict
      const host = withoutBrackets(verdict.url.hostname)
      if (isIP(host)) return { allowed: true, resolves: true }
      const addresses = await withTimeout(resolveMaxMs, resolve(host)).catch(() => [])
      const port = portOf(verdict.url)
      return addresses.every(({ address }) => passes(address, port))
        ? { allowed: true, resolves: addresses.length > 0 }
        : { allowed: false, because: 'non_public_address' }
    },

    close: () => dispatcher.close(),
  }
}
