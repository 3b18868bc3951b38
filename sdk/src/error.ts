import type { ApiError, ErrorCode, FieldFault, Scope } from './generated/types.ts'

/** Codes for errors without an answer of the API: no answer, no answer in time, or an answer that is not from the API. */
export type ClientCode = 'NO_ANSWER' | 'TIMEOUT' | 'UNREADABLE'

interface ErrorFacts {
  status: number
  code: ErrorCode | ClientCode
  message: string
  details?: readonly FieldFault[] | undefined
  requestId?: string | null | undefined
  retryAfterMs?: number | null | undefined
  nextAllowedAt?: string | undefined
  requiredScopes?: readonly Scope[] | undefined
  docUrl?: string | undefined
  cause?: unknown
}

/** Any error of a request, except for an abort by the caller. */
export class RelanceError extends Error {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  readonly code: ErrorCode | ClientCode
  /** What is wrong, field by field. */
  readonly details: readonly FieldFault[]
  /** Identifies the request for support and in the log. */
  readonly requestId: string | null
  /** How long to wait before a retry, as given by the server. */
  readonly retryAfterMs: number | null
  /** When a message that the contact rules refuse now may be sent. */
  readonly nextAllowedAt: string | null
  /** What the credential would need. */
  readonly requiredScopes: readonly Scope[]
  readonly docUrl: string | null

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.name = 'RelanceError'
    this.status = facts.status
    this.code = facts.code
    this.details = facts.details ?? []
    this.requestId = facts.requestId ?? null
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.nextAllowedAt = facts.nextAllowedAt ?? null
    this.requiredScopes = facts.requiredScopes ?? []
    this.docUrl = facts.docUrl ?? null
  }
}

/** Seconds, or a date as proxies write it. */
function retryAfterMsOf(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** From the body of a refusal; a proxy may have answered instead of the API. */
export function refusalOf(status: number, headers: Headers, text: string): RelanceError {
  let body: { error?: Partial<ApiError>; requestId?: string } = {}
  try {
    body = JSON.parse(text) ?? {}
  } catch {}
  const { error } = body
  return new RelanceError({
    ...error,
    status,
    code: error?.code ?? 'UNREADABLE',
    message: error?.message ?? `The answer has status ${status} and is not from the API.`,
    requestId: body.requestId ?? headers.get('x-request-id'),
    retryAfterMs: retryAfterMsOf(headers.get('retry-after')),
  })
}
