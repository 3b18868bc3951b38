import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { type ActionEffect, type CascadeActionName, cascadeAction } from './events.ts'
import { invoiceEventData, type OpenRecovery, type OperationContext } from './open-recovery.ts'

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
