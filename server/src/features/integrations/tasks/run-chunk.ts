import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { endTask } from './end-task.ts'
import { works } from './kinds.ts'
import type { Refusal, TaskRow } from './schema.ts'
import { findTask, lockTask, lockTaskAlone, unqueueTask } from './store.ts'
import type { ChunkRef, TaskContext } from './task-context.ts'
import { type ChunkDone, type CountedItems, TaskFailure } from './task-work.ts'

export type ChunkEnd = { kind: 'more'; next: ChunkRef } | { kind: 'ended' } | { kind: 'stale' }

const causesMax = 50

const saveProgress = sql(
  'tasks.save-progress',
  `update tasks set chunk = chunk + 1, cursor = $2, succeeded = $3, refused = $4, refusals = $5, stalled = 0 where id = $1`,
)
const markInReview = sql('tasks.mark-in-review', `update tasks set status = 'review' where id = $1`)

const isOf = (task: TaskRow | undefined, { attempt, chunk }: ChunkRef): task is TaskRow =>
  task?.status === 'running' && task.attempt === attempt && task.chunk === chunk

/** Runs one chunk of a task. Safe to run twice, also at the same time on two workers. Returns the next chunk. */
export async function runChunk(context: TaskContext, ref: ChunkRef): Promise<ChunkEnd> {
  const { tenantId, taskId, attempt, chunk } = ref
  const task = await transact(context.pool, asWorker(tenantId), [], ({ tx }) => findTask(tx, taskId))
  // The chunk was committed, but its worker did not get the confirmation.
  if (task?.status === 'running' && task.attempt === attempt && task.chunk > chunk)
    return { kind: 'more', next: { ...ref, chunk: task.chunk } }
  if (!isOf(task, ref)) return { kind: 'stale' }
  try {
    return await endChunk(context, ref, await works[task.kind].run(context, task, ref))
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error
    return await failTask(context, ref, error.message)
  }
}

async function endChunk(
  context: TaskContext,
  ref: ChunkRef,
  { cursor, settle }: ChunkDone,
): Promise<ChunkEnd> {
  const { pool, clock } = context
  const { tenantId, taskId, chunk } = ref
  return transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }): Promise<ChunkEnd> => {
    const wall = clock.wall()
    const now = wall + offsetMs
    const task = await lockTask(tx, taskId)
    if (!isOf(task, ref)) return { kind: 'stale' }
    const counted = (await settle?.(tx, now)) ?? []
    const count = (isDone: boolean) =>
      counted.reduce((sum, items) => sum + ((items.code === null) === isDone ? items.count : 0), 0)
    const succeeded = task.succeeded + count(true)
    const refused = task.refused + count(false)
    const refusals = JSON.stringify(addRefusals(task.refusals, counted, works[task.kind].refusalsBy))
    const stored = cursor === null ? null : JSON.stringify(cursor)
    tx.atCommit(saveProgress, [taskId, stored, succeeded, refused, refusals])
    if (cursor !== null) return { kind: 'more', next: { ...ref, chunk: chunk + 1 } }
    if (task.is_dry_run) {
      tx.atCommit(markInReview, [taskId])
      await unqueueTask(tx, taskId)
    } else await endTask({ ...context, tx, now, wall }, { ...task, succeeded, refused }, 'finished')
    return { kind: 'ended' }
  })
}

export async function failTask(context: TaskContext, ref: ChunkRef, failure: string): Promise<ChunkEnd> {
  const { pool, clock } = context
  return transact(pool, asWorker(ref.tenantId), [], async ({ tx, offsetMs }): Promise<ChunkEnd> => {
    const wall = clock.wall()
    const task = await lockTaskAlone(tx, ref.taskId)
    if (!isOf(task, ref)) return { kind: 'stale' }
    await endTask({ ...context, tx, now: wall + offsetMs, wall }, task, 'failed', failure)
    return { kind: 'ended' }
  })
}

function addRefusals(
  before: readonly Refusal[],
  counted: readonly CountedItems[],
  by: 'code' | 'message',
): Refusal[] {
  const byCause = new Map(before.map(refusal => [refusal[by], { ...refusal }]))
  for (const { code, message, count } of counted) {
    if (code === null || message === null) continue
    const cause = by === 'code' ? code : message
    const known = byCause.get(cause)
    if (known) known.count += count
    else if (byCause.size < causesMax) byCause.set(cause, { code, message, count })
  }
  return [...byCause.values()].sort((a, b) => b.count - a.count)
}
