import type { z } from 'zod'
import { ApiError, type ErrorCode } from '../../../kit/errors.ts'
import { bodyRulesOf } from '../../../kit/http/body-rules.ts'
import type { ApiDescription } from '../../../kit/http/openapi.ts'
import { validateBody, validateParams, validateQuery } from '../../../kit/http/validate.ts'
import type { Operation } from '../../../kit/operation.ts'

/** A request that is refused with this code, and the code of the API that refuses it: an example is what it says. */
interface RefusedRequest {
  readonly operation: string
  readonly refuse: (operation: Operation) => unknown
}

const invoiceWith = (changes: object) => (operation: Operation) =>
  validateBody(
    operation.body as z.ZodType,
    { ...(operation.example?.body as object), ...changes },
    bodyRulesOf(operation),
  )

const refusedRequests: Partial<Record<ErrorCode, RefusedRequest>> = {
  VAL_001: { operation: 'invoices.create', refuse: invoiceWith({ amountCents: 1200.5 }) },
  VAL_002: { operation: 'invoices.list', refuse: ({ query }) => validateQuery(query, { limit: '1000' }) },
  VAL_003: { operation: 'invoices.create', refuse: invoiceWith({ invoiceNumber: undefined }) },
  VAL_004: {
    operation: 'invoices.get',
    refuse: ({ params }) => validateParams(params as z.ZodType, { id: 'F-2026-0042' }),
  },
}

function refusalOf(operations: readonly Operation[], code: ErrorCode): ApiError | null {
  const request = refusedRequests[code]
  if (!request) return null
  try {
    request.refuse(operations.find(({ id }) => id === request.operation)!)
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return error
    throw error
  }
  throw new Error(`the example of ${code} is not refused`)
}

/** An answer with this code. Of a code that needs a database or a credential it has only what the code means. */
export function exampleError({ operations, errorTexts }: ApiDescription, code: ErrorCode): object {
  const refusal = refusalOf(operations, code)
  return {
    success: false,
    error: {
      code,
      message: refusal?.message ?? `${errorTexts[code].means}.`,
      ...(refusal?.extras.details && { details: refusal.extras.details }),
      ...(code === 'AUTH_004' && { requiredScopes: ['invoices:write'] }),
      docUrl: `https://relance.example/docs/errors#${code}`,
    },
    requestId: '018f4e2a-0000-7000-8000-000000000003',
    timestamp: '2026-11-15T08:00:00.000Z',
  }
}
