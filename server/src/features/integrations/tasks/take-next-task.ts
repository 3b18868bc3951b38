import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { endTask } from './end-task.ts'
import { lockTask } from './store.ts'
import { type ChunkRef, silentAfterMs, type TaskContext } from './task-context.ts'

// The running one first, then the oldest. The lock is on all of them, so that two callers take turns.
const lockPending = sql(
  'tasks.lock-pending',
  `select task_id, is_running, touched_at from pending_tasks where tenant_id = current_setting('relance.tenant')::uuid
    order by is_running desc, task_id for update`,
).as<{ task_id: string; is_running: boolean; touched_at: number | null }>()
const markTaken = sql(
  'tasks.mark-taken',
  `with pending as (
     update pending_tasks set is_running = true, touched_at = $2
      where tenant_id = current_setting('relance.tenant')::uuid and task_id = $1)
   update tasks set status = 'running', attempt = attempt + 1, stalled = stalled + $3, started_at = coalesce(started_at, $4)
    where id = $1 returning attempt, chunk, stalled`,
).as<{ attempt: number; chunk: number; stalled: number }>()

/** After so many attempts without a chunk of progress a task fails. */
const stalledMax = 5

/**
 * The next chunk of a tenant's tasks: one task at a time, the oldest first. A task whose chunk is silent is taken again, with a
 * new attempt, from where it stopped. Null: nothing waits, or a task is running.
 */
export async function takeNextTask(context: TaskContext, tenantId: string): Promise<ChunkRef | null> {
  const { pool, clock } = context
  return transact(pool, asWorker(tenantId), [[lockPending, []]], async ({ tx, offsetMs, openingRows }) => {
    const wall = clock.wall()
    const now = wall + offsetMs
    for (const pending of openingRows[0]) {
      const { task_id: taskId, is_running: isRunning, touched_at: touchedAt } = pending
      if (isRunning && wall - (touchedAt ?? 0) < silentAfterMs) return null
      const task = await lockTask(tx, taskId)
      if (!task || task.ended_at !== null) continue
      const [taken] = await tx.rows(markTaken, [taskId, iso(wall), isRunning ? 1 : 0, iso(now)])
      const { attempt, chunk, stalled } = taken!
      if (stalled < stalledMax) return { v: 1, tenantId, taskId, attempt, chunk }
      await endTask(
        { ...context, tx, now, wall },
        task,
        'failed',
        'It stopped several times at the same place. What was done stays done; make a new task for the rest, or ask us.',
      )
    }
    return null
  })
}
