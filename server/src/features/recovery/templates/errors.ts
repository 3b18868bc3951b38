import { defineError } from '../../../kit/errors.ts'

export const templateNotFound = defineError(
  'RES_001',
  () => 'There is no such template; GET /api/v1/templates lists them.',
)
