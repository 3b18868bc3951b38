import type { Environment } from '../../../kit/actor.ts'
import { EgressFailed } from '../../../kit/egress/egress.ts'
import { EgressRefused } from '../../../kit/egress/url.ts'
import type { ExternalServices } from '../../../kit/operation.ts'
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

/** What a receiver gets, and what the list of events shows. */
export const contentOf = ({ id, type, data, createdAt, environment, sequence }: DeliveredEvent) => ({
  id,
  event: type,
  createdAt,
  environment,
  sequence,
  data,
})

/** The body a receiver gets. The same event always gives the same bytes. */
export const bodyOf = (event: DeliveredEvent): string => JSON.stringify(contentOf(event))

export interface Attempt {
  /** `ours`: the fault was on our side and says nothing about the receiver. */
  verdict: 'delivered' | 'failed' | 'ours'
  responseStatus: number | null
  /** Why there was no valid response: `timeout`, `redirect` or a network error code. */
  error: string | null
  durationMs: number
}

const timeoutMs = 10_000
const responseMaxBytes = 16 * 1024

/** Error codes of our own resolver, network or process, not caused by the receiver. */
const ownFaultCodes = new Set([
  'EAI_AGAIN',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'ENETDOWN',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  // The cached client was closed just before it was used.
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])

function classifyFailure(error: unknown): Omit<Attempt, 'durationMs'> {
  if (error instanceof EgressRefused) return { verdict: 'failed', responseStatus: null, error: error.because }
  if (!(error instanceof EgressFailed)) throw error
  const verdict = ownFaultCodes.has(error.code) ? 'ours' : 'failed'
  return { verdict, responseStatus: null, error: error.because === 'timeout' ? 'timeout' : error.code }
}

/** Sends one signed request. By the specification any status below 400 is delivered; a redirect is flagged and not followed. */
export async function postDelivery(
  external: Pick<ExternalServices, 'request'>,
  endpoint: { url: string; secret: string },
  message: { id: string; body: string; sentAt: number },
): Promise<Attempt> {
  const startedAt = performance.now()
  const elapsedMs = () => Math.round(performance.now() - startedAt)
  try {
    const { status } = await external.request({
      method: 'POST',
      url: endpoint.url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `Relance-Webhooks/${version}`,
        ...signatureHeaders(endpoint.secret, message),
      },
      body: message.body,
      timeoutMs,
      maxResponseBytes: responseMaxBytes,
    })
    return {
      verdict: status < 400 ? 'delivered' : 'failed',
      responseStatus: status,
      error: status >= 300 && status < 400 ? 'redirect' : null,
      durationMs: elapsedMs(),
    }
  } catch (error) {
    return { ...classifyFailure(error), durationMs: elapsedMs() }
  }
}
