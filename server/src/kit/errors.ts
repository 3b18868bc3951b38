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

/** Every kind of fault that `error.details` may name. The console has a sentence for each of them in French and English. */
export const faultCodes = [
  // Of any field.
  ...([
    'invalid',
    'missing',
    'required',
    'empty',
    'repeated',
    'immutable',
    'unchanged',
    'not_together',
  ] as const),
  ...([
    'unknown_field',
    'unknown_parameter',
    'forbidden_character',
    'too_long',
    'too_small',
    'too_big',
  ] as const),
  ...(['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union', 'invalid_key'] as const),
  ...(['invalid_element', 'not_multiple_of'] as const),
  // Of one kind of field.
  ...([
    'email_format',
    'phone_format',
    'siret_format',
    'day_format',
    'moment_format',
    'amount_range',
  ] as const),
  ...(['past', 'future', 'too_far', 'before_issue', 'before_filing'] as const),
  ...([
    'above_owed',
    'above_balance',
    'above_invoice',
    'above_sum',
    'invoice_twice',
    'other_currency',
  ] as const),
  ...(['role_of_company', 'role_of_consumer', 'ground_missing', 'ground_without_role', 'main'] as const),
  ...([
    'reference_taken',
    'number_taken',
    'siret_taken',
    'not_for_this_situation',
    'not_replaceable',
  ] as const),
  ...(['unknown_column', 'unknown_sheet', 'capital_missing', 'not_opened_here', 'fixed'] as const),
  // What a text may not say.
  ...(['forbidden_word', 'payment_details', 'unknown_placeholder', 'sum_shown', 'number_shown'] as const),
  // What stands in the way of the act itself.
  ...(['paid', 'written_off', 'cancelled', 'disputed', 'no_dispute', 'already_started'] as const),
  ...([
    'wrong_status',
    'not_running',
    'first_contact_pending',
    'already_escalated',
    'amicable_stage_runs',
  ] as const),
  ...(['formal_notice_missing', 'formal_notice_unproven', 'deadline_running', 'dispute_open'] as const),
  ...(['time_barred', 'no_open_invoice', 'late_payment_paid', 'late_payment_waived', 'not_paused'] as const),
  ...(['asked', 'promise', 'dispute', 'upheld', 'reopened', 'insolvency', 'wrong_person'] as const),
  ...([
    'address_refused',
    'situation',
    'reply',
    'debtor',
    'channel_closed',
    'no_phone',
    'no_mobile',
  ] as const),
  ...(['no_address', 'claim_unlisted', 'collector_abroad', 'letter_first', 'sending_stopped'] as const),
  ...(['foreign_consumer', 'calendar_missing', 'calendar_horizon', 'no_invoice', 'no_moment'] as const),
  ...(['message_over', 'reply_read', 'decided', 'erased', 'payment_status', 'mediator_missing'] as const),
  ...(['too_many_people', 'too_many_invoices', 'limit_of_own_promises'] as const),
  // Of a task that works on many invoices.
  ...(['task_status', 'too_many_tasks', 'file_deleted'] as const),
  ...(['no_header', 'columns_unreadable', 'import_undone'] as const),
  // Who may do it.
  ...(['csrf', 'foreign_page', 'not_a_member', 'other_role', 'owner_only', 'fresh_sign_in'] as const),
  ...(['own_change', 'new_owner', 'stopped_by_person'] as const),
  // The address of a webhook.
  ...(['malformed_url', 'not_https', 'userinfo', 'forbidden_port', 'local_name'] as const),
  ...(['non_public_address', 'outside_base', 'url_not_resolving'] as const),
] as const

export type FaultCode = (typeof faultCodes)[number]

export interface FieldFault {
  field: string
  /** In a list of items also the code of the error that refused one. */
  code: FaultCode | ErrorCode
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

/** A value of the request that is refused. */
export const refusedField = (field: string, code: FaultCode, message: string): ApiError =>
  new ApiError('VAL_001', `${field} ${message}.`, { details: [{ field, code, message }] })

/** An error an operation declares: one code, and one sentence about what happened and what to do. */
export interface DeclaredError<Args extends unknown[] = never[]> {
  readonly code: ErrorCode
  /** What kind of fault it is, where several errors have the same code. */
  readonly fault: FaultCode | undefined
  readonly make: (...args: Args) => ApiError
}

/** With a `fault` the answer names it in `details`: of a field, or of the act itself. */
export function defineError<Args extends unknown[]>(
  code: ErrorCode,
  describe: (...args: Args) => string | { message: string; extras: ErrorExtras },
  fault?: FaultCode,
  field = 'action',
): DeclaredError<Args> {
  return {
    code,
    fault,
    make(...args) {
      const described = describe(...args)
      const { message, extras } =
        typeof described === 'string' ? { message: described, extras: {} } : described
      const details = fault && { details: [{ field, code: fault, message: message.replace(/\.$/, '') }] }
      return new ApiError(code, message, { ...details, ...extras })
    },
  }
}
