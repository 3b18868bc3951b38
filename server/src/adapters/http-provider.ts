import { EgressFailed, type EgressReply, type EgressRequest, egress } from '../kit/egress/egress.ts'
import type { SendResult } from './channel.ts'

export type Reply =
  | { status: number; json: unknown; headers: EgressReply['headers'] }
  /** Nobody answered; `unreachable` proves that nothing was received either. */
  | { status: null; because: EgressFailed['because']; code: string }

export interface HttpProvider {
  /** As providers are called in reasons: one small word. */
  readonly name: string
  ask(request: EgressRequest & { path: string }): Promise<Reply>
  close(): Promise<void>
}

export interface HttpProviderOptions {
  baseUrl: string
  /** For one whole exchange. */
  timeoutMs?: number
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Requests to one provider. What goes wrong on the way is an answer too: the sender has to say what it proves. */
export function httpProvider(
  name: string,
  { baseUrl, timeoutMs = 20_000 }: HttpProviderOptions,
): HttpProvider {
  const client = egress({ profile: 'operator', baseUrl })
  return {
    name,
    async ask(request) {
      try {
        const { status, headers, body, truncated } = await client.request({ timeoutMs, ...request })
        return { status, headers, json: truncated ? undefined : parsed(body) }
      } catch (error) {
        if (!(error instanceof EgressFailed)) throw error
        // We are closing, so it did not leave.
        const isOurs = error.code === 'UND_ERR_CLOSED' || error.code === 'UND_ERR_DESTROYED'
        return { status: null, because: isOurs ? 'unreachable' : error.because, code: error.code }
      }
    },
    close: () => client.close(),
  }
}

/** Walks into an answer of which nothing is known. */
export function at(json: unknown, ...path: (string | number)[]): unknown {
  let found = json
  for (const key of path) found = (found as Record<string | number, unknown> | null | undefined)?.[key]
  return found
}

export const textAt = (json: unknown, ...path: (string | number)[]): string | undefined => {
  const found = at(json, ...path)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

export const listAt = (json: unknown, ...path: (string | number)[]): readonly unknown[] => {
  const found = at(json, ...path)
  return Array.isArray(found) ? found : []
}

/** A word of the protocol or a short number. Anything else could be somebody's address in the provider's own words. */
const asCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^(?:[A-Za-z][A-Za-z_:.-]{0,59}|\d{1,6})$/.test(text) ? text : undefined

export interface Judged {
  /** The request after which the provider may deliver was made. */
  isCommitted: boolean
  /** The provider's own word for what is wrong. */
  code?: string | undefined
  /** Its words for what is wrong with our account and not with the message. */
  ours?: ReadonlySet<string>
}

/** What an answer that is not a yes proves. Without proof it is `unknown`. */
export function judge({ name }: HttpProvider, reply: Reply, { isCommitted, code, ours }: Judged): SendResult {
  const unproven = isCommitted ? 'unknown' : 'retryable'
  if (reply.status === null)
    return {
      outcome: reply.because === 'unreachable' ? 'retryable' : unproven,
      reason: `${name} ${reply.code}`,
    }
  const { status } = reply
  const word = asCode(code)
  const reason = [name, status, word].filter(part => part !== undefined).join(' ')
  // Who says yes and then nothing readable may have meant it; who did not hear us out may have heard enough.
  if (status < 300 || status >= 500 || status === 408) return { outcome: unproven, reason }
  const isOurFault = status < 400 || [401, 402, 403, 407, 429].includes(status)
  if (isOurFault || (word !== undefined && ours?.has(word))) return { outcome: 'retryable', reason }
  return { outcome: 'permanent', reason }
}

/** A lookup that was not answered leaves the question open. */
export const notAnswered = (provider: HttpProvider, reply: Reply): SendResult => ({
  outcome: 'unknown',
  reason: `${provider.name} lookup ${reply.status ?? reply.code}`,
})
