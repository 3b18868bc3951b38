import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { taskStopped } from './audit-events.ts'
import { endTask } from './end-task.ts'
import { works } from './kinds.ts'
import type { Refusal, TaskRow } from './schema.ts'
import { findTask, laneOf, lockTask, lockTaskAlone, unqueueTask } from './store.ts'
import type { ChunkRef, TaskContext } from './task-context.ts'
import { hasMakerEnded, shareTask } from './task-maker.ts'
import { type ChunkDone, type CountedItems, TaskFailure } from './task-work.ts'

export type ChunkEnd = { kind: 'more'; next: ChunkRef } | { kind: 'ended' } | { kind: 'stale' }

const causesMax = 50

const saveProgress = sql(
  'tasks.save-progress',
  `update tasks set chunk = chunk + 1, cursor = $2, succeeded = $3, refused = $4, refusals = $5, stalled = 0 where id = $1`,
)
const markStopped = sql(
  'tasks.mark-stopped',
  `update tasks set status = 'review', failure = $2 where id = $1`,
)
const markInReview = sql('tasks.mark-in-review', `update tasks set status = 'review' where id = $1`)

const isOf = (task: TaskRow | undefined, { attempt, chunk }: ChunkRef): task is TaskRow =>
  task?.status === 'running' && task.attempt === attempt && task.chunk === chunk

/** Runs one chunk of a task. Safe to run twice, also at the same time on two workers. Returns the next chunk. */
export async function runChunk(context: TaskContext, ref: ChunkRef): Promise<ChunkEnd> {
  const { tenantId, taskId, attempt, chunk } = ref
  const { pool, clock } = context
  const task = await transact(pool, asWorker(tenantId), [], ({ tx }) => findTask(tx, taskId))
  // The chunk was committed, but its worker did not get the confirmation.
  if (task?.status === 'running' && task.attempt === attempt && task.chunk > chunk)
    return { kind: 'more', next: { ...ref, chunk: task.chunk } }
  if (!isOf(task, ref)) return { kind: 'stale' }
  try {
    // Asked before anything is read, and again by each transaction that writes.
    await transact(pool, asWorker(tenantId), [shareTask(task, clock.wall())], async () => null)
    return await endChunk(context, task, ref, await works[task.kind].run(context, task, ref))
  } catch (error) {
    if (hasMakerEnded(error)) return await stopTask(context, ref)
    if (!(error instanceof TaskFailure)) throw error
    return await failTask(context, ref, error.message)
  }
}

async function endChunk(
  context: TaskContext,
  asked: TaskRow,
  ref: ChunkRef,
  { cursor, settle }: ChunkDone,
): Promise<ChunkEnd> {
  const { pool, clock } = context
  const { tenantId, taskId, chunk } = ref
  const wall = clock.wall()
  const opening = [shareTask(asked, wall)]
  return transact(pool, asWorker(tenantId), opening, async ({ tx, offsetMs }): Promise<ChunkEnd> => {
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

const rightEnded =
  'It was stopped, because who made or started it may not do it any more: the key was deleted or has expired, the application or its consent has ended, or the person left the company or has another role.'

/**
 * The right of the maker has ended. A task that changes something waits for somebody else to start the rest; one that only
 * reads fails.
 */
async function stopTask(context: TaskContext, ref: ChunkRef): Promise<ChunkEnd> {
  const { pool, clock, newId } = context
  return transact(pool, asWorker(ref.tenantId), [], async ({ tx, offsetMs }): Promise<ChunkEnd> => {
    const wall = clock.wall()
    const now = wall + offsetMs
    const task = await lockTaskAlone(tx, ref.taskId)
    if (!isOf(task, ref)) return { kind: 'stale' }
    if (laneOf(task) === 'read')
      await endTask({ ...context, tx, now, wall }, task, 'failed', `${rightEnded} Make a new task.`)
    else {
      const next = 'What was done stays done. Start it to do the rest with your own rights, or cancel it.'
      tx.atCommit(markStopped, [task.id, `${rightEnded} ${next}`])
      await unqueueTask(tx, task.id)
    }
    recordAudit(tx, [newEvent(taskStopped, task.id, { taskId: task.id, kind: task.kind })], {
      actor: { kind: 'worker', id: 'tasks' },
      requestId: null,
      now,
      wall,
      newId,
    })
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
