import { defineError } from '../../../kit/errors.ts'

export const providerUnavailable = defineError(
  'SVC_001',
  (provider: string) =>
    `The details have to be read from ${provider}, which does not answer. Send this callback again later.`,
)

export const unknownProvider = defineError('RES_001', () => 'No provider of that name calls back here.')
