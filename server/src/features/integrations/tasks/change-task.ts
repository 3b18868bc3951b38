import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { taskCancelled, taskStarted } from './audit-events.ts'
import { deleteContent } from './delete-content.ts'
import {
  erasedByPerson,
  importNotReadable,
  taskHasEnded,
  taskNotFound,
  taskNotInReview,
  taskOfAnother,
} from './errors.ts'
import { deleteFile } from './files.ts'
import { reportOf } from './import/import-store.ts'
import { requireTask, taskScopes, toTask } from './read-tasks.ts'
import { Task, type TaskRow, taskColumns, taskInPath } from './schema.ts'
import { lockTask, lockTaskAlone, queueTask, unqueueTask } from './store.ts'
import { makerOf, mayCancel } from './task-maker.ts'

// The items of the dry run stay; those of the real run are counted from zero.
const restart = sql(
  'tasks.start',
  `update tasks set status = 'waiting', is_dry_run = false, chunk = 0, cursor = null, stalled = 0,
          review = jsonb_build_object('succeeded', succeeded, 'refused', refused, 'refusals', refusals),
          succeeded = 0, refused = 0, refusals = '[]', total = succeeded + refused, actor = $2, request_id = $3
    where id = $1 returning ${taskColumns}`,
).as<TaskRow>()
// It was stopped on the way: its cursor and its counts stay.
const resume = sql(
  'tasks.resume',
  `update tasks set status = 'waiting', failure = null, stalled = 0, actor = $2, request_id = $3 where id = $1 returning ${taskColumns}`,
).as<TaskRow>()
const cancel = sql(
  'tasks.cancel',
  `update tasks set status = 'cancelled', ended_at = $2 where id = $1 returning ${taskColumns}`,
).as<TaskRow>()

export const startTask = operation({
  id: 'tasks.start',
  method: 'POST',
  path: '/api/v1/tasks/:id/start',
  summary: 'Start a task that is in review',
  description:
    'Each item is judged again at the moment it is done: what has changed since the dry run counts. A task that was stopped goes on where it stopped. Who starts a task becomes its maker: it is judged with their scopes, and stops when they may not do it any more.',
  ...taskScopes,
  params: taskInPath,
  status: 200,
  reply: Task,
  errors: [taskNotFound, erasedByPerson, taskNotInReview, importNotReadable],
  assistant: 'confirm',
  audit: [taskStarted],
  async run(call) {
    const { tx, actor, params, wall, requestId } = call
    const task = requireTask(actor, await lockTask(tx, params.id))
    if (call.isToolCall && task.kind === 'erase') throw erasedByPerson.make()
    if (task.status !== 'review') throw taskNotInReview.make(task.status)
    if (task.kind === 'import' && reportOf(task).faults.length > 0) throw importNotReadable.make()
    // From now on no other sheet of it can be chosen.
    if (task.kind === 'import' && task.is_dry_run && task.file_id) deleteFile(tx, task.file_id)
    const [row] = await tx.rows(task.is_dry_run ? restart : resume, [
      task.id,
      JSON.stringify(makerOf(actor)),
      requestId,
    ])
    queueTask(tx, row!, wall)
    recordAudit(tx, [newEvent(taskStarted, task.id, { taskId: task.id, kind: task.kind })], call)
    return toTask(row!, call)
  },
})

export const cancelTask = operation({
  id: 'tasks.cancel',
  method: 'POST',
  path: '/api/v1/tasks/:id/cancel',
  summary: 'Cancel a task: nothing more of it is done after the answer',
  description:
    'What was done before stays done; the items say what. Its file and the cells of an import are deleted. For who made or started it, and for owners and managers; a key or an application may also cancel what another key or application made.',
  ...taskScopes,
  params: taskInPath,
  status: 200,
  reply: Task,
  errors: [taskNotFound, taskOfAnother, taskHasEnded],
  assistant: 'confirm',
  audit: [taskCancelled],
  async run(call) {
    const { tx, actor, params, now } = call
    const task = requireTask(actor, await lockTaskAlone(tx, params.id))
    if (!mayCancel(actor, task.actor)) throw taskOfAnother.make()
    if (task.ended_at !== null) throw taskHasEnded.make(task.status)
    const [row] = await tx.rows(cancel, [task.id, iso(now)])
    await unqueueTask(tx, task.id)
    await deleteContent(tx, task)
    recordAudit(tx, [newEvent(taskCancelled, task.id, { taskId: task.id, kind: task.kind })], call)
    return toTask(row!, call)
  },
})
