import type { Scope } from '../../../kit/actor.ts'
import { defineError } from '../../../kit/errors.ts'
import type { TaskStatus } from './schema.ts'

export const taskNotFound = defineError('RES_001', () => 'There is no such task, or you may not read it.')

/** Lists all scopes that are needed, not only the missing ones. */
export const taskScopesMissing = defineError('AUTH_004', (requiredScopes: readonly Scope[]) => ({
  message: `To create a task, a credential needs the scopes of what the task does: this one needs ${requiredScopes.join(', ')}.`,
  extras: { requiredScopes },
}))

export const taskNotInReview = defineError(
  'RES_003',
  (status: TaskStatus) => `The task is ${status}; only one that is in review can be started.`,
  'task_status',
)

export const taskNotImport = defineError('RES_003', () => 'The task is no import of a file.', 'task_status')

export const importWithoutHeader = defineError(
  'RES_003',
  () =>
    'No line of the file looks like titles of columns. Add a line of titles to the file and import it again.',
  'no_header',
)

export const importNotReadable = defineError(
  'RES_003',
  () =>
    'The columns of the file cannot be read yet; say what they are with PUT /api/v1/tasks/:id/mapping, then start.',
  'columns_unreadable',
)

export const importHasBegun = defineError(
  'RES_003',
  () =>
    'Rows of this import were done before it was stopped, so its columns stay as they are. Start it to do the rest, or cancel it and undo it.',
  'already_started',
)

export const taskOfAnother = defineError(
  'AUTH_004',
  () =>
    'Only who made or started a task may cancel it, or an owner or manager of the company; ask one of them.',
)

/** Texts of debtors reach an assistant, so it does not do what cannot be undone. */
export const erasedByPerson = defineError(
  'AUTH_004',
  () =>
    'An erasure cannot be undone, so no assistant starts it; start the task in the console or by the API.',
)

export const importUndone = defineError(
  'RES_003',
  (taskId: string) => `This import is being undone already, by the task ${taskId}.`,
  'import_undone',
)

export const importNotEnded = defineError(
  'RES_003',
  (status: TaskStatus) =>
    `The import is ${status}; only one that has ended can be undone. Cancel it first, if nothing more shall be imported.`,
  'task_status',
)

/** A message, a payment or a dispute belongs to the invoice: it cannot be undone any more. */
export const invoiceInUse = defineError(
  'BIZ_004',
  () =>
    'A message has left for this invoice, or a payment, a credit, a dispute or a promise belongs to it. It stays; cancel it instead.',
)

export const taskHasEnded = defineError(
  'RES_003',
  (status: TaskStatus) => `The task is ${status} already; nothing is left to cancel.`,
  'task_status',
)

export const tooManyTasks = defineError(
  'RES_003',
  (max: number) =>
    `${max} tasks are waiting already, which is the most; wait until one has ended, or cancel one.`,
  'too_many_tasks',
)

export const fileDeleted = defineError(
  'RES_003',
  () =>
    'The file was deleted while it arrived: a person was erased, or the sandbox was reset. Send the file again.',
  'file_deleted',
)

export const oneFileAtATime = defineError(
  'VAL_005',
  () =>
    'Your files and imports take all the space you may use in this environment. One file at a time can still be made: wait until the export or copy that is under way has ended.',
)

export const fileLinkDead = defineError(
  'RES_001',
  () =>
    'This link has expired or is incomplete, or who made the file may not have it any more. Read the task again with the credential that made it for the link it has now; a day after its end make a new task.',
)
