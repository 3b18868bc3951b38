import { defineError } from '../../../kit/errors.ts'

export const recoveryScopeMissing = defineError('AUTH_004', (parameter: string) => ({
  message: `This credential lacks the scope workflow:read, which ${parameter} needs.`,
  extras: { requiredScopes: ['workflow:read' as const] },
}))

export const promiseNotFound = defineError('RES_001', () => 'There is no such promise about this invoice.')

export const nothingToPromise = defineError(
  'BIZ_004',
  () =>
    'The debtor has no open invoice with running reminders: a promise makes reminders wait, and none are running.',
  'no_open_invoice',
)

export const tooManyToPromise = defineError(
  'BIZ_004',
  (max: number) => `The debtor has more than ${max} open invoices; name at most ${max} in invoiceIds.`,
  'too_many_invoices',
)
