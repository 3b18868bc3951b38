import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import {
  type RequestedMessage as RequestedStep,
  requestedMessages,
} from '../../../domain/recovery/cascade.ts'
import { refusedField } from '../../../kit/errors.ts'
import { dateTime, days, line, lines, moment, optional, outputUuid } from '../../../kit/fields.ts'
import { reasonCodes } from '../case/reason-texts.ts'
import type { WrittenText } from '../case/written-text.ts'
import { ofDryRun, PlanShift } from './plan-schema.ts'
import { dryRun } from './rehearse.ts'

const findingCodes = [
  'forbidden_word',
  'payment_details',
  'unknown_placeholder',
  'sum_shown',
  'number_shown',
  'too_long',
] as const

export const Finding = z
  .object({
    field: z.enum(['subject', 'text']),
    code: z.enum(findingCodes).meta({
      description:
        'sum_shown: others may see the screen of a private person, so neither a subject nor a text message names a sum; number_shown: the link of this text message asks for the number of the invoice',
    }),
    found: z.string().nullable().meta({ description: 'The words it is about' }),
    message: z.string(),
  })
  .meta({ id: 'TextFinding', description: 'What a message may not say' })
export type Finding = z.output<typeof Finding>

export const ShownMessage = z
  .object({
    to: z.string().meta({ description: 'The address it goes to' }),
    subject: z.string().nullable().meta({ description: 'Null: it has none' }),
    text: z.string(),
    html: z.string().nullable().meta({ description: 'Of an email, without the logo' }),
    parts: z.int().nullable().meta({ description: 'Of a text message, how many SMS it is' }),
  })
  .meta({ id: 'ShownMessage', description: 'A message as the debtor would see it' })

export const MessageRequest = z
  .strictObject({
    channel: z
      .enum(channels)
      .meta({ description: '`lrar` needs the scope lrar:send, every other channel notifications:send' }),
    at: optional(moment).meta({ ...days(0, null), description: 'Not before; default now' }),
    replaceNextStep: optional(z.boolean()).meta({
      default: false,
      description: 'Instead of the next step',
    }),
    template: optional(z.enum(requestedMessages)).meta({
      description:
        'extra_message: our reminder, by default; written_message: the words of `text`, by default if there is one, by email or text message; account_statement: a list of all open invoices, by email',
    }),
    subject: optional(line(120)).meta({
      description: 'After the creditor’s name, which always stands first; of an email with `text` or a list',
    }),
    text: optional(lines(4000)).meta({
      description:
        'What the message says; each line is a paragraph. It may hold the placeholders of the templates. Who writes, the sum, the link and what the law wants stand around it. Threats, added sums, links and bank accounts are refused',
    }),
    dryRun,
  })
  .meta({ id: 'MessageRequest' })

export const RequestedMessage = z
  .object({
    id: outputUuid.nullable().meta({ description: 'Null after a dry run' }),
    invoiceId: outputUuid,
    channel: z.enum(channels),
    scheduledAt: dateTime,
    reason: z.string(),
    reasonCode: z.enum(reasonCodes),
    shifts: z.array(PlanShift),
    ...ofDryRun,
    shown: ShownMessage.nullable()
      .optional()
      .meta({ description: 'With `dryRun` only; null for a letter or a call' }),
    findings: z.array(Finding).optional().meta({
      description:
        'With `dryRun` only: what is wrong with `subject` and `text`. Without it a request with any of these is refused (VAL_001)',
    }),
  })
  .meta({ id: 'RequestedMessage' })

/** Which message is asked for, and with which words. */
export function askedFor(body: z.output<typeof MessageRequest>): { step: RequestedStep; words: WrittenText } {
  const { channel, template } = body
  const subject = body.subject ?? null
  const text = body.text ?? null
  const step = template ?? (text === null ? 'extra_message' : 'written_message')
  if (step === 'written_message' && text === null) throw refusedField('text', 'missing', 'is missing')
  if (step === 'extra_message' && text !== null)
    throw refusedField('text', 'not_together', 'goes with no reminder of ours')
  if (step === 'written_message' && channel !== 'email' && channel !== 'sms')
    throw refusedField('channel', 'not_together', 'cannot be used: a person writes by email or text message')
  if (step === 'account_statement' && channel !== 'email')
    throw refusedField('channel', 'not_together', 'cannot be used: a list of all invoices goes by email')
  if (subject !== null && (step === 'extra_message' || channel !== 'email'))
    throw refusedField('subject', 'not_together', 'goes only with an email that a person writes')
  return { step, words: { subject, text } }
}
