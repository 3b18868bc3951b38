import { defineError } from '../../../kit/errors.ts'

export const paymentNotFound = defineError('RES_001', () => 'There is no such payment.')

export const paymentReferenceTaken = defineError(
  'RES_002',
  (reference: string) =>
    `A payment with the reference ${reference} exists already; it was not recorded twice.`,
)

const instead: Record<string, string> = {
  'completed failed': 'If the bank took it back, send POST /api/v1/payments/:id/reverse.',
  'pending refunded': 'It has not arrived: send PUT /api/v1/payments/:id with the status failed.',
}
export const paymentCannotBecome = defineError('BIZ_004', (from: string, to: string) =>
  [`A ${from} payment cannot become ${to}.`, instead[`${from} ${to}`]].filter(Boolean).join(' '),
)

export const paymentAboveOwed = defineError(
  'BIZ_001',
  (amountCents: number, owed: { principal: number; accessories: number }) =>
    `The payment of ${amountCents} cents is more than what is owed: ${owed.principal} cents of the invoice${
      owed.accessories > 0 ? ` and ${owed.accessories} cents for late payment` : ''
    }. Check the amount; send allowOverpayment: true if the money really arrived.`,
)

export const paymentCallbackForged = defineError(
  'WH_003',
  () => 'The signature is missing, wrong or too old.',
)
