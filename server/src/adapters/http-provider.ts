import { EgressFailed, type EgressReply, type EgressRequest, egress } from '../kit/egress/egress.ts'
import { ListFailed, type SendResult, type SettledResult } from './channel.ts'

export type ProviderReply =
  | { status: number; json: unknown; headers: EgressReply['headers'] }
  /** There was no reply; `unreachable` proves that the request was not received. */
  | { status: null; because: EgressFailed['because']; code: string }

export interface HttpProvider {
  /** The short name of the provider in reasons. */
  readonly name: string
  request(request: EgressRequest & { path: string }): Promise<ProviderReply>
  close(): Promise<void>
}

export interface HttpProviderOptions {
  baseUrl: string
  /** For one whole exchange. */
  timeoutMs?: number
}

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** An HTTP client for one provider. Network errors are returned, not thrown: the adapter decides what they prove. */
export function httpProvider(
  name: string,
  { baseUrl, timeoutMs = 20_000 }: HttpProviderOptions,
): HttpProvider {
  const client = egress({ profile: 'operator', baseUrl })
  return {
    name,
    async request(request) {
      try {
        const { status, headers, body, truncated } = await client.request({ timeoutMs, ...request })
        return { status, headers, json: truncated ? undefined : parseJson(body) }
      } catch (error) {
        if (!(error instanceof EgressFailed)) throw error
        // The client is closing, so the request was not sent.
        const isOurs = error.code === 'UND_ERR_CLOSED' || error.code === 'UND_ERR_DESTROYED'
        return { status: null, because: isOurs ? 'unreachable' : error.because, code: error.code }
      }
    },
    close: () => client.close(),
  }
}

/** Reads a nested value from untyped JSON. */
export function valueAt(json: unknown, ...path: (string | number)[]): unknown {
  let found = json
  for (const key of path) found = (found as Record<string | number, unknown> | null | undefined)?.[key]
  return found
}

export const textAt = (json: unknown, ...path: (string | number)[]): string | undefined => {
  const found = valueAt(json, ...path)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

export const listAt = (json: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const found = valueAt(json, ...path)
  return Array.isArray(found) ? found : []
}

/** Accepts only a protocol code or a short number; any other text could contain personal data. */
const protocolCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^(?:[A-Za-z][A-Za-z_:.-]{0,59}|\d{1,6})$/.test(text) ? text : undefined

export interface JudgeOptions {
  /** The request after which the provider may deliver was made. */
  isCommitted: boolean
  /** The provider's error code. */
  code?: string | undefined
  /** The provider's error codes about our account, not about the message. */
  accountErrorCodes?: ReadonlySet<string>
}

/** About our account, our rate or our settings, never about the message: see `unavailable`. */
const aboutUs: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 429])

/** The outcome that an unsuccessful reply proves; `unknown` when it proves nothing. */
export function judgeReply(
  { name }: HttpProvider,
  reply: ProviderReply,
  { isCommitted, code, accountErrorCodes }: JudgeOptions,
): SendResult {
  const unproven = isCommitted ? 'unknown' : 'unavailable'
  if (reply.status === null)
    return {
      outcome: reply.because === 'unreachable' ? 'unavailable' : unproven,
      reason: `${name} ${reply.code}`,
    }
  const { status } = reply
  const word = protocolCode(code)
  const reason = [name, status, word].filter(part => part !== undefined).join(' ')
  // An unreadable success or a server error may still mean that the message was accepted.
  if (status < 300 || status >= 500 || status === 408) return { outcome: unproven, reason }
  const isAboutUs = status < 400 || aboutUs.has(status)
  if (isAboutUs || (word !== undefined && accountErrorCodes?.has(word)))
    return { outcome: 'unavailable', reason }
  return { outcome: 'permanent', reason }
}

/** The outcome when a lookup failed: still unknown. */
export const lookupFailed = (provider: HttpProvider, reply: ProviderReply): SettledResult => ({
  outcome: 'unknown',
  reason: `${provider.name} lookup ${reply.status ?? reply.code}`,
})

/** The list of sent messages could not be read. */
export const listFailed = (provider: HttpProvider, reply: ProviderReply): ListFailed =>
  new ListFailed(`${provider.name} list ${reply.status ?? reply.code}`)

/** Providers report times in whole seconds, so the second in which the period begins belongs to it. */
export const isBetween = (at: number, since: number, until: number): boolean =>
  at >= Math.floor(since / 1_000) * 1_000 && at <= until
