import { z } from 'zod'
import { ApiError } from '../../../kit/errors.ts'
import { line } from '../../../kit/fields.ts'
import { smsLengthOf, toGsm, twoSmsLength } from '../messages/compose/texts/gsm.ts'
import type { OwnTexts } from '../messages/compose/texts/message-content.ts'
import { faultsOf, type TextFault } from '../messages/compose/texts/own-texts.ts'
import { toPlainText } from '../messages/compose/texts/plain-text.ts'
import { textOf } from '../messages/compose/texts/texts.ts'
import { sampleContent } from './sample-content.ts'
import type { KnownTemplate } from './schema.ts'

export const ownFields = {
  subject: line(120)
    .nullable()
    .optional()
    .meta({ description: 'What stands after the creditor’s name; null: our words' }),
  opening: line(600).nullable().optional().meta({ description: 'The first paragraph; null: our words' }),
}

type TextChanges = { [Name in keyof OwnTexts]?: OwnTexts[Name] | undefined }

/** A text message may be two SMS long at most, also with long names. */
function isTooLong(template: KnownTemplate, opening: string): boolean {
  const content = { ...sampleContent(template.language), own: { subject: null, opening } }
  const { blocks } = textOf(template.step, template.channel)!(template.language, content)
  return smsLengthOf(toGsm(toPlainText(blocks).trim())) > twoSmsLength
}

/** Throws a validation error that names every fault in a company's own texts. */
export function checkTexts(template: KnownTemplate, { subject, opening }: TextChanges): void {
  const isSubjectFixed = template.texts.isSubjectFixed || template.channel === 'sms'
  const faults: TextFault[] = [
    ...(typeof subject === 'string' && isSubjectFixed
      ? [{ field: 'subject' as const, code: 'fixed' as const, message: 'cannot be replaced in this message' }]
      : []),
    ...(typeof subject === 'string' ? faultsOf('subject', subject, template.language) : []),
    ...(typeof opening === 'string' ? faultsOf('opening', opening, template.language) : []),
    ...(typeof opening === 'string' && template.channel === 'sms' && isTooLong(template, opening)
      ? [
          {
            field: 'opening' as const,
            code: 'too_long' as const,
            message: 'does not fit into two text messages',
          },
        ]
      : []),
  ]
  const [first] = faults
  if (first) throw new ApiError('VAL_001', `${first.field} ${first.message}.`, { details: faults })
}

export const templateInPath = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}\.(?:email|sms|lrar|voice)\.(?:fr|en)$/i, 'must be step.channel.language')
    .transform(id => id.toLowerCase()),
})
