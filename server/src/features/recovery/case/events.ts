import { z } from 'zod'
import { courtRoutes } from '../../../domain/recovery/formal-notice.ts'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { givenUp, paidInTheEnd, takenToCourt } from './example-invoices.ts'
import { invoiceEventFields } from './invoice-events.ts'

export const workflowCompleted = defineEvent({
  type: 'workflow.completed',
  schemaVersion: 1,
  summary: 'Recovery workflow finished: paid, written off or cancelled',
  data: z.object({
    ...invoiceEventFields,
    outcome: z.enum(['paid', 'written_off', 'cancelled']),
    completedAt: dateTime,
    actionsCompleted: z.int(),
  }),
  example: {
    ...paidInTheEnd,
    outcome: 'paid',
    completedAt: '2026-11-20T10:30:00.000Z',
    actionsCompleted: 3,
  },
})

export const judicialStarted = defineEvent({
  type: 'judicial.started',
  schemaVersion: 1,
  summary: 'Judicial procedure started',
  data: z.object({ ...invoiceEventFields, route: z.enum(courtRoutes), startedAt: dateTime }),
  example: { ...takenToCourt, route: 'payment_order', startedAt: '2026-11-30T08:40:00.000Z' },
})

export const anrBases = [
  'amicable_failed',
  'liquidation',
  'untraceable',
  'enforcement_failed',
  'time_barred',
] as const

export const anrCreated = defineEvent({
  type: 'anr.created',
  schemaVersion: 1,
  summary: 'Notice of non-recovery generated',
  data: z.object({ ...invoiceEventFields, anrId: outputUuid, basis: z.enum(anrBases), createdAt: dateTime }),
  example: {
    ...givenUp,
    anrId: '01a20dcd-7b60-7ae8-94b1-2e7f60c8d513',
    basis: 'liquidation',
    createdAt: '2026-11-24T13:45:00.000Z',
  },
})
