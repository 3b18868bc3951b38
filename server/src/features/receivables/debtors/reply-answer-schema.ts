import { z } from 'zod'
import { outputUuid } from '../../../kit/fields.ts'
import { answerStates } from '../../recovery/holds/reply-answers.ts'

export const ReplyAnswer = z
  .object({
    text: z.string().nullable().meta({
      description:
        'While it waits, what was written; once it has left, the message as it was sent; null once that is deleted',
    }),
    communicationId: outputUuid.nullable().meta({ description: 'Null until it was handed to a provider' }),
    state: z.enum(answerStates).meta({
      description:
        'cancelled: it could not be sent any more, because its address was closed or a situation was reported',
    }),
  })
  .meta({ id: 'ReplyAnswer', description: 'What a person answered' })
