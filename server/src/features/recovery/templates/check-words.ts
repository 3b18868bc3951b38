import { z } from 'zod'
import { forbiddenIn } from '../../../domain/contact/forbidden-words.ts'
import { ApiError } from '../../../kit/errors.ts'
import { line } from '../../../kit/fields.ts'
import { inGsm, placesOf, placesOfTwo } from '../messages/texts/gsm.ts'
import type { OwnWords } from '../messages/texts/notice.ts'
import { placeholders, unknownPlaceholders } from '../messages/texts/own-words.ts'
import { inPlainText } from '../messages/texts/plain-text.ts'
import { textOf } from '../messages/texts/texts.ts'
import { sampleNotice } from './sample.ts'
import type { Known } from './template.ts'

export const ownFields = {
  subject: line(120)
    .nullable()
    .optional()
    .meta({ description: 'What stands after the creditor’s name; null: our words' }),
  opening: line(600).nullable().optional().meta({ description: 'The first paragraph; null: our words' }),
}

interface Fault {
  field: 'subject' | 'opening'
  code: string
  message: string
}

type Given = { [Name in keyof OwnWords]?: OwnWords[Name] | undefined }

function faultsOf(field: Fault['field'], text: string, { language }: Known): Fault[] {
  const unknown = unknownPlaceholders(text).map(name => ({
    field,
    code: 'unknown_placeholder',
    message: `holds ${name.startsWith('{{') ? 'braces that are not closed' : `{{${name}}}, which nobody could fill in`}; there are ${placeholders.map(known => `{{${known}}}`).join(', ')}`,
  }))
  // The court and the sums of the law stand in the parts we write, where they are allowed.
  const said = forbiddenIn(text, { language, mayNameCourt: false, mayClaim: false }).map(word => ({
    field,
    code: 'forbidden_word',
    message: `says or means “${word}”, which a reminder must not`,
  }))
  return [...unknown, ...said]
}

/** Even with long names it goes as two text messages at most. */
function isTooLong(template: Known, opening: string): boolean {
  const notice = { ...sampleNotice(template.language), own: { subject: null, opening } }
  const { blocks } = textOf(template.step, template.channel)!(template.language, notice)
  return placesOf(inGsm(inPlainText(blocks).trim())) > placesOfTwo
}

/** Throws what is wrong with somebody's own words, each word named. */
export function checkWords(template: Known, { subject, opening }: Given): void {
  const isSubjectFixed = template.words.isSubjectFixed || template.channel === 'sms'
  const faults: Fault[] = [
    ...(typeof subject === 'string' && isSubjectFixed
      ? [{ field: 'subject' as const, code: 'fixed', message: 'cannot be replaced in this message' }]
      : []),
    ...(typeof subject === 'string' ? faultsOf('subject', subject, template) : []),
    ...(typeof opening === 'string' ? faultsOf('opening', opening, template) : []),
    ...(typeof opening === 'string' && template.channel === 'sms' && isTooLong(template, opening)
      ? [{ field: 'opening' as const, code: 'too_long', message: 'does not fit into two text messages' }]
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
