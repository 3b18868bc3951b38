import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { eventRecord, eventRows, insertEvents } from '../../platform/events/record-events.ts'
import { deleteContent } from './delete-content.ts'
import { taskFailed, taskFinished } from './events.ts'
import type { TaskRow } from './schema.ts'
import { unqueueTask } from './store.ts'
import type { TaskContext } from './task-context.ts'

const markEnded = sql(
  'tasks.mark-ended',
  'update tasks set status = $2, failure = $3, ended_at = $4 where id = $1',
)

// A task is its own subject: its one event has the number 1.
const insertTaskEvent = sql(
  'tasks.insert-event',
  `with happened as (select * from jsonb_to_recordset($1::jsonb) as x${eventRecord}), ${insertEvents} select 1`,
)

/** Ends a task, with its event. One that fails is locked alone: none of its items is being done. */
export async function endTask(
  { tx, now, wall, newId }: Pick<TaskContext, 'newId'> & { tx: Tx; now: number; wall: number },
  task: Pick<TaskRow, 'id' | 'kind' | 'actor' | 'request_id' | 'succeeded' | 'refused' | 'file_id'>,
  status: 'finished' | 'failed',
  failure: string | null = null,
): Promise<void> {
  const { id, kind, succeeded, refused } = task
  tx.atCommit(markEnded, [id, status, failure, iso(now)])
  await unqueueTask(tx, id)
  if (status === 'failed') await deleteContent(tx, task)
  const event = newEvent(status === 'finished' ? taskFinished : taskFailed, id, {
    taskId: id,
    kind,
    counts: { succeeded, refused },
  })
  const context = { actor: task.actor, requestId: task.request_id, now, wall, newId }
  tx.atCommit(insertTaskEvent, [JSON.stringify(eventRows([event], context))])
}
