import { newEvent } from '../../../../kit/events.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { findDebtor } from '../../../receivables/debtors/read-debtors.ts'
import { debtorUnknown } from '../../../recovery/case/errors.ts'
import { taskCreated } from '../audit-events.ts'
import { tooManyTasks } from '../errors.ts'
import { toTask } from '../read-tasks.ts'
import { Task } from '../schema.ts'
import { createTask, saveReport } from '../store.ts'
import { debtorErased } from './audit-events.ts'
import { obstacleTo } from './erase-obstacles.ts'
import { otherRecordsOf } from './erase-report.ts'
import { debtorOwes, fileIsOpen, messageIsLeaving } from './errors.ts'
import { EraseInput, eraseScopes } from './schema.ts'

export const createEraseTask = operation({
  id: 'tasks.erase',
  method: 'POST',
  path: '/api/v1/tasks/erase',
  summary: 'Erase a person: their names, addresses, numbers, texts and documents',
  description:
    'Cannot be undone. Refused while an invoice of the debtor is not closed. Sums, counts and the proof of contacts stay, without the person. Data that accounting law requires is kept, but blocked; `report` says until when. A person who opted out is never written to again. Other records with the same email are named in `report`, and not erased. With `dryRun` it says what would be kept, and waits for `POST …/start`.',
  scopes: eraseScopes,
  body: EraseInput,
  status: 201,
  reply: Task,
  errors: [debtorUnknown, debtorOwes, messageIsLeaving, fileIsOpen, tooManyTasks],
  // Texts of debtors reach the assistant, so it may not do what cannot be undone.
  assistant: 'never',
  audit: [taskCreated, debtorErased],
  example: { body: { debtorId: '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52', reason: 'Asked by letter' } },
  async run(call) {
    const { tx, body } = call
    const { dryRun = false, ...input } = body
    if (!(await findDebtor(tx, input.debtorId))) throw debtorUnknown.make()
    const obstacle = await obstacleTo(tx, [input.debtorId])
    if (obstacle) throw obstacle
    const task = await createTask(call, {
      kind: 'erase',
      input,
      scopes: eraseScopes,
      isDryRun: dryRun,
      total: 1,
    })
    const otherRecords = await otherRecordsOf(tx, input.debtorId)
    const row = await saveReport(tx, task.id, { otherRecords })
    const about = { taskId: task.id, kind: task.kind, action: null, isDryRun: dryRun }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    return toTask(row, call)
  },
})
