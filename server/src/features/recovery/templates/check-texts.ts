import { z } from 'zod'
import { forbiddenIn } from '../../../domain/contact/forbidden-words.ts'
import { paymentDetailsIn } from '../../../domain/contact/payment-details.ts'
import { ApiError } from '../../../kit/errors.ts'
import { line } from '../../../kit/fields.ts'
import { smsLengthOf, toGsm, twoSmsLength } from '../messages/texts/gsm.ts'
import type { OwnTexts } from '../messages/texts/message-content.ts'
import { placeholders, unknownPlaceholders } from '../messages/texts/own-texts.ts'
import { toPlainText } from '../messages/texts/plain-text.ts'
import { textOf } from '../messages/texts/texts.ts'
import { sampleContent } from './sample-content.ts'
import type { KnownTemplate } from './template.ts'

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

type TextChanges = { [Name in keyof OwnTexts]?: OwnTexts[Name] | undefined }

function faultsOf(field: Fault['field'], text: string, { language }: KnownTemplate): Fault[] {
  const unknown = unknownPlaceholders(text).map(name => ({
    field,
    code: 'unknown_placeholder',
    message: `holds ${name.startsWith('{{') ? 'braces that are not closed' : `{{${name}}}, which nobody could fill in`}; there are ${placeholders.map(known => `{{${known}}}`).join(', ')}`,
  }))
  // The court and the late-payment sums are named in our own parts of the message, where they are allowed.
  const forbidden = forbiddenIn(text, { language, mayNameCourt: false, mayClaim: false }).map(word => ({
    field,
    code: 'forbidden_word',
    message: `says or means “${word}”, which a reminder must not`,
  }))
  const details = paymentDetailsIn(text).map(({ kind, found }) => ({
    field,
    code: 'payment_details',
    message: `holds “${found}”, which reads as ${kind === 'link' ? 'a link or an address' : 'a bank account'}; a message has only the link and the account that we put in, so that nobody can redirect a payment by words. Leave it out${kind === 'link' ? ', or put a space after the full stop' : ''}`,
  }))
  return [...unknown, ...forbidden, ...details]
}

/** A text message may be two SMS long at most, also with long names. */
function isTooLong(template: KnownTemplate, opening: string): boolean {
  const content = { ...sampleContent(template.language), own: { subject: null, opening } }
  const { blocks } = textOf(template.step, template.channel)!(template.language, content)
  return smsLengthOf(toGsm(toPlainText(blocks).trim())) > twoSmsLength
}

/** Throws a validation error that names every fault in a company's own texts. */
export function checkTexts(template: KnownTemplate, { subject, opening }: TextChanges): void {
  const isSubjectFixed = template.texts.isSubjectFixed || template.channel === 'sms'
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
