import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { defineEvent, newEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { paidInTheEnd } from './example-invoices.ts'
import { invoiceEventFields } from './invoice-events.ts'
import { invoiceEventData, type OpenRecovery, type OperationContext } from './open-recovery.ts'

const actionNames = ['start', 'pause', 'resume', 'cancel', 'escalate', 'message'] as const
type CascadeActionName = (typeof actionNames)[number]

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

/** Records an event if the action comes from a conversation with the assistant; in the same transaction as the action. */
export function recordActionEvent(
  context: OperationContext,
  recovery: OpenRecovery,
  action: CascadeActionName,
  effect: ActionEffect,
  summary: string,
): void {
  const { conversationId } = context.actor
  if (conversationId === undefined) return
  const data = {
    ...invoiceEventData(recovery),
    action,
    actionAt: iso(context.now),
    conversationId,
    effect,
    summary,
  }
  recordEvents(context.tx, [newEvent(cascadeAction, recovery.row.invoice_id, data)], context)
}
