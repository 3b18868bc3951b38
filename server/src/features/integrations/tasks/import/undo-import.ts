import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { taskCreated } from '../audit-events.ts'
import {
  importNotEnded,
  importUndone,
  taskNotFound,
  taskNotImport,
  taskScopesMissing,
  tooManyTasks,
} from '../errors.ts'
import { requireTask, toTask } from '../read-tasks.ts'
import { Task, taskInPath } from '../schema.ts'
import { createTask, lockTask, saveReport } from '../store.ts'
import { reportOf } from './import-store.ts'

const undoScopes = ['invoices:write', 'invoices:delete'] as const

const countImported = sql(
  'import-rows.count-imported',
  'select count(invoice_id)::integer as n from import_rows where task_id = $1',
).as<{ n: number }>()

export const undoImport = operation({
  id: 'tasks.undo',
  method: 'POST',
  path: '/api/v1/tasks/:id/undo',
  summary: 'Undo an import: delete the invoices it created, as long as no message has left',
  description:
    'Answers with a task of its own. An invoice for which a message has left, or to which a payment belongs, stays and is named. Debtors stay.',
  scopes: undoScopes,
  params: taskInPath,
  status: 201,
  reply: Task,
  errors: [taskNotFound, taskNotImport, importNotEnded, importUndone, tooManyTasks, taskScopesMissing],
  assistant: 'confirm',
  audit: [taskCreated],
  async run(call) {
    const { tx, actor, params } = call
    const imported = requireTask(actor, await lockTask(tx, params.id))
    if (imported.kind !== 'import') throw taskNotImport.make()
    if (imported.ended_at === null) throw importNotEnded.make(imported.status)
    const report = reportOf(imported)
    if (report?.undoTaskId) throw importUndone.make(report.undoTaskId)
    const [count] = await tx.rows(countImported, [imported.id])
    const task = await createTask(call, {
      kind: 'undo',
      input: { importId: imported.id },
      scopes: undoScopes,
      isDryRun: false,
      total: count!.n,
    })
    if (report) await saveReport(tx, imported.id, { ...report, undoTaskId: task.id })
    const about = { taskId: task.id, kind: task.kind, action: null, isDryRun: false }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    return toTask(task, call)
  },
})
