import { EgressFailed } from '../../../kit/egress/egress.ts'
import { EgressRefused } from '../../../kit/egress/url.ts'
import type { Environment, Outside } from '../../../kit/operation.ts'
import { version } from '../../../kit/version.ts'
import { signatureHeaders } from './signature.ts'

export interface DeliveredEvent {
  id: string
  type: string
  data: unknown
  /** Tenant time, ISO 8601. */
  createdAt: string
  environment: Environment
  sequence: number
}

/** The bytes a receiver gets. The same event gives the same bytes, whenever it is told. */
export const bodyOf = ({ id, type, data, createdAt, environment, sequence }: DeliveredEvent): string =>
  JSON.stringify({ id, event: type, createdAt, environment, sequence, data })

export interface Attempt {
  /** `ours`: nothing can be said about the receiver, because the fault was on this side. */
  verdict: 'delivered' | 'failed' | 'ours'
  responseStatus: number | null
  /** In a word, when there was no answer or a doubtful one: `timeout`, `redirect`, a network code. */
  error: string | null
  durationMs: number
}

const timeoutMs = 10_000
const readMostBytes = 16 * 1024

/** Our resolver, our network or our file descriptors, and nothing the receiver did. */
const oursToMend = new Set([
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'ENETDOWN',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  // The client was put away between being chosen and being used.
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])

function judge(error: unknown): Omit<Attempt, 'durationMs'> {
  if (error instanceof EgressRefused) return { verdict: 'failed', responseStatus: null, error: error.because }
  if (!(error instanceof EgressFailed)) throw error
  const verdict = oursToMend.has(error.code) ? 'ours' : 'failed'
  return { verdict, responseStatus: null, error: error.because === 'timeout' ? 'timeout' : error.code }
}

/** One signed request. By the letter of the specification anything below 400 is delivered; a redirect is not followed, and flagged. */
export async function postDelivery(
  outside: Pick<Outside, 'request'>,
  endpoint: { url: string; secret: string },
  message: { id: string; body: string; sentAt: number },
): Promise<Attempt> {
  const startedAt = performance.now()
  const spent = () => Math.round(performance.now() - startedAt)
  try {
    const { status } = await outside.request({
      method: 'POST',
      url: endpoint.url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `Relance-Webhooks/${version}`,
        ...signatureHeaders(endpoint.secret, message),
      },
      body: message.body,
      timeoutMs,
      maxResponseBytes: readMostBytes,
    })
    return {
      verdict: status < 400 ? 'delivered' : 'failed',
      responseStatus: status,
      error: status >= 300 && status < 400 ? 'redirect' : null,
      durationMs: spent(),
    }
  } catch (error) {
    return { ...judge(error), durationMs: spent() }
  }
}
