import type { Channel } from '../../../domain/contact/channel.ts'
import { isRequested, stepOutcomeOf } from '../../../domain/recovery/cascade.ts'
import { endRecovery } from './change-recovery.ts'
import {
  changeInvoiceFacts,
  type OpenRecovery,
  type OperationContext,
  planningContextOf,
} from './open-recovery.ts'
import { stepOf } from './recovery-store.ts'
import type { InFlight } from './stop-messages.ts'

export interface CancelResult {
  inFlight: InFlight[]
  actionsCancelled: number
  voiceCallsCancelled: number
}

/**
 * Cancels a recovery for good and stops every message that is not with a provider yet. Counts the actions that were planned.
 */
export async function cancelRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
): Promise<CancelResult> {
  const steps = plannedSteps(recovery, context.now)
  changeInvoiceFacts(context, recovery, { cancelled_at: context.now }, 'cancel')
  const { inFlight, extras } = await endRecovery(context, recovery, 'cancelled', 'cancelled')
  const isStepSending = inFlight.some(({ action }) => !isRequested(action))
  const planned = [...steps.slice(isStepSending ? 1 : 0), ...extras]
  return {
    inFlight,
    actionsCancelled: planned.length,
    voiceCallsCancelled: planned.filter(channel => channel === 'voice').length,
  }
}

/**
 * The channels of the steps that would still be sent, without skipped ones; empty if nothing was planned. A step that waits
 * for a provider or an address ends the plan.
 */
function plannedSteps(recovery: OpenRecovery, now: number): Channel[] {
  const { row } = recovery
  if (row.status === 'in_recovery' && row.due_at === null) return []
  const { reach } = planningContextOf(recovery, now)
  const outcomes = stepOf(row)
    .cascade.steps.slice(row.step)
    .map(step => stepOutcomeOf(step, reach))
  const end = outcomes.findIndex(({ kind }) => kind === 'stand' || kind === 'wait')
  return outcomes
    .slice(0, end === -1 ? outcomes.length : end)
    .flatMap(outcome => (outcome.kind === 'send' ? [outcome.channel] : []))
}
