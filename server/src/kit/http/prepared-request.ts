import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Entry } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Call, FileReply, Operation, Warning } from '../operation.ts'
import { asApiError, failure, stampOf, success } from './envelope.ts'
import type { HttpContext, Principal } from './http-context.ts'
import { type IdempotencyKey, type StoredAnswer, sealAnswer } from './idempotency.ts'

/** A validated request, as the runners take it. */
export interface PreparedRequest {
  readonly context: HttpContext
  readonly operation: Operation
  readonly request: FastifyRequest
  readonly principal: Principal
  readonly actor: Actor
  /** How its transactions enter the tenant. */
  readonly entry: Entry
  /** The call without what its transaction adds. */
  readonly call: Omit<Call<unknown, unknown, unknown>, 'tx' | 'now'>
  readonly idempotency: IdempotencyKey | null
}

export interface OperationResponse extends StoredAnswer {
  replayed?: boolean
  link?: string
  file?: FileReply
}

/** The answer to a request: what the operation returned, in the envelope. */
export const answerOf = (
  { context, operation, request }: PreparedRequest,
  result: unknown,
  warnings: readonly Warning[] = [],
): StoredAnswer => ({
  status: operation.status,
  body:
    operation.status === 204 ? '' : success(operation, result, stampOf(request.id, context.clock), warnings),
})

/** The answer that refuses a request. */
export const refusalOf = ({ context, request }: PreparedRequest, error: ApiError): StoredAnswer => ({
  status: error.status,
  body: failure(error, context.docsUrl, stampOf(request.id, context.clock)),
})

/** The answer as it is stored for the idempotency key of the request. */
export const toStored = (
  { context, operation }: PreparedRequest,
  idempotency: IdempotencyKey,
  answer: StoredAnswer,
): StoredAnswer => (operation.secret ? sealAnswer(context.keyring, idempotency, answer) : answer)

const duplicateWaitMs = 2_000

/**
 * Retries while a request with the same idempotency key is still running, or while a resource is locked (`lockRetryMs`). No
 * connection is held between attempts.
 */
export async function retryWhileLocked<Result extends object>(
  { clock }: HttpContext,
  attempt: () => Promise<Result | 'busy'>,
  lockRetryMs = 0,
): Promise<Result> {
  const startedAt = clock.wall()
  for (;;) {
    let locked: unknown = null
    const answer = await attempt().catch((error: unknown) => {
      if (lockRetryMs <= 0 || asApiError(error)?.code !== 'RES_004') throw error
      locked = error
      return null
    })
    if (answer !== 'busy' && answer !== null) return answer
    const waited = clock.wall() - startedAt
    if (answer === null && waited >= lockRetryMs) throw locked
    if (answer === 'busy' && waited >= duplicateWaitMs)
      throw new ApiError(
        'RES_004',
        'The first request with this Idempotency-Key is still running; repeat in a second.',
        { retryAfterSeconds: 1 },
      )
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
