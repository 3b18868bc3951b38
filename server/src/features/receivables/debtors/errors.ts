import { defineError } from '../../../kit/errors.ts'

export const replyNotFound = defineError('RES_001', () => 'This debtor has sent no such reply.')
