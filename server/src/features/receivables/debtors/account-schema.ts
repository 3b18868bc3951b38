import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { holds } from '../../../domain/recovery/recovery-state.ts'
import { riskLevels } from '../../../domain/score/score.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { reasonCodes } from '../../recovery/case/reason-texts.ts'

export const DebtorAccount = z
  .object({
    currency: z.string().meta({ description: "The company's; sums in others are not in it" }),
    openCents: z.int().meta({ description: 'Principal still to be paid' }),
    openInvoices: z.int(),
    oldestDueDate: z
      .string()
      .nullable()
      .meta({ format: 'date', description: 'Of the open invoices whose amicable stage runs' }),
    oldestDaysOverdue: z
      .int()
      .nullable()
      .meta({ description: 'Days past that day, where the company is; negative before' }),
    nextContact: z
      .object({
        at: dateTime,
        channel: z.enum(channels),
        because: z.enum(reasonCodes).nullable().meta({ description: 'What moved it there' }),
        invoiceIds: z
          .array(outputUuid)
          .meta({ description: 'The invoices it is about, the leading one first' }),
      })
      .nullable()
      .meta({
        description: 'The next message, after every rule; null if sending is stopped',
      }),
    heldBy: z
      .array(z.enum(holds))
      .meta({ description: 'What holds recoveries of this debtor; of the first thousand open ones' }),
    riskLevel: z.enum(riskLevels).nullable().meta({ description: 'As last computed; null before that' }),
  })
  .meta({ id: 'DebtorAccount' })
