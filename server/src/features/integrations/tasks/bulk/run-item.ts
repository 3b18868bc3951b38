import {
  asWorker,
  isDatabaseFault,
  isLockConflict,
  Rollback,
  type Tx,
  transact,
} from '../../../../kit/db/transaction.ts'
import { ApiError } from '../../../../kit/errors.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import type { TaskRow } from '../schema.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { hasMakerEnded, shareTask } from '../task-maker.ts'
import type { BulkAct } from './schema.ts'
import { claimItems } from './store.ts'

/** What is done with each item. */
export type ItemAct = Pick<BulkAct, 'operation' | 'paramsOf' | 'body' | 'isShared'>

/** The outcome of an item that is not in the database yet: refused, or judged by a dry run. */
export interface Outcome {
  id: string
  code: string | null
  message: string | null
}

/** The call of an operation for one item, with the actor of the task. */
export const callOf = (
  { clock, newId, keyring, publicUrl }: TaskContext,
  task: TaskRow,
  { paramsOf, body }: ItemAct,
  { tx, offsetMs, tenantId, id }: { tx: Tx; offsetMs: number; tenantId: string; id: string },
) => {
  const wall = clock.wall()
  return {
    tx,
    actor: { ...task.actor, tenantId },
    now: wall + offsetMs,
    wall,
    requestId: task.request_id,
    newId,
    keyring,
    publicUrl,
    params: paramsOf(id),
    query: {},
    body,
  }
}

/** Another transaction holds the debtor, or a message to it is leaving: a retry soon succeeds. */
export const isPassing = (error: unknown) =>
  isLockConflict(error) || (error instanceof ApiError && error.code === 'RES_004')

/** After this many tries an item that fails by a fault of ours is refused, so that the others can run. */
const triesMax = 3
const poisoned = {
  code: 'SYS_001',
  message:
    'A fault of ours: it failed three times, was left as it is, and we were told. Do it by itself later, or contact us with the id of the task.',
}

/** Executes one item in its own transaction, or judges it and rolls back. Null: it is done, or was done before. */
export async function runItem(
  context: TaskContext,
  task: TaskRow,
  act: ItemAct,
  id: string,
  { tenantId, taskId, attempt, chunk }: ChunkRef,
): Promise<Outcome | null> {
  const claim = task.is_dry_run
    ? []
    : ([shareTask(task, context.clock.wall()), [claimItems, [taskId, [id], chunk, attempt]]] as const)
  const doItem = () =>
    transact(context.pool, asWorker(tenantId), claim, async ({ tx, offsetMs, openingRows }) => {
      if (!task.is_dry_run && openingRows[1]!.length === 0) return new Rollback(null)
      await act.operation.run!(callOf(context, task, act, { tx, offsetMs, tenantId, id }))
      return task.is_dry_run ? new Rollback({ id, code: null, message: null }) : null
    })
  for (let tries = 1; ; tries++)
    try {
      return await withRetries(isPassing, doItem)
    } catch (error) {
      if (error instanceof ApiError) return { id, code: error.code, message: error.message }
      // The database is unavailable, or the task has to stop: this is not a failure of the item.
      if (isDatabaseFault(error) || hasMakerEnded(error)) throw error
      if (tries < triesMax) continue
      context.metrics.poisonedItems.inc()
      context.log.error(
        { tenantId, taskId, invoiceId: id, err: error },
        'an item of a task was refused after three failures',
      )
      return { id, ...poisoned }
    }
}

export const isPoisoned = ({ code, message }: Outcome) =>
  code === poisoned.code && message === poisoned.message
