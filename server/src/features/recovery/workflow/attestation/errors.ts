import { defineError } from '../../../../kit/errors.ts'

export const anrNotFound = defineError(
  'RES_001',
  () => 'The invoice was not written off, so there is no attestation; writing it off makes one.',
)
