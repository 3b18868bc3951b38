import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { outputUuid } from '../../../kit/fields.ts'
import {
  conditions,
  countUpTo,
  idShape,
  listQuery,
  pageOf,
  positionOf,
  writeCursor,
} from '../../../kit/list.ts'
import { type Actor, operation } from '../../../kit/operation.ts'
import { taskNotFound } from './errors.ts'
import { findTask } from './store.ts'
import { Task, type TaskRow, taskColumns, taskInPath, taskKinds, taskStatuses } from './task.ts'

/** Any of these makes some task; each task then asks for its own. */
export const taskScopes = {
  scopes: ['workflow:trigger'],
  orScopes: [['notifications:send'], ['lrar:send'], ['debtors:write', 'invoices:delete']],
} as const

export const toTask = (row: TaskRow): z.input<typeof Task> => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  isDryRun: row.is_rehearsal,
  progress: { done: row.succeeded + row.refused, total: row.total },
  succeeded: row.succeeded,
  refused: row.refused,
  refusals: row.refusals,
  review: row.review,
  failure: row.failure,
  request: row.input,
  report: row.report,
  createdAt: iso(row.created_at),
  startedAt: row.started_at === null ? null : iso(row.started_at),
  endedAt: row.ended_at === null ? null : iso(row.ended_at),
})

/** To whoever lacks one of its scopes a task does not exist. */
export function requireTask({ scopes }: Actor, task: TaskRow | undefined): TaskRow {
  if (!task?.scopes.every(scope => scopes.includes(scope))) throw taskNotFound.make()
  return task
}

export const listTasks = operation({
  id: 'tasks.list',
  method: 'GET',
  path: '/api/v1/tasks',
  summary: 'List tasks, the newest first',
  description: 'Only tasks whose scopes the caller has. A task is kept for 30 days after its end.',
  ...taskScopes,
  query: z.strictObject({
    ...listQuery(20),
    status: z.enum(taskStatuses).optional(),
    kind: z.enum(taskKinds).optional(),
  }),
  status: 200,
  reply: Task,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, actor, query }) {
    const position = positionOf(query, 'tasks', [idShape])
    const filter = conditions()
    filter.add(`scopes <@ ${filter.bind(actor.scopes)}::text[]`)
    if (query.status) filter.add(`status = ${filter.bind(query.status)}`)
    if (query.kind) filter.add(`kind = ${filter.bind(query.kind)}`)
    const counted = [...filter.values]
    const total = await countUpTo(tx, `tasks ${filter.where()} order by id desc`, counted)
    if (position.after) filter.add(`id < ${filter.bind(position.after[0]!)}::uuid`)
    const rows = await tx.rows(
      adHoc<TaskRow>(
        `select ${taskColumns} from tasks ${filter.where()} order by id desc
          limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}`,
      ),
      filter.values,
    )
    return pageOf(position, rows, total, toTask, (row, next) => writeCursor('tasks', next, [row.id]))
  },
})

export const getTask = operation({
  id: 'tasks.get',
  method: 'GET',
  path: '/api/v1/tasks/:id',
  summary: 'Read a task: how far it is, and what came of it',
  ...taskScopes,
  params: taskInPath,
  status: 200,
  reply: Task,
  errors: [taskNotFound],
  assistant: 'read',
  async run({ tx, actor, params }) {
    return toTask(requireTask(actor, await findTask(tx, params.id)))
  },
})

const TaskItem = z
  .object({
    invoiceId: outputUuid,
    succeeded: z.boolean(),
    code: z.string().nullable().meta({ description: 'Why it was refused' }),
    message: z.string().nullable(),
  })
  .meta({ id: 'TaskItem' })

interface ItemRow {
  subject_id: string
  code: string | null
  message: string | null
}

export const listTaskItems = operation({
  id: 'tasks.items',
  method: 'GET',
  path: '/api/v1/tasks/:id/items',
  summary: 'List what became of each item of a task',
  description: 'In the order of their ids; of a task in review, what would become of them.',
  ...taskScopes,
  params: taskInPath,
  query: z.strictObject({
    ...listQuery(20),
    only: z.enum(['refused']).optional().meta({ description: 'Leave out what succeeded' }),
  }),
  status: 200,
  reply: TaskItem,
  list: true,
  errors: [taskNotFound],
  assistant: 'read',
  async run({ tx, actor, params, query }) {
    const position = positionOf(query, 'task items', [idShape])
    const task = requireTask(actor, await findTask(tx, params.id))
    const filter = conditions()
    filter.add(`task_id = ${filter.bind(task.id)} and is_rehearsal = ${filter.bind(task.is_rehearsal)}`)
    if (query.only) filter.add('code is not null')
    const total = query.only
      ? { total: task.refused, isExact: true }
      : { total: task.succeeded + task.refused, isExact: true }
    if (position.after) filter.add(`subject_id > ${filter.bind(position.after[0]!)}::uuid`)
    const rows = await tx.rows(
      adHoc<ItemRow>(
        `select subject_id, code, message from task_items ${filter.where()} order by subject_id
          limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}`,
      ),
      filter.values,
    )
    const toItem = ({ subject_id, code, message }: ItemRow) => ({
      invoiceId: subject_id,
      succeeded: code === null,
      code,
      message,
    })
    return pageOf(position, rows, total, toItem, (row, next) =>
      writeCursor('task items', next, [row.subject_id]),
    )
  },
})
