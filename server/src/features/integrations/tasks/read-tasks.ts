import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
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
import { operation } from '../../../kit/operation.ts'
import { taskNotFound } from './errors.ts'
import { type LinkContext, toFile } from './file-link.ts'
import type { ImportReport } from './import/schema.ts'
import { works } from './kinds.ts'
import { Task, type TaskRow, taskColumns, taskInPath, taskKinds, taskStatuses } from './schema.ts'
import { findTask } from './store.ts'

/** Any of these allows some kind of task; each task then requires its own scopes. */
export const taskScopes = {
  scopes: ['workflow:trigger'],
  orScopes: [
    ['notifications:send'],
    ['lrar:send'],
    ['invoices:write'],
    ['invoices:delete'],
    ['invoices:read'],
    ['debtors:read'],
    ['payments:read'],
    ['workflow:read'],
    ['webhooks:manage'],
  ],
} as const

export const toTask = (row: TaskRow, context: LinkContext): z.input<typeof Task> => ({
  id: row.id,
  kind: row.kind,
  status: row.status,
  isDryRun: row.is_dry_run,
  progress: { done: row.succeeded + row.refused, total: row.total },
  succeeded: row.succeeded,
  refused: row.refused,
  refusals: row.refusals,
  review: row.review,
  import: row.kind === 'import' ? (row.report as z.input<typeof ImportReport> | null) : null,
  failure: row.failure,
  file: toFile(context, row),
  request: row.input,
  report: row.kind === 'import' ? null : row.report,
  createdAt: iso(row.created_at),
  startedAt: row.started_at === null ? null : iso(row.started_at),
  endedAt: row.ended_at === null ? null : iso(row.ended_at),
})

/** For a caller who lacks one of its scopes, a task does not exist. */
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
  async run(call) {
    const { tx, actor, query } = call
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
    return pageOf(
      position,
      rows,
      total,
      row => toTask(row, call),
      (row, next) => writeCursor(position.order, next, [row.id]),
    )
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
  async run(call) {
    const { tx, actor, params } = call
    return toTask(requireTask(actor, await findTask(tx, params.id)), call)
  },
})

const TaskItem = z
  .object({
    invoiceId: outputUuid.nullable().meta({ description: 'Of an import, null until it is created' }),
    line: z.int().nullable().meta({ description: 'Of an import: the line of the file, as Excel numbers it' }),
    succeeded: z.boolean(),
    code: z.string().nullable().meta({ description: 'Why it was refused' }),
    message: z.string().nullable(),
    healed: z
      .array(
        z.object({
          field: z.string().meta({ description: 'The field of the invoice' }),
          title: z.string().meta({ description: 'The title of the column in the file' }),
          from: z.string(),
          to: z.string(),
          code: z.string(),
        }),
      )
      .meta({ description: 'Of an import: what was changed to read the row' }),
  })
  .meta({ id: 'TaskItem' })

interface ItemRow {
  key: string
  subject_id: string | null
  line: number | null
  code: string | null
  message: string | null
  healed: { field: string; title: string; from: string; to: string; code: string }[] | null
}

/** Where the items of a task are stored: for an import the rows of its file, for every other task the invoices it is about. */
const itemsOf = ({ kind, is_dry_run: isDryRun }: TaskRow) =>
  kind === 'import'
    ? {
        columns: 'line::text as key, invoice_id as subject_id, line, code, message, healed',
        from: 'import_rows',
        key: 'line',
        type: 'integer',
        shape: /^\d{1,9}$/,
        only: `state = '${isDryRun ? 'judged' : 'done'}'`,
      }
    : {
        columns:
          'subject_id::text as key, subject_id, null::integer as line, code, message, null::jsonb as healed',
        from: 'task_items',
        key: 'subject_id',
        type: 'uuid',
        shape: idShape,
        only: `is_dry_run = ${isDryRun}`,
      }

export const listTaskItems = operation({
  id: 'tasks.items',
  method: 'GET',
  path: '/api/v1/tasks/:id/items',
  summary: 'List what became of each item of a task',
  description:
    'In the order of their ids, or of the lines of an imported file; of a task in review, what would become of them. The rows of an export are in its file, and not listed.',
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
    const task = requireTask(actor, await findTask(tx, params.id))
    const { columns, from, key, type, shape, only } = itemsOf(task)
    const position = positionOf(query, 'task items', [shape])
    const filter = conditions()
    filter.add(`task_id = ${filter.bind(task.id)} and ${only}`)
    if (query.only) filter.add('code is not null')
    const done = works[task.kind].fileOf ? 0 : task.succeeded
    const total = { total: query.only ? task.refused : done + task.refused, isExact: true }
    if (position.after) filter.add(`${key} > ${filter.bind(position.after[0]!)}::${type}`)
    const rows = await tx.rows(
      adHoc<ItemRow>(
        `select ${columns} from ${from} ${filter.where()} order by ${key}
          limit ${filter.bind(position.limit + 1)} offset ${filter.bind(position.offset)}`,
      ),
      filter.values,
    )
    const toItem = ({ subject_id, line, code, message, healed }: ItemRow) => ({
      invoiceId: subject_id,
      line,
      succeeded: code === null,
      code,
      message,
      healed: healed ?? [],
    })
    return pageOf(position, rows, total, toItem, (row, next) => writeCursor(position.order, next, [row.key]))
  },
})
