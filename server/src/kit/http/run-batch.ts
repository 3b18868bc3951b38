import { createBatches } from '../batches.ts'
import { iso } from '../clock.ts'
import { type OpenTransaction, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import {
  type IdempotencyKey,
  isStorable,
  oldestStored,
  openingStatements,
  replay,
  type StoredAnswer,
  storeAnswers,
  verdictOn,
} from './idempotency.ts'
import { answerOf, type OperationResponse, type PreparedRequest, refusalOf } from './prepared-request.ts'

type Outcome = OperationResponse | 'busy'

/**
 * Concurrent requests of one client for one operation are batched into one transaction. Each request is validated by itself and
 * answered after the commit.
 */
export function batchRunner() {
  const enqueue = createBatches<PreparedRequest, Outcome | ApiError>({ max: 64, atOnce: 2, run: runTogether })
  return async (prepared: PreparedRequest): Promise<Outcome> => {
    const key = `${prepared.operation.id} ${prepared.principal.queueKey}`
    const outcome = await enqueue(key, prepared)
    if (outcome instanceof ApiError) throw outcome
    return outcome
  }
}

async function runTogether(batch: readonly PreparedRequest[]): Promise<(Outcome | ApiError)[]> {
  const { context, principal } = batch[0]!
  const wall = context.clock.wall()
  const keyed = batch.flatMap(({ idempotency }) => (idempotency ? [idempotency] : []))
  const opening = keyed.length === 0 ? ([] as const) : openingStatements(keyed, oldestStored(wall))
  return transact(context.pool, principal.entry(wall), opening, async transaction => {
    const outcomes = new Array<Outcome | ApiError>(batch.length)
    const toRun: number[] = []
    // Requests of one batch with the same idempotency key: the first one runs, the others get its answer.
    const firstIndexByLock = new Map<string, number>()
    batch.forEach(({ idempotency }, i) => {
      if (idempotency && firstIndexByLock.has(idempotency.lock)) return
      if (idempotency) firstIndexByLock.set(idempotency.lock, i)
      const verdict =
        idempotency && transaction.openingRows.length !== 0
          ? verdictOn(idempotency, transaction.openingRows, wall)
          : null
      if (verdict === null) toRun.push(i)
      else outcomes[i] = verdict
    })
    if (toRun.length > 0) await runAll(batch, toRun, outcomes, transaction, wall)
    batch.forEach(({ idempotency }, i) => {
      if (!idempotency || outcomes[i] !== undefined) return
      const first = firstIndexByLock.get(idempotency.lock)!
      const answer = outcomes[first]!
      outcomes[i] =
        answer === 'busy' || answer instanceof ApiError
          ? answer
          : replay(idempotency, batch[first]!.idempotency!.requestHash, answer)
    })
    return outcomes
  })
}

/** Runs the requests that no stored answer was found for, and stores their answers. */
async function runAll(
  batch: readonly PreparedRequest[],
  toRun: readonly number[],
  outcomes: (Outcome | ApiError)[],
  transaction: OpenTransaction,
  wall: number,
): Promise<void> {
  const { context, operation, principal } = batch[0]!
  const batchContext = {
    tx: transaction.tx,
    actor: principal.actor,
    now: wall + transaction.offsetMs,
    wall,
    newId: () => context.newId(wall),
  }
  const results = await operation.runMany!(
    batchContext,
    toRun.map(i => ({ body: batch[i]!.call.body, requestId: batch[i]!.call.requestId })),
  )
  const stored: { idempotency: IdempotencyKey; answer: StoredAnswer }[] = []
  toRun.forEach((i, position) => {
    const prepared = batch[i]!
    const { idempotency } = prepared
    const result = results[position]
    const isRefusal = result instanceof ApiError
    const answer = isRefusal ? refusalOf(prepared, result) : answerOf(prepared, result)
    const isStored = idempotency !== null && (!isRefusal || isStorable(result.code))
    outcomes[i] = isRefusal && !isStored ? result : answer
    if (isStored) stored.push({ idempotency, answer })
  })
  storeAnswers(transaction.tx, stored, iso(wall))
}
