import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { taskCancelled, taskStarted } from './audit-events.ts'
import { deleteContent } from './delete-content.ts'
import { importNotReadable, taskHasEnded, taskNotFound, taskNotInReview } from './errors.ts'
import { reportOf } from './import/import-store.ts'
import { requireTask, taskScopes, toTask } from './read-tasks.ts'
import { Task, type TaskRow, taskColumns, taskInPath } from './schema.ts'
import { lockTask, lockTaskAlone, queueTask, unqueueTask } from './store.ts'

// The items of the dry run stay; those of the real run are counted from zero.
const restart = sql(
  'tasks.start',
  `update tasks set status = 'waiting', is_dry_run = false, chunk = 0, cursor = null, stalled = 0,
          review = jsonb_build_object('succeeded', succeeded, 'refused', refused, 'refusals', refusals),
          succeeded = 0, refused = 0, refusals = '[]', total = succeeded + refused
    where id = $1 returning ${taskColumns}`,
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
    'Each item is judged again at the moment it is done: what has changed since the dry run counts.',
  ...taskScopes,
  params: taskInPath,
  status: 200,
  reply: Task,
  errors: [taskNotFound, taskNotInReview, importNotReadable],
  assistant: 'confirm',
  audit: [taskStarted],
  async run(call) {
    const { tx, actor, params, wall } = call
    const task = requireTask(actor, await lockTask(tx, params.id))
    if (task.status !== 'review') throw taskNotInReview.make(task.status)
    if (task.kind === 'import' && reportOf(task).faults.length > 0) throw importNotReadable.make()
    const [row] = await tx.rows(restart, [task.id])
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
    'What was done before stays done; the items say what. Its file and the cells of an import are deleted.',
  ...taskScopes,
  params: taskInPath,
  status: 200,
  reply: Task,
  errors: [taskNotFound, taskHasEnded],
  assistant: 'confirm',
  audit: [taskCancelled],
  async run(call) {
    const { tx, actor, params, now } = call
    const task = requireTask(actor, await lockTaskAlone(tx, params.id))
    if (task.ended_at !== null) throw taskHasEnded.make(task.status)
    const [row] = await tx.rows(cancel, [task.id, iso(now)])
    await unqueueTask(tx, task.id)
    await deleteContent(tx, task)
    recordAudit(tx, [newEvent(taskCancelled, task.id, { taskId: task.id, kind: task.kind })], call)
    return toTask(row!, call)
  },
})
