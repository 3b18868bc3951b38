import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { messageNames } from '../../../domain/recovery/cascade.ts'
import { holds } from '../../../domain/recovery/recovery-state.ts'
import { attentionCodes, attentionLevels, attentionReasonsMax } from '../../../domain/score/attention.ts'
import { riskLevels } from '../../../domain/score/score.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { reasonCodes } from '../../recovery/case/reason-texts.ts'

const openMaxText = '10,000'
const ofOne = (what: string) =>
  `Only where one debtor is read: ${what}; null where more than ${openMaxText} invoices are open`
const sum = z.int().nullable().optional()
const isoDay = z.string().meta({ format: 'date' })

const AgeingBucket = z
  .object({
    fromDays: z
      .int()
      .nullable()
      .meta({ description: 'Days past the due date, inclusive; null: not past it' }),
    toDays: z.int().nullable().meta({ description: 'Inclusive; null: without end' }),
    invoices: z.int().meta({ description: 'Invoices with something open' }),
    openCents: z.int().meta({ description: 'Principal still to be paid' }),
  })
  .meta({ id: 'AgeingBucket', description: 'What is open, by how long it is overdue' })

const Attention = z
  .object({
    level: z.enum(attentionLevels).meta({
      description: '`none`, `watch` or `high`: as serious as the most serious reason',
    }),
    reasons: z
      .array(
        z.object({
          code: z.enum(attentionCodes).meta({ description: 'What is so' }),
          days: z
            .int()
            .nullable()
            .meta({ description: 'Since how many days, where the company is; null where it has no day' }),
        }),
      )
      .meta({ description: `The most serious first, ${attentionReasonsMax} at most` }),
  })
  .meta({
    id: 'Attention',
    description:
      'Whether a person should look at this debtor today, beside the score, which is about the past',
  })

export const NextContact = z
  .object({
    at: dateTime,
    channel: z.enum(channels),
    step: z.enum(messageNames).meta({
      description: 'The step of the leading invoice, or the message outside its cascade',
    }),
    because: z.enum(reasonCodes).nullable().meta({ description: 'What moved it there' }),
    invoiceIds: z.array(outputUuid).meta({ description: 'The invoices it is about, the leading one first' }),
  })
  .meta({ id: 'NextContact' })

export const DebtorAccount = z
  .object({
    currency: z.string().meta({ description: "The company's; sums in others are not in it" }),
    openCents: z.int().meta({ description: 'Principal still to be paid' }),
    openInvoices: z.int(),
    dueCents: sum.meta({ description: ofOne('what is past its due date') }),
    notDueCents: sum.meta({ description: ofOne('what is not past its due date') }),
    nextDueDate: isoDay
      .nullable()
      .optional()
      .meta({ description: ofOne('the first of them to fall due') }),
    promisedCents: sum.meta({ description: ofOne('what is promised and not paid yet') }),
    promisedOn: isoDay
      .nullable()
      .optional()
      .meta({ description: ofOne('the first day of a promise') }),
    disputedCents: sum.meta({ description: ofOne('what is disputed, and still open') }),
    disputedInvoices: sum.meta({ description: ofOne('how many invoices are disputed') }),
    ageing: z
      .array(AgeingBucket)
      .nullable()
      .optional()
      .meta({ description: ofOne('what is open, in five buckets, what is not due first') }),
    oldestDueDate: z
      .string()
      .nullable()
      .meta({ format: 'date', description: 'Of the open invoices whose amicable stage runs' }),
    oldestDaysOverdue: z
      .int()
      .nullable()
      .meta({ description: 'Days past that day, where the company is; negative before' }),
    nextContact: NextContact.nullable().meta({
      description: 'The next message, after every rule; null if sending is stopped',
    }),
    heldBy: z
      .array(z.enum(holds))
      .meta({ description: 'What holds recoveries of this debtor; of the first thousand open ones' }),
    riskLevel: z.enum(riskLevels).nullable().meta({ description: 'As last computed; null before that' }),
    attention: Attention,
  })
  .meta({ id: 'DebtorAccount' })
