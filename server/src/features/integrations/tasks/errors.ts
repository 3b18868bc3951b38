import { defineError } from '../../../kit/errors.ts'
import type { Scope } from '../../../kit/operation.ts'
import type { TaskStatus } from './task.ts'

export const taskNotFound = defineError('RES_001', () => 'There is no such task, or it is not yours to see.')

/** Lists all scopes that are needed, not only the missing ones. */
export const taskScopesMissing = defineError('AUTH_004', (requiredScopes: readonly Scope[]) => ({
  message: `A task does no more than whoever makes it may do: this one needs ${requiredScopes.join(', ')}.`,
  extras: { requiredScopes },
}))

export const taskNotInReview = defineError(
  'RES_003',
  (status: TaskStatus) => `The task is ${status}; only one that is in review can be started.`,
)

export const taskHasEnded = defineError(
  'RES_003',
  (status: TaskStatus) => `The task is ${status} already; nothing is left to cancel.`,
)

export const tooManyTasks = defineError(
  'RES_003',
  (max: number) =>
    `${max} tasks are waiting already, which is the most; wait until one has ended, or cancel one.`,
)

export const fileLinkDead = defineError(
  'RES_001',
  () =>
    'This link has ended, or it is not whole. A link works for a day; read the task for the one it has now, and after that day make a new task.',
)
