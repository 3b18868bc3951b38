import { newEvent } from '../../../../kit/events.ts'
import { operation } from '../../../../kit/operation.ts'
import { recordAudit } from '../../../platform/events/record-events.ts'
import { findDebtor } from '../../../receivables/debtors/read-debtors.ts'
import { debtorUnknown } from '../../../recovery/case/errors.ts'
import { taskCreated } from '../audit-events.ts'
import { oneFileAtATime, tooManyTasks } from '../errors.ts'
import { requireTurn } from '../made-files.ts'
import { toTask } from '../read-tasks.ts'
import { Task } from '../schema.ts'
import { createTask } from '../store.ts'
import { AccessInput, eraseScopes } from './schema.ts'

export const createAccessTask = operation({
  id: 'tasks.access',
  method: 'POST',
  path: '/api/v1/tasks/access',
  summary: 'Gather everything that is held about a person, as one ZIP',
  description:
    'For the answer to a request under art. 15 or 20 GDPR: pages to read in the language of the person (PDF), one JSON file per kind of data, and documents as they were. The file is deleted after a day.',
  scopes: eraseScopes,
  fresh: true,
  body: AccessInput,
  status: 201,
  reply: Task,
  errors: [debtorUnknown, tooManyTasks, oneFileAtATime],
  assistant: 'never',
  audit: [taskCreated],
  example: { body: { debtorId: '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52' } },
  async run(call) {
    const { tx, body } = call
    if (!(await findDebtor(tx, body.debtorId))) throw debtorUnknown.make()
    await requireTurn(tx)
    const task = await createTask(call, {
      kind: 'access',
      input: body,
      scopes: eraseScopes,
      isDryRun: false,
      total: 1,
    })
    const about = { taskId: task.id, kind: task.kind, action: null, isDryRun: false }
    recordAudit(tx, [newEvent(taskCreated, task.id, about)], call)
    return toTask(task, call)
  },
})
