import { defineError } from '../../kit/errors.ts'

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
