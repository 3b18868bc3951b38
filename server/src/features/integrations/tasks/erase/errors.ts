import { defineError } from '../../../../kit/errors.ts'

export const debtorOwes = defineError(
  'RES_003',
  (open: number) =>
    `${open === 1 ? 'One invoice' : `${open} invoices`} of this debtor ${open === 1 ? 'is' : 'are'} not closed: what proves a claim is kept as long as the claim (art. 17(3)(e) GDPR). Record the payment, cancel or write off, then erase.`,
)

export const messageIsLeaving = defineError(
  'RES_003',
  () => 'A message to this debtor is leaving at this moment; erase when its outcome is known.',
)

export const fileIsOpen = defineError(
  'RES_003',
  () =>
    'A task with a file is not ended, and the file may name this debtor; start it or cancel it, then erase.',
)
