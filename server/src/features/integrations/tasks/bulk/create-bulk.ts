import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { newEvent } from '../../../../kit/events.ts'
import { rangeWarnings } from '../../../../kit/list.ts'
import { operation, WithWarnings } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { recoveryScopeMissing } from '../../../receivables/invoices/errors.ts'
import {
  recoveryFilterOf,
  refuseWithoutScope,
  scopesOfFilter,
} from '../../../receivables/invoices/include-recovery.ts'
import { countInvoices } from '../../../receivables/invoices/list-invoices.ts'
import { debtorNotFound } from '../../../recovery/case/errors.ts'
import { taskCreated } from '../audit-events.ts'
import { taskScopesMissing, tooManyTasks } from '../errors.ts'
import { toTask } from '../read-tasks.ts'
import { Task } from '../schema.ts'
import { createTask } from '../store.ts'
import { actOf, BulkInput } from './schema.ts'

const findDebtor = sql('tasks.find-debtor', 'select id from debtors where id = $1')

/** Any of these allows some bulk action; each action then requires its own scopes. */
const bulkScopes = {
  scopes: ['workflow:trigger'],
  orScopes: [['notifications:send'], ['lrar:send']],
} as const

export const createBulkTask = operation({
  id: 'tasks.bulk',
  method: 'POST',
  path: '/api/v1/tasks/bulk',
  summary: 'Pause, resume, start, cancel, escalate, write off or message many invoices',
  description:
    'Answers at once with a task; `GET /api/v1/tasks/:id` shows how far it is, and `task.finished` tells when it is done. Each invoice is judged by itself, as the operation for one invoice does it, with the scopes of that operation. With `dryRun` it judges only, and waits for `POST …/start`.',
  ...bulkScopes,
  body: BulkInput,
  status: 201,
  reply: Task,
  errors: [taskScopesMissing, recoveryScopeMissing, tooManyTasks, debtorNotFound],
  assistant: 'confirm',
  audit: [taskCreated],
  example: {
    body: { action: 'pause', filter: { status: 'in_recovery' }, reason: 'Summer closing', dryRun: true },
  },
  async run(call) {
    const { tx, actor, body, now } = call
    if (body.filter) refuseWithoutScope(actor, recoveryFilterOf(body.filter))
    const scopes = [...actOf(body).scopes, ...scopesOfFilter(body.filter)]
    if (!scopes.every(scope => actor.scopes.includes(scope))) throw taskScopesMissing.make(scopes)
    const { dryRun = false, ids, filter, until, at, ...act } = body
    // An id that is given twice is one item.
    const chosen = ids ? { ids: [...new Set(ids)] } : { filter: filter! }
    if (filter?.debtorId && (await tx.rows(findDebtor, [filter.debtorId])).length === 0)
      throw debtorNotFound.make(filter.debtorId)
    const counted = filter && (await countInvoices(tx, actor, filter, () => now))
    const task = await createTask(call, {
      kind: 'bulk',
      input: {
        ...act,
        ...(until !== undefined && { until: iso(until) }),
        ...(at !== undefined && { at: iso(at) }),
        ...chosen,
      },
      scopes,
      isDryRun: dryRun,
      total: chosen.ids?.length ?? (counted?.isExact ? counted.total : null),
    })
    const about = { taskId: task.id, kind: task.kind, action: body.action, isDryRun: dryRun }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    const warnings = rangeWarnings(filter ?? {})
    return warnings.length > 0 ? new WithWarnings(toTask(task, call), warnings) : toTask(task, call)
  },
})
