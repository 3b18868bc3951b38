import { defineError } from '../../kit/errors.ts'

export const companyClosed = defineError(
  'AUTH_006',
  () => 'The operator has closed this company; contact the operator.',
)
export const companyNotOpened = defineError(
  'AUTH_006',
  () => 'This company is not open for production yet; use its sandbox, and ask the operator to open it.',
)
