import { defineError } from '../../../../kit/errors.ts'

export const claimListNotFound = defineError('RES_001', () => 'There is no such list of claims.')
