import { endRecovery, type InFlight } from './change-recovery.ts'
import { stepOf } from './debtor-file.ts'
import { changeInvoiceFacts, type OpenRecovery, type OperationContext } from './open-recovery.ts'

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
  changeInvoiceFacts(context, recovery, { cancelled_at: context.now }, 'cancel')
  const { inFlight, extras } = await endRecovery(context, recovery, 'cancelled', 'cancelled')
  const { cascade } = stepOf(recovery.row)
  const isStepSending = inFlight.some(({ action }) => action !== 'extra_message')
  const remainingSteps = cascade.steps.slice(recovery.row.step + (isStepSending ? 1 : 0))
  const planned = [...remainingSteps, ...extras].flatMap(({ channel }) => channel ?? [])
  return {
    inFlight,
    actionsCancelled: planned.length,
    voiceCallsCancelled: planned.filter(channel => channel === 'voice').length,
  }
}
