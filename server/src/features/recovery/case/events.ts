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
  summary: 'The amicable stage has ended, and the creditor may go to law; nothing was filed by it',
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

const actionNames = ['start', 'pause', 'resume', 'cancel', 'escalate', 'message'] as const

export type CascadeActionName = (typeof actionNames)[number]

const effects = [
  'started',
  'paused',
  'resumed',
  'cancelled',
  'escalated',
  'judicial',
  'message_planned',
] as const

export type ActionEffect = (typeof effects)[number]

export const cascadeAction = defineEvent({
  type: 'cascade.action',
  schemaVersion: 1,
  summary: 'Action on a recovery executed by the assistant, after a person confirmed it',
  data: z.object({
    ...invoiceEventFields,
    action: z.enum(actionNames),
    actionAt: dateTime,
    conversationId: outputUuid,
    effect: z.enum(effects).optional().meta({ description: 'What became of the recovery' }),
    summary: z.string().optional().meta({ description: 'What was done, in a sentence' }),
  }),
  example: {
    ...paidInTheEnd,
    action: 'pause',
    actionAt: '2026-11-10T09:06:14.000Z',
    conversationId: '01a1c4b4-1a60-7bf9-a8c2-71d3e5094fb6',
    effect: 'paused',
    summary: 'Paused until 17 November, as the debtor announced a transfer',
  },
})
