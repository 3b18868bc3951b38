import { z } from 'zod'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { paidInTheEnd } from './example-invoices.ts'
import { invoiceEventFields } from './invoice-events.ts'

const actionNames = ['start', 'pause', 'resume', 'cancel', 'escalate', 'message'] as const
export type CascadeActionName = (typeof actionNames)[number]

export const cascadeAction = defineEvent({
  type: 'cascade.action',
  schemaVersion: 1,
  summary: 'Action on a recovery executed by the assistant, after a person confirmed it',
  data: z.object({
    ...invoiceEventFields,
    action: z.enum(actionNames),
    actionAt: dateTime,
    conversationId: outputUuid,
    summary: z.string().optional().meta({ description: 'What was done, in a sentence' }),
  }),
  example: {
    ...paidInTheEnd,
    action: 'pause',
    actionAt: '2026-11-10T09:06:14.000Z',
    conversationId: '01a1c4b4-1a60-7bf9-a8c2-71d3e5094fb6',
    summary: 'Paused until 17 November, as the debtor announced a transfer',
  },
})
