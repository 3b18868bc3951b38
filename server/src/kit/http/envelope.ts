import { type Clock, iso } from '../clock.ts'
import { isDatabaseFault, sqlState } from '../db/transaction.ts'
import { ApiError, defineError } from '../errors.ts'
import { type FileReply, type Operation, type Warning, WithWarnings } from '../operation.ts'
import type { Page } from '../page.ts'

export interface Stamp {
  requestId: string
  timestamp: string
}

export const stampOf = (requestId: string, clock: Clock): Stamp => ({
  requestId,
  timestamp: iso(clock.wall()),
})

export function success(
  { list, secret }: Pick<Operation, 'list' | 'secret'>,
  result: unknown,
  stamp: Stamp,
  earlyWarnings: readonly Warning[] = [],
): string {
  if (list) {
    const { items, pagination, nextCursor } = result as Page<unknown>
    return JSON.stringify({
      success: true,
      data: items,
      pagination: { ...pagination, nextCursor },
      ...(earlyWarnings.length > 0 && { warnings: earlyWarnings }),
      ...stamp,
    })
  }
  const data = result instanceof WithWarnings ? result.data : result
  const warnings = [...earlyWarnings, ...(result instanceof WithWarnings ? result.warnings : [])]
  return JSON.stringify({
    success: true,
    data,
    ...(warnings.length > 0 && { warnings }),
    ...(secret?.shownOnce !== undefined && { message: secret.shownOnce }),
    ...stamp,
  })
}

/** Responses must not be cached: some contain a secret, and a cache does not know that a request with our key header is private. */
const noStore = { 'cache-control': 'no-store' }
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', ...noStore }

/** A file name that is safe in a header and on any file system: letters, digits, dots, dashes and underscores. */
const safeName = (name: string): string =>
  name
    .slice(-1_000)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(-100)
    .replace(/^[.-]+/, '') || 'file'

/** A browser saves the file instead of showing it. */
export const attachmentHeaders = (type: string, fileName: string): Record<string, string> => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${safeName(fileName)}"`,
  ...noStore,
})

export const fileHeaders = (type: string, { bytes, fileName }: FileReply): Record<string, string> => ({
  ...attachmentHeaders(type, fileName),
  'content-length': String(bytes.length),
})

export function failure(error: ApiError, docsUrl: string, stamp: Stamp): string {
  const { details, requiredScopes, nextAllowedAt } = error.extras
  return JSON.stringify({
    success: false,
    error: {
      code: error.code,
      message: error.message,
      ...(details && { details }),
      ...(requiredScopes && { requiredScopes }),
      ...(nextAllowedAt && { nextAllowedAt }),
      docUrl: `${docsUrl}#${error.code}`,
    },
    ...stamp,
  })
}

export const unavailable = () =>
  new ApiError('SVC_001', 'The service is temporarily unavailable; repeat the request in a few seconds.', {
    retryAfterSeconds: 2,
  })

export const companyClosed = defineError(
  'AUTH_006',
  () => 'The operator has closed this company; contact the operator.',
)
export const companyNotOpened = defineError(
  'AUTH_006',
  () => 'This company is not open for production yet; use its sandbox, and ask the operator to open it.',
)

/** Any thrown error as the caller may see it. `null` means a bug of ours: it is logged in full and answered with SYS_001. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (isDatabaseFault(error)) return unavailable()
  const state = sqlState(error)
  switch (state) {
    case 'RL001':
      return new ApiError('AUTH_002', 'This credential is not valid any more.')
    case 'RL002':
      return companyClosed.make()
    case 'RL003':
      return companyNotOpened.make()
    case '40001':
    case '40P01':
    case '55P03':
      return new ApiError(
        'RES_004',
        'The resource is being changed by another request; repeat in a second.',
        { retryAfterSeconds: 1 },
      )
    case '57014':
      return new ApiError('SVC_002', 'The request took too long and was undone; repeat it.')
    // An internal request of a request that is still being answered while the server stops.
    case 'FST_ERR_REOPENED_CLOSE_SERVER':
      return unavailable()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('VAL_005', 'The body is too large.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    // Of a request by the method QUERY, before its path is looked at.
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new ApiError('VAL_004', 'Send the body as application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('VAL_004', 'The body does not have the announced length.')
    case 'FST_ERR_BAD_URL':
      return new ApiError('VAL_004', 'The address is not a valid URL.')
    case 'FST_ERR_HANDLER_TIMEOUT':
      return new ApiError('SVC_002', 'The request took too long; repeat it with the same Idempotency-Key.')
  }
  // Postgres refused a value that passed validation: it is still an error in the caller's data.
  if (/^22/.test(state)) return new ApiError('VAL_001', 'A value in this request cannot be stored.')
  return null
}

export const internalError = () => new ApiError('SYS_001', 'Internal error')
