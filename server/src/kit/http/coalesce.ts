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

interface QueuedRequest extends BatchRequest {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const batchMax = 64
const batchesAtOnce = 2

/**
 * Concurrent requests of one client for one operation are batched into one transaction: requests that arrive while a batch is
 * running form the next one. Each request is validated by itself and answered after the commit. If a batch fails as a whole,
 * its requests are run one by one. A request that finds an empty queue is sent at once, so no request waits for others.
 */
export function coalescer(context: HttpContext) {
  const queues = new Map<string, { waiting: QueuedRequest[]; inFlight: number }>()

  function flush(name: string, operation: Operation, principal: Principal): void {
    const queue = queues.get(name)
    if (!queue) return
    while (queue.waiting.length > 0 && queue.inFlight < batchesAtOnce) {
      const batch = queue.waiting.splice(0, batchMax)
      queue.inFlight++
      void runBatch(context, operation, principal, batch).finally(() => {
        queue.inFlight--
        if (queue.waiting.length > 0) flush(name, operation, principal)
        else if (queue.inFlight === 0) queues.delete(name)
      })
    }
  }

  return (operation: Operation, principal: Principal, request: BatchRequest): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const name = `${operation.id} ${principal.queueKey}`
      let queue = queues.get(name)
      if (!queue) {
        queue = { waiting: [], inFlight: 0 }
        queues.set(name, queue)
      }
      queue.waiting.push({ ...request, resolve, reject })
      flush(name, operation, principal)
    })
}

async function runBatch(
  context: HttpContext,
  operation: Operation,
  principal: Principal,
  batch: readonly QueuedRequest[],
): Promise<void> {
  try {
    const outcomes = await runInTransaction(context, operation, principal, batch)
    batch.forEach((request, i) => {
      const outcome = outcomes[i]!
      if (outcome instanceof ApiError) request.reject(outcome)
      else request.resolve(outcome)
    })
  } catch (error) {
    // One failing request must not fail the others: run each by itself.
    if (batch.length === 1) batch[0]!.reject(error)
    else for (const request of batch) await runBatch(context, operation, principal, [request])
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
