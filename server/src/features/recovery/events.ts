import { z } from 'zod'
import { courtRoutes } from '../../domain/formal-notice.ts'
import { defineEvent } from '../../kit/events.ts'
import { dateTime, outputUuid } from '../../kit/fields.ts'
import { aboutInvoice } from '../invoices/events.ts'

export const workflowCompleted = defineEvent({
  type: 'workflow.completed',
  schemaVersion: 1,
  summary: 'Recovery workflow finished: paid, written off or cancelled',
  data: z.object({
    ...aboutInvoice,
    outcome: z.enum(['paid', 'written_off', 'cancelled']),
    completedAt: dateTime,
    actionsCompleted: z.int(),
  }),
})

export const judicialStarted = defineEvent({
  type: 'judicial.started',
  schemaVersion: 1,
  summary: 'Judicial procedure started',
  data: z.object({ ...aboutInvoice, route: z.enum(courtRoutes), startedAt: dateTime }),
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
  data: z.object({ ...aboutInvoice, anrId: outputUuid, basis: z.enum(anrBases), createdAt: dateTime }),
})
