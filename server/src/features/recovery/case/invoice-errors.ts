import { defineError } from '../../../kit/errors.ts'

export const invoiceNotFound = defineError('RES_001', () => 'There is no such invoice.')

export const invoiceNumberTaken = defineError('RES_002', (number: string, isCancelled: boolean) =>
  isCancelled
    ? `Invoice ${number} exists already; its recovery was cancelled, and its number stays taken.`
    : `Invoice ${number} exists already; read it, or send another number.`,
)

export const debtorNotFound = defineError(
  'BIZ_003',
  (id: string) => `There is no debtor ${id}; leave out debtor.id and send its name and email to create one.`,
)

export const recoveryAlreadyStarted = defineError(
  'BIZ_002',
  () => 'The recovery was started; cancel it instead of deleting the invoice.',
)

export const invoiceHasPayments = defineError(
  'RES_003',
  () =>
    'The invoice has payments, credits, a promise, a dispute or an attestation, which stay on record; it cannot be deleted.',
)

export const invoiceAlreadyPaid = defineError(
  'BIZ_001',
  (hint: string) => `The invoice is already paid${hint}.`,
)

export const invoiceIsClosed = defineError(
  'BIZ_004',
  (status: string) => `The invoice is ${status.replace('_', ' ')}, which is final.`,
)

export const creditNumberTaken = defineError(
  'RES_002',
  (number: string) => `Credit ${number} exists already; send another number.`,
)

export const latePaymentIsOver = defineError('BIZ_004', (status: 'paid' | 'waived') =>
  status === 'paid'
    ? 'The 40 € and the interest of this invoice are paid; there is nothing to waive.'
    : 'The 40 € and the interest of this invoice were waived already.',
)

export const caseIsBeforeCourt = defineError(
  'BIZ_004',
  () => 'The case is before the court; what the debtor objects to is said there.',
)

export const disputeIsOpen = defineError(
  'BIZ_004',
  () => 'A dispute is open on this invoice already; resolve it first.',
)

export const noDisputeOpen = defineError(
  'BIZ_004',
  () => 'No dispute is open on this invoice; there is nothing to resolve.',
)

export const noRemindersToPause = defineError(
  'BIZ_004',
  (status: string) =>
    `The recovery is ${status}: a promise makes reminders wait, and none are running; start the recovery first if it is pending.`,
)

export const ownPromisesUsedUp = defineError(
  'BIZ_004',
  () =>
    'The debtor has moved this date once already, or asks for more than 90 days; a person at the creditor decides.',
)
