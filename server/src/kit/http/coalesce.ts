import { iso } from '../clock.ts'
import { type Opened, transact } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { failure, stampOf, success } from './answer.ts'
import type { Edge, Principal } from './edge.ts'
import {
  isKept,
  keepMany,
  type Once,
  oldestKept,
  openingCalls,
  replay,
  type StoredAnswer,
  verdictOn,
} from './idempotency.ts'

/** One request that can travel with others. */
export interface Passenger {
  readonly body: unknown
  readonly requestId: string
  readonly once: Once | null
}

type Outcome = (StoredAnswer & { replayed?: boolean }) | 'busy'

interface Waiting extends Passenger {
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

const batchMost = 64
const batchesAtOnce = 2

/**
 * Concurrent requests of one client for one operation share one durable transaction: what waits while a batch is on its way
 * makes the next one. Each is answered after the commit, each is judged by itself, and a batch that fails as a whole is
 * taken apart. A request that finds nobody before it leaves at once and alone, so nobody waits for company.
 */
export function coalescer(edge: Edge) {
  const lanes = new Map<string, { waiting: Waiting[]; onTheWay: number }>()

  function leave(name: string, operation: Operation, principal: Principal): void {
    const lane = lanes.get(name)
    if (!lane) return
    while (lane.waiting.length > 0 && lane.onTheWay < batchesAtOnce) {
      const batch = lane.waiting.splice(0, batchMost)
      lane.onTheWay++
      void travel(edge, operation, principal, batch).finally(() => {
        lane.onTheWay--
        if (lane.waiting.length > 0) leave(name, operation, principal)
        else if (lane.onTheWay === 0) lanes.delete(name)
      })
    }
  }

  return (operation: Operation, principal: Principal, passenger: Passenger): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const name = `${operation.id} ${principal.lane}`
      let lane = lanes.get(name)
      if (!lane) {
        lane = { waiting: [], onTheWay: 0 }
        lanes.set(name, lane)
      }
      lane.waiting.push({ ...passenger, resolve, reject })
      leave(name, operation, principal)
    })
}

async function travel(
  edge: Edge,
  operation: Operation,
  principal: Principal,
  batch: readonly Waiting[],
): Promise<void> {
  try {
    const outcomes = await together(edge, operation, principal, batch)
    batch.forEach((passenger, i) => {
      const outcome = outcomes[i]!
      if (outcome instanceof ApiError) passenger.reject(outcome)
      else passenger.resolve(outcome)
    })
  } catch (error) {
    // One bad passenger must not cost the others their journey.
    if (batch.length === 1) batch[0]!.reject(error)
    else for (const passenger of batch) await travel(edge, operation, principal, [passenger])
  }
}

async function together(
  edge: Edge,
  operation: Operation,
  principal: Principal,
  batch: readonly Passenger[],
): Promise<(Outcome | ApiError)[]> {
  const wall = edge.clock.wall()
  const keyed = batch.flatMap(({ once }) => (once ? [once] : []))
  const opening = keyed.length === 0 ? ([] as const) : openingCalls(keyed, oldestKept(wall))
  return transact(edge.pool, principal.entry(wall), opening, async opened => {
    const outcomes = new Array<Outcome | ApiError>(batch.length)
    const running: number[] = []
    // Twins of one batch hold the lock together: the first runs, the others get its answer.
    const firstOf = new Map<string, number>()
    batch.forEach(({ once }, i) => {
      if (once && firstOf.has(once.lock)) return
      if (once) firstOf.set(once.lock, i)
      const verdict = once && opened.first.length !== 0 ? verdictOn(once, opened.first, wall) : null
      if (verdict === null) running.push(i)
      else outcomes[i] = verdict
    })
    if (running.length > 0) await runAll(edge, operation, principal, batch, running, outcomes, opened, wall)
    batch.forEach(({ once }, i) => {
      if (!once || outcomes[i] !== undefined) return
      const first = firstOf.get(once.lock)!
      const answer = outcomes[first]!
      outcomes[i] =
        answer === 'busy' || answer instanceof ApiError
          ? answer
          : replay(once, batch[first]!.once!.requestHash, answer)
    })
    return outcomes
  })
}

async function runAll(
  edge: Edge,
  operation: Operation,
  principal: Principal,
  batch: readonly Passenger[],
  running: readonly number[],
  outcomes: (Outcome | ApiError)[],
  opened: Opened,
  wall: number,
): Promise<void> {
  const shared = {
    tx: opened.tx,
    actor: principal.actor,
    now: wall + opened.offsetMs,
    wall,
    newId: () => edge.newId(wall),
  }
  const results = await operation.runMany!(
    shared,
    running.map(i => ({ body: batch[i]!.body, requestId: batch[i]!.requestId })),
  )
  const kept: { once: Once; answer: StoredAnswer }[] = []
  running.forEach((i, place) => {
    const { once, requestId } = batch[i]!
    const result = results[place]
    const stamp = stampOf(requestId, edge.clock)
    const isRefusal = result instanceof ApiError
    const answer = isRefusal
      ? { status: result.status, body: failure(result, edge.docsUrl, stamp) }
      : { status: operation.status, body: success(operation, result, stamp) }
    const isAnswer = once !== null && (!isRefusal || isKept(result.code))
    outcomes[i] = isRefusal && !isAnswer ? result : answer
    if (isAnswer) kept.push({ once, answer })
  })
  keepMany(opened.tx, kept, iso(wall))
}
