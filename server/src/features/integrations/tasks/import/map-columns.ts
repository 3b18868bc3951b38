import { z } from 'zod'
import { ApiError } from '../../../../kit/errors.ts'
import { newEvent } from '../../../../kit/events.ts'
import { operation, WithWarnings } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import {
  type ColumnMapping,
  type ImportField,
  importFields,
} from '../../../receivables/imports/import-fields.ts'
import { findHeader } from '../../../receivables/imports/match-header.ts'
import { importWithoutHeader, taskNotFound, taskNotImport, taskNotInReview } from '../errors.ts'
import { requireTask, toTask } from '../read-tasks.ts'
import { engineWarnings, judgeAgain, lockTask } from '../store.ts'
import { Task, taskInPath } from '../task.ts'
import { columnsMapped } from '../task-events.ts'
import { readRows } from './import-rows.ts'
import { rememberMapping, reportOf } from './import-store.ts'

const MappingInput = z
  .strictObject({
    columns: z.partialRecord(z.enum(importFields), z.int().min(0).max(299)).meta({
      description: 'For each field, its column, counted from 0. It replaces the whole mapping.',
    }),
  })
  .meta({ id: 'MappingInput' })

function checkColumns(columns: ColumnMapping, titled: ReadonlySet<number>): void {
  const details = Object.entries(columns)
    .filter(([, column]) => !titled.has(column))
    .map(([field]) => ({
      field: `columns.${field}`,
      code: 'unknown_column',
      message: 'is no column with a title',
    }))
  if (details.length > 0)
    throw new ApiError('VAL_001', 'The mapping does not fit the file; see details.', { details })
}

export const mapColumns = operation({
  id: 'tasks.map',
  method: 'PUT',
  path: '/api/v1/tasks/:id/mapping',
  summary: 'Say what the columns of an imported file are',
  description:
    'While the import is in review. The rows are judged again, and the mapping is remembered for every file with the same titles.',
  scopes: ['invoices:write'],
  params: taskInPath,
  body: MappingInput,
  status: 200,
  reply: Task,
  errors: [taskNotFound, taskNotImport, taskNotInReview, importWithoutHeader],
  assistant: 'never',
  audit: [columnsMapped],
  example: {
    body: {
      columns: { invoiceNumber: 0, 'debtor.name': 1, 'debtor.email': 2, issueDate: 3, dueDate: 4, amount: 5 },
    },
  },
  async run(call) {
    const { tx, actor, params, body, wall } = call
    const task = requireTask(actor, await lockTask(tx, params.id))
    if (task.kind !== 'import') throw taskNotImport.make()
    if (task.status !== 'review') throw taskNotInReview.make(task.status)
    const { headerLine } = reportOf(task)
    if (headerLine === null) throw importWithoutHeader.make()
    const [row] = await readRows(tx, task.id, headerLine - 1, 1)
    const header = findHeader([row!])!
    const columns = body.columns as Partial<Record<ImportField, number>>
    checkColumns(columns, new Set(header.columns.map(({ column }) => column)))
    rememberMapping(tx, header.signature, columns, wall)
    const again = await judgeAgain(tx, task.id, { phase: 'plan' })
    recordAudit(tx, [newEvent(columnsMapped, task.id, { taskId: task.id, kind: task.kind })], call)
    return new WithWarnings(toTask(again), await engineWarnings(tx, wall))
  },
})
