import { setTimeout as pause } from 'node:timers/promises'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { hasEndedTransaction, isDatabaseFault } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { failTask, runChunk } from './run-chunk.ts'
import { giveTaskBack, takeNextTask } from './take-next-task.ts'
import type { ChunkRef, Lane, TaskContext } from './task-context.ts'

/** How long a lane runs before other lanes get their turn. */
const turnMs = 1_000
/** How long a chunk waits for an unavailable database. */
const awayMs = 60_000

const tookTooLong =
  'A step of it took too long, twice, and was stopped. What was done stays done; divide the rest into smaller tasks, or ask us.'

/** Retries while the database is unavailable: this uses up no attempt, and the chunk continues afterwards. */
async function retryWhileDatabaseIsDown<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + awayMs; ; await pause(500))
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseFault(error) || performance.now() >= until) throw error
    }
}

/** One turn of a lane: its tasks, chunk after chunk. Safe to run twice. True if there may be more. */
export async function runLane(
  context: TaskContext,
  tenantId: string,
  lane: Lane,
  isStopping: () => boolean,
): Promise<boolean> {
  const endsAt = performance.now() + turnMs
  const isOver = () => isStopping() || performance.now() >= endsAt
  for (;;) {
    const taken = await retryWhileDatabaseIsDown(() => takeNextTask(context, tenantId, lane))
    if (taken === null) return false
    const end = await runAttempt(context, taken, isOver)
    if (end === 'taken over') return false
    if (end === 'given back' || isOver()) return true
  }
}

/** The chunks of one attempt at a task, until the task or the turn ends. */
async function runAttempt(
  context: TaskContext,
  first: ChunkRef,
  isOver: () => boolean,
): Promise<'ended' | 'given back' | 'taken over'> {
  for (let chunk = first; ; ) {
    const current = chunk
    let endedTransactions = 0
    const end = await retryWhileDatabaseIsDown(async () => {
      try {
        return await runChunk(context, current)
      } catch (error) {
        // The first time the machine may have been busy; the second time it is what the chunk contains.
        if (!hasEndedTransaction(error) || ++endedTransactions < 2) throw error
        return failTask(context, current, tookTooLong)
      }
    })
    if (end.kind === 'stale') return 'taken over'
    if (end.kind === 'ended') return 'ended'
    chunk = end.next
    if (isOver()) {
      await retryWhileDatabaseIsDown(() => giveTaskBack(context, end.next))
      return 'given back'
    }
  }
}

const listLanes = sql(
  'tasks.list-lanes',
  `select tenant_id, lane from (select tenant_id, lane from pending_tasks order by since limit 2000) oldest group by tenant_id, lane`,
).as<{ tenant_id: string; lane: Lane }>()
const queueLane = sql('tasks.queue-lane', 'select queue_lane($1, $2)')

/** Queues a job for every lane that has tasks but no job: it was lost, or it ended while a task arrived. */
export function startLaneSweep(
  { pool, log }: Pick<TaskContext, 'pool' | 'log'>,
  heartbeat: Leadership,
  pollMs: number,
): { stop(): Promise<void> } {
  const query = queryOn(pool)
  return startLeaderLoop({
    heartbeat,
    log,
    loop: 'tasks',
    pollMs,
    async pass() {
      const lanes = await query(listLanes, [])
      const loop = {
        idsOf: ({ tenant_id: tenantId }: { tenant_id: string }) => ({ tenantId }),
        failure: 'the tasks of a tenant could not be queued; it is retried',
      }
      await forEachTenant(log, lanes, loop, async ({ tenant_id: tenantId, lane }) => {
        await query(queueLane, [tenantId, lane])
      })
      return false
    },
  })
}
