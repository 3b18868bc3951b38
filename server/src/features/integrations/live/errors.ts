import { defineError } from '../../../kit/errors.ts'

export const linesOfPersonMax = 6

export const tooManyLines = defineError('RATE_003', () => ({
  message: `You have ${linesOfPersonMax} connections for live hints open, which is the most; close a window, or let one window tell the others.`,
  extras: { retryAfterSeconds: 10 },
}))

export const noLineFree = defineError('SVC_001', () => ({
  message: 'No more connections for live hints can be opened here at the moment; repeat in some seconds.',
  extras: { retryAfterSeconds: 10 },
}))
