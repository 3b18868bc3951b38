import { defineError, type FaultCode } from '../../../kit/errors.ts'
import type { WaitingField } from './payout-fields.ts'

const refusal = (code: FaultCode, fields: readonly WaitingField[], message: string, detail: string) => ({
  message,
  extras: { details: fields.map(field => ({ field, code, message: detail })) },
})

export const payoutByOwnersOnly = defineError('AUTH_004', (fields: readonly WaitingField[]) =>
  refusal(
    'owner_only',
    fields,
    `Where money goes, and the logo and mediator beside it (${fields.join(', ')}), is changed in production by an owner who has signed in, on the page /account/company, or by the operator; never by a key or a token. Send the other fields without it. In the sandbox a key changes it too.`,
    'is changed by an owner on /account/company',
  ),
)
export const freshSignInNeeded = defineError('AUTH_004', (fields: readonly WaitingField[]) =>
  refusal(
    'fresh_sign_in',
    fields,
    'Where money goes, and the logo and mediator, are changed within ten minutes of signing in; sign in again.',
    'needs a fresh sign-in',
  ),
)
export const noPendingChange = defineError(
  'RES_001',
  () => 'No change of this field is waiting; it was withdrawn or has taken effect.',
)
export const ownChange = defineError('AUTH_004', (field: WaitingField) =>
  refusal(
    'own_change',
    [field],
    'You requested this change yourself; another owner confirms it, or it takes effect by itself.',
    'is confirmed by another owner',
  ),
)
export const newOwner = defineError('AUTH_004', (field: WaitingField) =>
  refusal(
    'new_owner',
    [field],
    'You have been an owner for less than 24 hours; an owner of more than 24 hours confirms it, or it takes effect by itself.',
    'is confirmed by an owner of longer standing',
  ),
)

export const accountNotOpened = defineError('VAL_001', () => ({
  message:
    'paymentAccount is not typed in production: an owner opens it with the payment provider, on the page /account/card-payments.',
  extras: {
    details: [
      {
        field: 'paymentAccount',
        code: 'not_opened_here',
        message: 'was not opened for this company; an owner opens one on /account/card-payments',
      },
    ],
  },
}))
