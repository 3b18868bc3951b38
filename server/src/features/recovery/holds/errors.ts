import type { Situation, SituationDecision } from '../../../domain/recovery/told.ts'
import { defineError } from '../../../kit/errors.ts'

export const situationNotDecided = defineError(
  'BIZ_004',
  () => 'The debtor reported a situation. Reading it does not end it: record what you have checked.',
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
)

export const situationAlreadyDecided = defineError(
  'BIZ_004',
  (decision: SituationDecision) => `The situation was decided already: ${decision}.`,
)
