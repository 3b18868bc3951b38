import type { Channel } from '../../../domain/contact/channel.ts'
import { defineError } from '../../../kit/errors.ts'

export const sandboxIsRunning = defineError('RES_004', () => ({
  message:
    'The sandbox is still processing what came due; read GET /api/v1/sandbox/clock, and repeat when its status is idle.',
  extras: { retryAfterSeconds: 1 },
}))

export const messageNotFound = defineError('RES_001', () => 'There is no such message.')

export const nothingWasSent = defineError(
  'BIZ_004',
  (by: readonly Channel[]) =>
    `Nothing was sent for this invoice by ${by.join(', ')} yet; let time pass with POST /api/v1/sandbox/clock.`,
)

const refusalTexts = {
  not_for_channel: 'This cannot happen to a message on that channel.',
  not_sent: 'The message never left, so nothing can be heard of it.',
  known: 'This was heard of the message already.',
  weaker: 'Something that outweighs this was heard of the message already.',
}
export const receiptIsRefused = defineError(
  'BIZ_004',
  (because: keyof typeof refusalTexts) => refusalTexts[because],
)
