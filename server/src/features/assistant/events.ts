import { z } from 'zod'
import { defineEvent } from '../../kit/events.ts'
import { dateTime, outputUuid } from '../../kit/fields.ts'
import { aboutInvoice } from '../invoices/events.ts'
import { paidInTheEnd } from '../invoices/example-invoices.ts'

export const cascadeAction = defineEvent({
  type: 'cascade.action',
  schemaVersion: 1,
  summary:
    'Cascade action executed by the assistant (pause, resume, escalation, message); the assistant that tells it is still to come',
  data: z.object({
    ...aboutInvoice,
    action: z.enum(['pause', 'resume', 'escalate', 'message']),
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
