import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { endTask } from './end-task.ts'
import { lockTask, lockTaskAlone } from './store.ts'
import type { ChunkRef, Lane, TaskContext } from './task-context.ts'

// An interrupted task continues first. If PostgreSQL itself was restarted, the interruption does not count against the task.
// Nothing is locked here: the task is locked before its row in this table, as when it ends.
const listPending = sql(
  'tasks.list-pending',
  `select task_id, is_running and taken_at > pg_postmaster_start_time() as has_stalled
     from pending_tasks where tenant_id = current_setting('relance.tenant')::uuid and lane = $1
    order by is_running desc, rank, task_id`,
).as<{ task_id: string; has_stalled: boolean | null }>()
const markTaken = sql(
  'tasks.mark-taken',
  `with pending as (
     update pending_tasks set is_running = true, taken_at = $4
      where tenant_id = current_setting('relance.tenant')::uuid and task_id = $1)
   update tasks set status = 'running', attempt = attempt + 1, stalled = stalled + $2, started_at = coalesce(started_at, $3)
    where id = $1 returning attempt, chunk, stalled`,
).as<{ attempt: number; chunk: number; stalled: number }>()
const markGivenBack = sql(
  'tasks.give-back',
  `update pending_tasks p set is_running = false from tasks t
    where t.id = $1 and t.attempt = $2 and p.tenant_id = current_setting('relance.tenant')::uuid and p.task_id = $1`,
)

/** A task fails after this many interrupted attempts without a finished chunk. */
const stalledMax = 5

/**
 * The next chunk of a lane: one task at a time, pauses and cancellations first, then the oldest. A task whose worker was killed
 * is taken again, with a new attempt, from where it stopped. Null: no task waits.
 */
export async function takeNextTask(
  context: TaskContext,
  tenantId: string,
  lane: Lane,
): Promise<ChunkRef | null> {
  const { pool, clock } = context
  return transact(
    pool,
    asWorker(tenantId),
    [[listPending, [lane]]],
    async ({ tx, offsetMs, openingRows }) => {
      const wall = clock.wall()
      const now = wall + offsetMs
      for (const { task_id: taskId, has_stalled: hasStalled } of openingRows[0]) {
        // It may fail here, which needs it alone.
        const task = await (hasStalled ? lockTaskAlone : lockTask)(tx, taskId)
        // It may have ended, or reached its review, since it was listed.
        if (task?.status !== 'waiting' && task?.status !== 'running') continue
        const [taken] = await tx.rows(markTaken, [taskId, hasStalled === true ? 1 : 0, iso(now), iso(wall)])
        const { attempt, chunk, stalled } = taken!
        if (stalled < stalledMax) return { tenantId, taskId, attempt, chunk }
        await endTask(
          { ...context, tx, now, wall },
          task,
          'failed',
          'It stopped several times at the same place. What was done stays done; make a new task for the rest, or ask us.',
        )
      }
      return null
    },
  )
}

/** Ends an attempt without a failure: other tasks may run first, or another worker may continue. */
export const giveTaskBack = (
  { pool }: TaskContext,
  { tenantId, taskId, attempt }: ChunkRef,
): Promise<unknown> =>
  transact(pool, asWorker(tenantId), [[markGivenBack, [taskId, attempt]]], async () => null)
