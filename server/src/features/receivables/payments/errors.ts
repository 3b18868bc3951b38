import { defineError } from '../../../kit/errors.ts'

export const paymentNotFound = defineError('RES_001', () => 'There is no such payment.')

export const paymentReferenceTaken = defineError(
  'RES_002',
  (reference: string) =>
    `A payment with the reference ${reference} exists already; it was not recorded twice.`,
)

export const paymentCannotBecome = defineError(
  'BIZ_004',
  (from: string, to: string) => `A ${from} payment cannot become ${to}.`,
)

export const paymentCallbackForged = defineError(
  'WH_003',
  () => 'The signature is missing, wrong or too old.',
)
