import { defineError } from '../../../../kit/errors.ts'

export const communicationUnknown = defineError('RES_001', () => 'There is no such message.')
