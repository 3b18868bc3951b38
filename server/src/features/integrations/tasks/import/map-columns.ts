import { z } from 'zod'
import { ApiError } from '../../../../kit/errors.ts'
import { newEvent } from '../../../../kit/events.ts'
import { line } from '../../../../kit/fields.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { findHeader } from '../../../receivables/file-rows/match-header.ts'
import { type ColumnMapping, importFields } from '../../../receivables/file-rows/row-fields.ts'
import { columnsMapped } from '../audit-events.ts'
import {
  importHasBegun,
  importWithoutHeader,
  taskNotFound,
  taskNotImport,
  taskNotInReview,
} from '../errors.ts'
import { requireTask, toTask } from '../read-tasks.ts'
import { type Cursor, Task, type TaskRow, taskInPath } from '../schema.ts'
import { judgeAgain, lockTask } from '../store.ts'
import { rememberMapping, reportOf } from './import-store.ts'
import { readRow } from './rows-store.ts'

const MappingInput = z
  .strictObject({
    columns: z
      .array(
        z.strictObject({
          column: z.int().min(0).max(299).meta({ description: 'Counted from 0' }),
          field: z.enum(importFields),
        }),
      )
      .min(1)
      .max(importFields.length)
      .optional()
      .meta({ description: 'Each field once, with its column. It replaces the whole mapping.' }),
    sheet: line(100)
      .optional()
      .meta({ description: 'The sheet of the workbook to read instead, by its name; without `columns`' }),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change; send columns or sheet')
  .refine(({ columns, sheet }) => columns === undefined || sheet === undefined, {
    path: ['columns'],
    message: 'is not taken beside sheet: choose the sheet first, and its columns once it is read',
  })
  .meta({ id: 'MappingInput' })

/** The mapping, if every column has a title and every field is given once. */
function mappingOf(
  columns: NonNullable<z.output<typeof MappingInput>['columns']>,
  titled: ReadonlySet<number>,
): ColumnMapping {
  const details = columns.flatMap(({ column, field }, at) => [
    ...(titled.has(column)
      ? []
      : [
          {
            field: `columns[${at}].column`,
            code: 'unknown_column' as const,
            message: 'is no column with a title',
          },
        ]),
    ...(columns.findIndex(other => other.field === field) === at
      ? []
      : [{ field: `columns[${at}].field`, code: 'repeated' as const, message: 'is given twice' }]),
  ])
  if (details.length > 0)
    throw new ApiError('VAL_001', 'The mapping does not fit the file; see details.', { details })
  return Object.fromEntries(columns.map(({ column, field }) => [field, column]))
}

/** Where the import continues to read a sheet. */
function cursorOfSheet(task: TaskRow, sheet: string): Cursor {
  const { file } = reportOf(task)
  if (sheet === file.sheet) return { phase: 'plan', isChosen: true }
  if (file.sheets.some(({ name }) => name === sheet)) return { phase: 'drop', sheet, isChosen: true }
  const names = file.sheets.map(({ name }) => name)
  const message =
    names.length > 0 ? `is no sheet of the file; its sheets are ${names.join(', ')}` : 'is for workbooks only'
  throw new ApiError('VAL_001', `sheet ${message}.`, {
    details: [{ field: 'sheet', code: 'unknown_sheet', message }],
  })
}

export const mapColumns = operation({
  id: 'tasks.map',
  method: 'PUT',
  path: '/api/v1/tasks/:id/mapping',
  summary: 'Say which sheet of an imported file is read, or what its columns are',
  description:
    'While the import is in review. The rows are judged again. A mapping of columns is remembered for every file with the same titles.',
  scopes: ['invoices:write'],
  params: taskInPath,
  body: MappingInput,
  status: 200,
  reply: Task,
  errors: [taskNotFound, taskNotImport, taskNotInReview, importHasBegun, importWithoutHeader],
  assistant: 'never',
  audit: [columnsMapped],
  example: {
    body: {
      columns: [
        { column: 0, field: 'invoiceNumber' },
        { column: 1, field: 'debtor.name' },
        { column: 2, field: 'debtor.email' },
        { column: 3, field: 'issueDate' },
        { column: 4, field: 'dueDate' },
        { column: 5, field: 'amount' },
      ],
    },
  },
  async run(call) {
    const { tx, actor, params, body, wall } = call
    const task = requireTask(actor, await lockTask(tx, params.id))
    if (task.kind !== 'import') throw taskNotImport.make()
    if (task.status !== 'review') throw taskNotInReview.make(task.status)
    if (!task.is_dry_run) throw importHasBegun.make()
    const told = () =>
      recordAudit(tx, [newEvent(columnsMapped, task.id, { taskId: task.id, kind: task.kind })], call)
    if (body.sheet !== undefined) {
      const from = cursorOfSheet(task, body.sheet)
      const again = await judgeAgain(call, task.id, from)
      told()
      return toTask(again, call)
    }
    const { headerLine } = reportOf(task)
    if (headerLine === null) throw importWithoutHeader.make()
    const header = findHeader([await readRow(tx, task.id, headerLine)])!
    const mapping = mappingOf(body.columns!, new Set(header.columns.map(({ column }) => column)))
    rememberMapping(tx, header.signature, mapping, wall)
    const again = await judgeAgain(call, task.id, { phase: 'plan' })
    told()
    return toTask(again, call)
  },
})
