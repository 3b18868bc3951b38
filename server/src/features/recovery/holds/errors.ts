import type { ReplyOutcome, Situation, SituationDecision } from '../../../domain/recovery/told.ts'
import { defineError } from '../../../kit/errors.ts'

export const situationNotDecided = defineError(
  'BIZ_004',
  () => 'The debtor reported a situation. Reading it does not end it: record what you have checked.',
  'situation',
)

export const replyAlreadyRead = defineError(
  'BIZ_004',
  (outcome: ReplyOutcome | null) =>
    outcome === null
      ? 'The reply was read already, so it cannot be closed. Record what it means on its own: a promise, a pause, a dispute or a wrong person.'
      : `The reply was closed already: ${outcome}. What follows from it is recorded on its own.`,
  'reply_read',
)

export const situationNotFound = defineError('RES_001', () => 'This debtor has reported no such situation.')

export const decisionNotPossible = defineError(
  'VAL_003',
  (situation: Situation, possible: readonly SituationDecision[]) => ({
    message: `A reported ${situation} ends with ${possible.join(' or ')}.`,
    extras: {
      details: [{ field: 'decision', code: 'not_for_this_situation', message: possible.join(', ') }],
    },
  }),
  'not_for_this_situation',
  'decision',
)

export const situationAlreadyDecided = defineError(
  'BIZ_004',
  (decision: SituationDecision) => `The situation was decided already: ${decision}.`,
  'decided',
)

const answerObstacles = {
  channel_closed: 'the email address of the debtor is closed or refused a message; correct it first',
  situation: 'the debtor reported a situation; decide it first',
  insolvency: 'proceedings about the debtor are open; write to who administers them',
  sending_stopped: 'nothing is sent at the moment; see why in today’s report',
  no_invoice: 'the debtor has no invoice that it could name',
  no_moment: 'no hour is known at which somebody in the debtor’s country may be written to',
}

export const answerNotPossible = defineError('BIZ_004', (because: keyof typeof answerObstacles) => ({
  message: `The answer cannot be sent: ${answerObstacles[because]}. The reply can be closed without one.`,
  extras: { details: [{ field: 'answer', code: because, message: answerObstacles[because] }] },
}))
