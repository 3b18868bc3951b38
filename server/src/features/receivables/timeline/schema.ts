import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { dateTime, integerText, outputUuid } from '../../../kit/fields.ts'
import { ShownActor } from '../../access/people/schema.ts'
import { historyCodes, historyLanguages } from '../../recovery/case/history-texts.ts'

export const timelineKinds = ['message', 'action', 'money', 'note'] as const

export const TimelineEntry = z
  .object({
    id: outputUuid,
    at: dateTime,
    kind: z.enum(timelineKinds),
    code: z
      .enum(historyCodes)
      .nullable()
      .meta({ description: 'What happened; null in lines that are older than the codes' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What the code is about; which there are depends on the code' }),
    sentence: z.string().meta({
      description: 'The same as a sentence in the language asked for; lines without a code are English',
    }),
    actor: ShownActor.nullable().meta({ description: 'Null in lines that are older than the codes' }),
    action: z
      .string()
      .nullable()
      .meta({ description: 'The step of a message, or what was done; null for money' }),
    channel: z.enum(channels).nullable(),
    status: z.string().nullable().meta({ description: 'What became of a message' }),
    invoiceId: outputUuid.nullable().meta({
      description: 'The invoice it is about, of a message the first one; null if it is about the debtor',
    }),
    communicationId: outputUuid.nullable(),
  })
  .meta({ id: 'TimelineEntry' })

export const TimelineQuery = z.strictObject({
  limit: integerText(1, 100, 50),
  cursor: z
    .string()
    .max(300)
    .optional()
    .meta({ description: '`pagination.nextCursor` of the previous page: continues with older entries' }),
  lang: z.enum(historyLanguages).optional().meta({ default: 'en', description: 'Language of the sentences' }),
})

export type TimelineQuery = z.output<typeof TimelineQuery>
