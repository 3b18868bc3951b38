import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { messageNames, stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime } from '../../../kit/fields.ts'
import type { Language } from '../messages/compose/texts/labels.ts'
import { claimingSteps } from '../messages/compose/texts/late-payment-statement.ts'
import type { Template as TemplateTexts } from '../messages/compose/texts/message-content.ts'
import {
  faultsInStored,
  placeholders,
  placeholderValues,
  usableTexts,
} from '../messages/compose/texts/own-texts.ts'
import { stepsWithTexts, templateOf, textsVersion } from '../messages/compose/texts/texts.ts'
import type { OwnTextsRow } from './store.ts'

export const languages = ['fr', 'en'] as const

/** The parts that a company's own texts cannot replace. */
const fixedParts = [
  'who_writes',
  'amounts',
  'late_payment_statement',
  'formal_notice',
  'link',
  'bank_account',
  'how_to_dispute',
  'data_notice',
  'ai_disclosure',
  'subject',
] as const

export const Template = z
  .object({
    id: z.string().meta({ description: '`step.channel.language`' }),
    step: z.enum(messageNames),
    channel: z.enum(channels),
    language: z.enum(languages),
    version: z.int().meta({ description: 'The version of our words; it increases when one of them changes' }),
    subject: z
      .string()
      .nullable()
      .meta({ description: 'After the creditor’s name, which always stands first; null: it has none' }),
    opening: z.string().meta({
      description:
        'The first paragraph; of a text message what stands before the link, of a call its first question',
    }),
    isOwn: z.boolean().meta({ description: 'Words of yours stand in it' }),
    refused: z
      .array(z.object({ field: z.enum(['subject', 'opening']), code: z.string(), message: z.string() }))
      .meta({
        description:
          'Your words break a rule that was added after you saved them: ours are sent instead until you change yours',
      }),
    placeholders: z.array(z.string()).meta({ description: 'What may stand in double braces' }),
    fixed: z.array(z.enum(fixedParts)).meta({ description: 'What is always said, whatever your words are' }),
    updatedAt: dateTime.nullable(),
  })
  .meta({ id: 'MessageTemplate' })

export interface KnownTemplate {
  id: string
  step: string
  channel: Channel
  language: Language
  texts: TemplateTexts
}

/** Every message that has texts of ours. */
export const knownTemplates: readonly KnownTemplate[] = channels.flatMap(channel =>
  stepsWithTexts(channel)
    .filter(step => step !== 'written_message')
    .flatMap(step =>
      languages.map(language => ({
        id: `${step}.${channel}.${language}`,
        step,
        channel,
        language,
        texts: templateOf(step, channel, language)!,
      })),
    ),
)

export const findTemplate = (id: string): KnownTemplate | undefined =>
  knownTemplates.find(template => template.id === id)

function fixedPartsOf({ step, channel, texts }: KnownTemplate): (typeof fixedParts)[number][] {
  if (channel === 'sms') return ['who_writes', 'link']
  if (channel === 'voice') return ['ai_disclosure', 'who_writes', 'amounts', 'how_to_dispute', 'subject']
  return [
    'who_writes',
    'amounts',
    ...(claimingSteps.includes(step) ? (['late_payment_statement'] as const) : []),
    ...(step === 'lrar_mise_en_demeure' ? (['formal_notice'] as const) : []),
    'link',
    ...(stepsSentAfterStop.includes(step) ? [] : (['bank_account', 'how_to_dispute'] as const)),
    'data_notice',
    ...(texts.isSubjectFixed ? (['subject'] as const) : []),
  ]
}

export function toTemplate(template: KnownTemplate, own: OwnTextsRow | undefined): z.input<typeof Template> {
  const { id, step, channel, language, texts } = template
  const stored = own ?? null
  const { subject, opening } = usableTexts(stored, language)
  return {
    id,
    step,
    channel,
    language,
    version: textsVersion,
    subject: channel === 'sms' ? null : (subject ?? texts.subject(placeholderValues)),
    opening: opening ?? texts.opening(placeholderValues),
    isOwn: subject !== null || opening !== null,
    refused: faultsInStored(stored, language),
    placeholders: [...placeholders],
    fixed: fixedPartsOf(template),
    updatedAt: own ? iso(own.updated_at) : null,
  }
}
