import { defineError } from '../../../kit/errors.ts'

export const paymentNotFound = defineError('RES_001', () => 'There is no such payment.')

export const paymentReferenceTaken = defineError(
  'RES_002',
  (reference: string) =>
    `A payment of this invoice with the reference ${reference} exists already; it was not recorded twice.`,
  'reference_taken',
  'externalReference',
)

const instead: Record<string, string> = {
  'completed failed': 'If the bank took it back, send POST /api/v1/payments/:id/reverse.',
  'pending refunded': 'It has not arrived: send PUT /api/v1/payments/:id with the status failed.',
}
export const paymentCannotBecome = defineError(
  'BIZ_004',
  (from: string, to: string) =>
    [`A ${from} payment cannot become ${to}.`, instead[`${from} ${to}`]].filter(Boolean).join(' '),
  'payment_status',
)

const really = 'send allowOverpayment: true if the money really arrived'

export const paymentAboveOwed = defineError(
  'BIZ_001',
  (amountCents: number, owed: { principal: number; accessories: number }) => {
    const owedTexts = [
      `${owed.principal} cents of the invoice`,
      ...(owed.accessories > 0 ? [`${owed.accessories} cents for late payment`] : []),
    ].join(' and ')
    const message = `is more than what is owed: ${owedTexts}`
    return {
      message: `The payment of ${amountCents} cents ${message}. Check the amount; ${really}.`,
      extras: { details: [{ field: 'amountCents', code: 'above_owed', message }] },
    }
  },
  'above_owed',
  'amountCents',
)

export const receiptLeavesOver = defineError(
  'BIZ_001',
  (leftOverCents: number, isGiven: boolean) => {
    const message = isGiven
      ? `leaves ${leftOverCents} cents that the split gives to no invoice`
      : `is ${leftOverCents} cents more than what the open invoices of the debtor owe`
    return {
      message: `The sum ${message}. Check it; ${really}.`,
      extras: { details: [{ field: 'amountCents', code: 'above_owed', message }] },
    }
  },
  'above_owed',
  'amountCents',
)

export const nothingToSplitOver = defineError(
  'BIZ_001',
  () =>
    'The debtor has no open invoice that the sum could pay; name an invoice in split, with allowOverpayment: true, if the money really arrived.',
  'no_open_invoice',
)

export const tooManyToSplitOver = defineError(
  'BIZ_004',
  (max: number) => `The sum pays more than ${max} invoices; record it in parts, each with its split.`,
  'too_many_invoices',
)

export const paymentCallbackForged = defineError(
  'WH_003',
  () => 'The signature is missing, wrong or too old.',
)
