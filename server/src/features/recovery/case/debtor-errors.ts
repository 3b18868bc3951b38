import { defineError } from '../../../kit/errors.ts'

export const debtorUnknown = defineError('RES_001', () => 'There is no such debtor.')

export const siretTaken = defineError(
  'RES_002',
  (siret: string) => `Another debtor has the SIRET ${siret}; use that one, or correct the number.`,
)
