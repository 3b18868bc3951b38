/** Every code of the API and its HTTP status. The list is closed: customers rely on it. */
export const errorStatuses = {
  AUTH_001: 401,
  AUTH_002: 401,
  AUTH_003: 401,
  AUTH_004: 403,
  AUTH_005: 403,
  AUTH_006: 403,
  AUTH_007: 403,
  RATE_001: 429,
  RATE_002: 429,
  RATE_003: 429,
  VAL_001: 400,
  VAL_002: 400,
  VAL_003: 400,
  VAL_004: 400,
  VAL_005: 413,
  RES_001: 404,
  RES_002: 409,
  RES_003: 409,
  RES_004: 423,
  BIZ_001: 400,
  BIZ_002: 400,
  BIZ_003: 404,
  BIZ_004: 400,
  WH_001: 502,
  WH_002: 400,
  WH_003: 401,
  SVC_001: 503,
  SVC_002: 504,
  SVC_003: 502,
  SYS_001: 500,
  SYS_002: 503,
  SYS_003: 410,
  FORBIDDEN_FIELD_MODIFICATION: 400,
} as const

export type ErrorCode = keyof typeof errorStatuses

/** The documentation of each code: what it means, and what to do next. */
export type ErrorTexts = Readonly<Record<ErrorCode, { readonly means: string; readonly next: string }>>

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
  /** A more precise HTTP status than the one of the code: 405, 408, 431. */
  status?: number
  /** The methods of the path, for the header `Allow`. */
  allow?: readonly string[]
}

/** An error that an operation throws on purpose. Any other thrown error is a bug and is answered with SYS_001. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly extras: ErrorExtras
  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message)
    this.code = code
    this.extras = extras
  }
  get status(): number {
    return this.extras.status ?? errorStatuses[this.code]
  }
}

/** An error an operation declares: one code, and one sentence about what happened and what to do. */
export interface DeclaredError<Args extends unknown[] = never[]> {
  readonly code: ErrorCode
  readonly make: (...args: Args) => ApiError
}

export function defineError<Args extends unknown[]>(
  code: ErrorCode,
  describe: (...args: Args) => string | { message: string; extras: ErrorExtras },
): DeclaredError<Args> {
  return {
    code,
    make(...args) {
      const described = describe(...args)
      return typeof described === 'string'
        ? new ApiError(code, described)
        : new ApiError(code, described.message, described.extras)
    },
  }
}
