import { defineError } from '../../../kit/errors.ts'

export const dataRequestNotFound = defineError('RES_001', () => 'This debtor has made no such request.')
export const dataRequestDecided = defineError(
  'BIZ_004',
  () => 'An open request is granted or refused, and a granted one is lifted. Read it again.',
  'decided',
)
export const replyNotFound = defineError('RES_001', () => 'This debtor has sent no such reply.')
export const noteNotFound = defineError('RES_001', () => 'There is no such note about this debtor.')
export const notOfTeam = defineError(
  'RES_001',
  () => 'inChargeId is nobody of your company; GET /api/v1/team lists its people.',
)
