import type { Actor } from '../../../../kit/actor.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { newEvent } from '../../../../kit/events.ts'
import { rangeWarnings } from '../../../../kit/list.ts'
import { operation, WithWarnings } from '../../../../kit/operation.ts'
import { totalOf, totalOfDays } from '../../../platform/counts/totals.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { findDebtor } from '../../../receivables/debtors/read-debtors.ts'
import { recoveryScopeMissing } from '../../../receivables/invoices/errors.ts'
import {
  recoveryFilterOf,
  refuseWithoutScope,
  scopesOfFilter,
} from '../../../receivables/invoices/include-recovery.ts'
import { countInvoices } from '../../../receivables/invoices/list-invoices.ts'
import { debtorNotFound } from '../../../recovery/case/errors.ts'
import { taskCreated } from '../audit-events.ts'
import { oneFileAtATime, taskScopesMissing, tooManyTasks } from '../errors.ts'
import { attachFile, createFile } from '../files.ts'
import { requireTurn } from '../made-files.ts'
import { toTask } from '../read-tasks.ts'
import { Task } from '../schema.ts'
import { createTask } from '../store.ts'
import { ExportInput, exportScopes } from './schema.ts'

export const createExportTask = operation({
  id: 'tasks.export',
  method: 'POST',
  path: '/api/v1/tasks/export',
  summary: 'Export invoices, debtors, payments, contacts, the audit log or accounting entries as a file',
  description:
    'Answers at once with a task; when it is finished, its `file` has a link that works for a day, without an API key. What was created after the task is not part of it. Each export needs the scopes with which the same is read by the API; accounting entries need `invoices:read` and `payments:read`, the audit log `webhooks:manage`.',
  scopes: ['invoices:read'],
  orScopes: [['debtors:read'], ['payments:read'], ['workflow:read'], ['webhooks:manage']],
  fresh: true,
  body: ExportInput,
  status: 201,
  reply: Task,
  errors: [taskScopesMissing, recoveryScopeMissing, tooManyTasks, debtorNotFound, oneFileAtATime],
  assistant: 'confirm',
  audit: [taskCreated],
  example: { body: { what: 'invoices', format: 'csv', filter: { status: 'in_recovery' } } },
  async run(call) {
    const { tx, actor, body, wall, now } = call
    if (body.filter) refuseWithoutScope(actor, recoveryFilterOf(body.filter))
    const scopes = [...new Set([...exportScopes[body.what], ...scopesOfFilter(body.filter)])]
    if (!scopes.every(scope => actor.scopes.includes(scope))) throw taskScopesMissing.make(scopes)
    const { debtorId } = body.filter ?? {}
    if (debtorId && !(await findDebtor(tx, debtorId))) throw debtorNotFound.make(debtorId)
    const total = await countRows(tx, actor, body, now)
    await requireTurn(tx)
    const task = await createTask(call, { kind: 'export', input: body, scopes, isDryRun: false, total })
    createFile(tx, task.id, wall)
    attachFile(tx, task.id, task.id)
    const about = { taskId: task.id, kind: task.kind, action: body.what, isDryRun: false }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    const warnings = rangeWarnings(body.filter ?? {})
    return warnings.length > 0 ? new WithWarnings(toTask(task, call), warnings) : toTask(task, call)
  },
})

/** How many rows it will have; null if this is not known. */
async function countRows(
  tx: Tx,
  actor: Actor,
  { what, filter = {}, fromDate, toDate }: ExportInput,
  now: number,
): Promise<number | null> {
  const isDated = fromDate !== undefined || toDate !== undefined
  if (what === 'invoices') {
    const { total, isExact } = await countInvoices(tx, actor, filter, () => now)
    return isExact ? total : null
  }
  if (what === 'debtors') return isDated ? null : (await totalOf(tx, 'debtor')).total
  if (what === 'payments')
    return (await totalOfDays(tx, 'payment', null, fromDate ?? null, toDate ?? null)).total
  return null
}
