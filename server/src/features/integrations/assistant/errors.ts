import { defineError } from '../../../kit/errors.ts'
import { messagesMax } from './conversation-schema.ts'

export const conversationNotFound = defineError('RES_001', () => 'There is no such conversation.')

const about = (field: string, message: string) => ({
  message: `${field} ${message}.`,
  extras: { details: [{ field, code: 'invalid' as const, message }] },
})

export const conversationUnknown = defineError('VAL_001', () =>
  about('conversationId', 'is not a conversation of yours; leave it out to begin a new one'),
)

export const conversationIsFull = defineError('VAL_001', () =>
  about('conversationId', `has ${messagesMax} messages, which is the most; leave it out to begin a new one`),
)

export const notConfirmable = defineError('VAL_001', () =>
  about(
    'context.confirm',
    'confirms nothing: it was used, expired, dropped, or belongs elsewhere; ask again',
  ),
)

export const noModel = defineError('SVC_001', () => ({
  message: 'The assistant is not available: no language model is configured. Everything else works.',
  extras: { retryAfterSeconds: 60 },
}))

export const modelUnavailable = defineError('SVC_001', () => ({
  message:
    'The assistant is not available right now: its language model does not answer. Repeat in a few seconds.',
  extras: { retryAfterSeconds: 5 },
}))

export const modelTooSlow = defineError(
  'SVC_002',
  () => 'The assistant took too long, and nothing was done; ask again, perhaps for less at once.',
)

export const modelUnusable = defineError(
  'SVC_003',
  () => 'The language model answered something unusable, and nothing was done; ask again.',
)

export const tokensUsedUp = defineError('RATE_002', (retryAfterSeconds: number) => ({
  message:
    'The assistant’s tokens of today are used up; they start anew at midnight UTC. Everything else works.',
  extras: { retryAfterSeconds },
}))

export const tokensHeld = defineError('RATE_002', () => ({
  message:
    'The rest of the assistant’s tokens of today is held by turns under way; repeat in a few seconds. Everything else works.',
  extras: { retryAfterSeconds: 5 },
}))

export const planInterrupted = defineError('SVC_001', (done: number, total: number) => ({
  message: `${done} of ${total} were carried out, then the service was busy; send the same confirmation again and the rest follows, nothing twice.`,
  extras: { retryAfterSeconds: 2 },
}))
