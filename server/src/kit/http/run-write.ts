import { iso } from '../clock.ts'
import { type OpenTransaction, Rollback, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Warning } from '../operation.ts'
import {
  findStoredAnswer,
  type IdempotencyKey,
  isStorable,
  oldestStored,
  openAnswer,
  openingStatements,
  storeAnswers,
  unfinished,
  verdictOn,
} from './idempotency.ts'
import {
  answerOf,
  type OperationResponse,
  type PreparedRequest,
  refusalOf,
  retryWhileLocked,
  toStored,
} from './prepared-request.ts'

interface Written {
  answer: OperationResponse
  /** The result of the operation, if it ran; absent if a stored answer is replayed. */
  performed?: { result: unknown; offsetMs: number }
}

/** Runs a writing operation in one transaction, or replays the answer that is stored for its idempotency key. */
export function runWrite(prepared: PreparedRequest, warnings: readonly Warning[]): Promise<Written> {
  const { context, operation, request, entry, idempotency } = prepared
  const work = async ({ tx, offsetMs }: OpenTransaction): Promise<Written> => {
    const result = await operation.run!({ ...prepared.call, tx, now: request.startedAt + offsetMs })
    return { answer: answerOf(prepared, result, warnings), performed: { result, offsetMs } }
  }
  const attempt = () =>
    idempotency ? writeOnce(prepared, idempotency, work) : transact(context.pool, entry, [], work)
  return retryWhileLocked(context, attempt, operation.lockRetryMs)
}

/** The warnings of the checks before the transaction is opened; none if an answer is already stored. */
export async function warningsBefore(prepared: PreparedRequest): Promise<readonly Warning[]> {
  const { context, operation, call } = prepared
  if (!operation.beforeTransaction || (await hasStoredAnswer(prepared))) return []
  return operation.beforeTransaction(context.external, { body: call.body })
}

/** Whether an answer is stored for this request. Whether it may be replayed is decided later, under the lock. */
const hasStoredAnswer = async ({ context, entry, idempotency, request }: PreparedRequest): Promise<boolean> =>
  idempotency !== null &&
  (await findStoredAnswer(context.pool, entry, idempotency, request.startedAt)) !== undefined

/** Runs the work and stores its answer, or a refusal, in the same transaction; or finds the answer stored. */
function writeOnce(
  prepared: PreparedRequest,
  idempotency: IdempotencyKey,
  work: (transaction: OpenTransaction) => Promise<Written>,
): Promise<Written | 'busy'> {
  const { context, operation, request, entry } = prepared
  const wall = iso(request.startedAt)
  const opening = openingStatements([idempotency], oldestStored(request.startedAt))
  return transact(
    context.pool,
    entry,
    opening,
    async (transaction): Promise<Written | 'busy' | Rollback<'busy'>> => {
      const earlier = verdictOn(idempotency, transaction.openingRows, request.startedAt)
      if (earlier === 'busy') return new Rollback('busy')
      if (earlier instanceof ApiError) throw earlier
      if (earlier) return { answer: openAnswer(context.keyring, idempotency, earlier) }
      await transaction.savepoint()
      try {
        const written = await work(transaction)
        const stored = toStored(prepared, idempotency, written.answer)
        const answer = operation.followUp ? unfinished(stored) : stored
        storeAnswers(transaction.tx, [{ idempotency, answer }], wall)
        return written
      } catch (error) {
        if (!(error instanceof ApiError && isStorable(error.code))) throw error
        await transaction.rollbackToSavepoint()
        const answer = refusalOf(prepared, error)
        storeAnswers(transaction.tx, [{ idempotency, answer }], wall)
        return { answer }
      }
    },
  )
}
