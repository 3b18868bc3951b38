import { createBatches } from '../batches.ts'
import { iso } from '../clock.ts'
import { type OpenTransaction, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { failure, stampOf, success } from './envelope.ts'
import type { HttpContext, Principal } from './http-context.ts'
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

/** A request that can be batched with others. */
export interface BatchRequest {
  readonly body: unknown
  readonly requestId: string
  readonly idempotency: IdempotencyKey | null
}

type Outcome = (StoredAnswer & { replayed?: boolean }) | 'busy'

interface QueuedRequest {
  operation: Operation
  principal: Principal
  request: BatchRequest
}

/**
 * Concurrent requests of one client for one operation are batched into one transaction. Each request is validated by itself and
 * answered after the commit.
 */
export function coalescer(context: HttpContext) {
  const enqueue = createBatches<QueuedRequest, Outcome | ApiError>({
    max: 64,
    atOnce: 2,
    run: batch =>
      runInTransaction(
        context,
        batch[0]!.operation,
        batch[0]!.principal,
        batch.map(({ request }) => request),
      ),
  })
  return async (operation: Operation, principal: Principal, request: BatchRequest): Promise<Outcome> => {
    const key = `${operation.id} ${principal.queueKey}`
    const outcome = await enqueue(key, { operation, principal, request })
    if (outcome instanceof ApiError) throw outcome
    return outcome
  }
}

async function runInTransaction(
  context: HttpContext,
  operation: Operation,
  principal: Principal,
  batch: readonly BatchRequest[],
): Promise<(Outcome | ApiError)[]> {
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
    if (toRun.length > 0)
      await runAll(context, operation, principal, batch, toRun, outcomes, transaction, wall)
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

async function runAll(
  context: HttpContext,
  operation: Operation,
  principal: Principal,
  batch: readonly BatchRequest[],
  toRun: readonly number[],
  outcomes: (Outcome | ApiError)[],
  transaction: OpenTransaction,
  wall: number,
): Promise<void> {
  const batchContext = {
    tx: transaction.tx,
    actor: principal.actor,
    now: wall + transaction.offsetMs,
    wall,
    newId: () => context.newId(wall),
  }
  const results = await operation.runMany!(
    batchContext,
    toRun.map(i => ({ body: batch[i]!.body, requestId: batch[i]!.requestId })),
  )
  const stored: { idempotency: IdempotencyKey; answer: StoredAnswer }[] = []
  toRun.forEach((i, position) => {
    const { idempotency, requestId } = batch[i]!
    const result = results[position]
    const stamp = stampOf(requestId, context.clock)
    const isRefusal = result instanceof ApiError
    const answer = isRefusal
      ? { status: result.status, body: failure(result, context.docsUrl, stamp) }
      : { status: operation.status, body: success(operation, result, stamp) }
    const isStored = idempotency !== null && (!isRefusal || isStorable(result.code))
    outcomes[i] = isRefusal && !isStored ? result : answer
    if (isStored) stored.push({ idempotency, answer })
  })
  storeAnswers(transaction.tx, stored, iso(wall))
}
