import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { isPublicAddress } from './address.ts'
import { asThisMachine, byNameServers, type Resolve } from './names.ts'
import { EgressFailed, type EgressReply, readUpTo, within } from './reply.ts'
import {
  bare,
  EgressRefused,
  isSpared,
  judgeTenantUrl,
  operatorBase,
  operatorUrl,
  portOf,
  type RefusalCause,
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
   * `host:port` pairs spared by the guard, for tests and development only: the name in the URL, the address it resolves to,
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

/** A reply as it arrives; whoever stops reading ends the exchange. */
export interface OpenReply extends Pick<EgressReply, 'status' | 'headers'> {
  body: AsyncIterable<Buffer>
}
export interface OperatorClient extends Egress<{ path: string }> {
  open(
    request: Pick<EgressRequest, 'method' | 'headers' | 'body'> & { path: string; signal: AbortSignal },
  ): Promise<OpenReply>
}

export interface TenantClient extends Egress<{ url: string }> {
  /** What would be said of a customer's URL now: as a text, and of every address its name has. */
  judge(
    url: string,
  ): Promise<{ allowed: true; resolves: boolean } | { allowed: false; because: RefusalCause }>
}

function namesOfCustomers(testAllow: readonly string[]): Resolve {
  const byServers = byNameServers()
  const isOurs = (hostname: string) => testAllow.some(entry => entry.startsWith(`${hostname}:`))
  return hostname => (isOurs(hostname) ? asThisMachine(hostname) : byServers(hostname))
}

/**
 * undici makes an error of every header past its limit, and looks whether it is to stop only between two readings: a receiver
 * could keep the process busy for a second with each reply. Small readings stop soon.
 */
function inSmallBites<S extends Socket>(socket: S): S {
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
    // New for each connection: it would keep a receiver's TLS ticket, and show it to whomever the name leads to next.
    const connect = buildConnector({
      port,
      allowH2: false,
      timeout: options.connectTimeoutMs ?? 5_000,
      lookup: lookupFor(port),
      // Otherwise the environment could say that any certificate will do.
      rejectUnauthorized: true,
      ...(options.testCa === undefined ? {} : { ca: options.testCa }),
    })
    connect(target, (...[error, socket]) => {
      if (error)
        return callback(error instanceof EgressRefused ? error : new EgressFailed('unreachable', error), null)
      const reached = socket.remoteAddress
      if (reached !== undefined && passes(reached, port)) return callback(null, inSmallBites(socket))
      socket.destroy()
      // Whoever hangs up at once has no address any more, which says nothing about the one it had.
      const gone = reached === undefined && new EgressFailed('unreachable', { code: 'ECONNRESET' })
      callback(gone || new EgressRefused('non_public_address'), null)
    })
  }
}

/** How long somebody who registers an endpoint waits for its name. */
const resolveMostMs = 3_000

/** The one HTTP client: never follows a redirect, never reads a proxy from the environment. */
export function egress(options: TenantEgress): TenantClient
export function egress(options: OperatorEgress): OperatorClient
export function egress(
  options: TenantEgress | OperatorEgress,
): Egress<{ url: string } & { path: string }> & Pick<TenantClient, 'judge'> & Pick<OperatorClient, 'open'> {
  const base = options.profile === 'operator' ? operatorBase(options.baseUrl) : undefined
  const testAllow = options.profile === 'tenant' ? (options.testAllow ?? []) : []
  const passes: AddressCheck = base
    ? () => true
    : (address, port) => isPublicAddress(address) || isSpared(testAllow, address, port)
  const resolve = options.resolve ?? (base ? asThisMachine : namesOfCustomers(testAllow))
  const dispatcher = new Agent({
    connect: guardedConnector(options, resolve, passes),
    connections: options.connections ?? 16,
    allowH2: false,
    // A receiver may ask us to hold a line for it; not for as long as it likes.
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
    // A mistake of ours, such as a header that cannot be written.
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

    async judge(text) {
      const verdict = judgeTenantUrl(text, testAllow)
      if (!verdict.allowed) return verdict
      const host = bare(verdict.url.hostname)
      if (isIP(host)) return { allowed: true, resolves: true }
      const addresses = await within(resolveMostMs, resolve(host)).catch(() => [])
      const port = portOf(verdict.url)
      return addresses.every(({ address }) => passes(address, port))
        ? { allowed: true, resolves: addresses.length > 0 }
        : { allowed: false, because: 'non_public_address' }
    },

    close: () => dispatcher.close(),
  }
}
