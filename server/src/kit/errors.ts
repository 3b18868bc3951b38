/** Every code of the API: its HTTP status, what it means and what to do next. The documentation is made from this table. */
export const errorCodes = {
  AUTH_001: {
    status: 401,
    means: 'API key missing',
    next: 'Send your key in the `X-API-Key` header, or a token in `Authorization: Bearer`.',
  },
  AUTH_002: {
    status: 401,
    means: 'Credential invalid',
    next: 'Check that the key was copied whole, belongs to this environment and has not been revoked or rotated; send only one credential.',
  },
  AUTH_003: {
    status: 401,
    means: 'OAuth token expired',
    next: 'Ask for a new access token and repeat the request.',
  },
  AUTH_004: {
    status: 403,
    means: 'Insufficient scope',
    next: 'Use a credential that has every scope listed in `error.requiredScopes`.',
  },
  AUTH_005: {
    status: 403,
    means: 'IP not allowed',
    next: "Call from an address on the key's whitelist, or change the whitelist.",
  },
  AUTH_006: {
    status: 403,
    means: 'API client disabled',
    next: 'Contact the operator: the company or the client was switched off.',
  },
  AUTH_007: { status: 403, means: 'Action reserved to production', next: 'Use a production credential.' },
  RATE_001: {
    status: 429,
    means: 'Per-minute limit exceeded',
    next: 'Wait `Retry-After` seconds, then go on more slowly.',
  },
  RATE_002: {
    status: 429,
    means: 'Daily quota exhausted',
    next: 'Wait until the UTC day ends (`Retry-After`), or move to a larger tier.',
  },
  RATE_003: {
    status: 429,
    means: 'Too many simultaneous requests',
    next: 'Wait for some of your requests to end, then repeat this one.',
  },
  VAL_001: {
    status: 400,
    means: 'Data validation failed',
    next: 'Correct the fields named in `error.details`.',
  },
  VAL_002: {
    status: 400,
    means: 'Invalid parameter value',
    next: 'Correct the query parameters named in `error.details`.',
  },
  VAL_003: { status: 400, means: 'Required field missing', next: 'Add the fields named in `error.details`.' },
  VAL_004: {
    status: 400,
    means: 'Invalid data format',
    next: 'Send well-formed JSON with `Content-Type: application/json`, and UUIDs in the path.',
  },
  VAL_005: {
    status: 413,
    means: 'Payload too large',
    next: 'Send a smaller body: 10 MB for bulk import, 1 MB elsewhere.',
  },
  RES_001: {
    status: 404,
    means: 'Resource not found',
    next: 'Check the identifier and the environment of your key.',
  },
  RES_002: {
    status: 409,
    means: 'Resource already exists',
    next: 'Read the existing resource, or choose another unique value.',
  },
  RES_003: { status: 409, means: 'Resource conflict', next: 'Read the current state and decide again.' },
  RES_004: {
    status: 423,
    means: 'Resource locked',
    next: 'Repeat the same request after `Retry-After` seconds.',
  },
  BIZ_001: { status: 400, means: 'Invoice already paid', next: 'Nothing is owed on this invoice any more.' },
  BIZ_002: {
    status: 400,
    means: 'Workflow already started',
    next: 'Use pause, resume, cancel or escalate instead of start or delete.',
  },
  BIZ_003: {
    status: 404,
    means: 'Debtor not found',
    next: "Check `debtor.id`, or send the debtor's data without an id.",
  },
  BIZ_004: {
    status: 400,
    means: 'Invalid status transition',
    next: 'Read the workflow status: this action is not possible in it.',
  },
  WH_001: {
    status: 502,
    means: 'Webhook delivery failed',
    next: 'Check that your endpoint answers below 400 within 10 seconds.',
  },
  WH_002: {
    status: 400,
    means: 'Invalid webhook URL',
    next: 'Use a public https URL without user information.',
  },
  WH_003: {
    status: 401,
    means: 'Invalid webhook signature',
    next: 'Sign the raw body with the shared secret.',
  },
  SVC_001: {
    status: 503,
    means: 'Service temporarily unavailable',
    next: 'Repeat the request after `Retry-After` seconds, with the same Idempotency-Key.',
  },
  SVC_002: {
    status: 504,
    means: 'Service timeout',
    next: 'Repeat the request, with the same Idempotency-Key.',
  },
  SVC_003: {
    status: 502,
    means: 'Internal service error',
    next: 'Repeat the request later; if it persists, contact us with the `requestId`.',
  },
  SYS_001: { status: 500, means: 'Internal error', next: 'Contact us with the `requestId`.' },
  SYS_002: {
    status: 503,
    means: 'Maintenance mode',
    next: 'Repeat the request after `Retry-After` seconds.',
  },
  SYS_003: {
    status: 410,
    means: 'Deprecated endpoint',
    next: 'Use the endpoint named in the `Link` header.',
  },
  FORBIDDEN_FIELD_MODIFICATION: {
    status: 400,
    means: 'Update touches an immutable invoice field',
    next: 'Only `notes` and `metadata` may change after import.',
  },
} as const satisfies Record<string, { status: number; means: string; next: string }>

export type ErrorCode = keyof typeof errorCodes

export interface FieldFault {
  field: string
  code: string
  message: string
}

interface ErrorExtras {
  details?: FieldFault[]
  requiredScopes?: readonly string[]
  nextAllowedAt?: string
  retryAfterSeconds?: number
}

/** What an operation throws on purpose. Everything else that is thrown is a defect and answers SYS_001. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message)
    this.code = code
    this.extras = extras
  }
  get status(): number {
    return errorCodes[this.code].status
  }
}

/** An error an operation declares: one code, one sentence that says what happened and what to do. */
export interface DeclaredError<Args extends unknown[] = never[]> {
  readonly code: ErrorCode
  readonly make: (...args: Args) => ApiError
}

export function defineError<Args extends unknown[]>(
  code: ErrorCode,
  say: (...args: Args) => string | { message: string; extras: ErrorExtras },
): DeclaredError<Args> {
  return {
    code,
    make(...args) {
      const said = say(...args)
      return typeof said === 'string'
        ? new ApiError(code, said)
        : new ApiError(code, said.message, said.extras)
    },
  }
}
