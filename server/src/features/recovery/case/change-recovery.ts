import { endHolds, nothingDue, type PauseEnd, startHold } from '../../../domain/recovery/hold.ts'
import { channelOf } from '../../../domain/recovery/next-step.ts'
import { planAt } from '../../../domain/recovery/plan-step.ts'
import { quietPeriodAfterResponse } from '../../../domain/recovery/promise.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { workflowPaused } from './debtor-events.ts'
import { workflowCompleted } from './events.ts'
import {
  changeRecovery,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  planningContextOf,
} from './open-recovery.ts'
import { pausedRecoveryOf, saveRecoveries, stepOf } from './recovery-store.ts'
import { changedRecoveries, changesOf, dueColumns, type RecoveryChanges } from './save-recoveries.ts'
import { type StopResult, stopMessages } from './stop-messages.ts'
import { type TimeBarFacts, timeBarChanges } from './time-bar-facts.ts'

/** Adds a hold to the recovery; it takes effect with the commit. */
export async function holdRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
  hold: Hold,
  end: PauseEnd | null = null,
): Promise<StopResult> {
  const stopped = await stopMessages(context, recovery, hold)
  const wasPaused = recovery.row.status === 'paused'
  changeRecovery(
    context,
    recovery,
    changesOf(startHold(pausedRecoveryOf(recovery.row), hold, end, context.now)),
  )
  if (!wasPaused && recovery.row.status === 'paused') recordPause(context, recovery, hold)
  return stopped
}

/** Records that a recovery was paused. A further hold of a paused recovery is not recorded. */
export function recordPause(context: OperationContext, recovery: OpenRecovery, cause: Hold): void {
  const { due_at: dueAt } = recovery.row
  const data = { ...invoiceEventData(recovery), cause, until: dueAt === null ? null : iso(dueAt) }
  recordEvents(context.tx, [newEvent(workflowPaused, data.invoiceId, data)], context)
}

/** The changes of a recovery when holds end; null if it was not paused. */
export function afterRelease(
  recovery: OpenRecovery,
  endedHolds: readonly Hold[],
  now: number,
): RecoveryChanges | null {
  const released = endHolds(pausedRecoveryOf(recovery.row), endedHolds, planningContextOf(recovery, now))
  return released && changesOf(released)
}

/** Ends holds. Without any other hold, the recovery continues. */
export function releaseHolds(
  context: OperationContext,
  recovery: OpenRecovery,
  endedHolds: readonly Hold[],
): void {
  const changes = afterRelease(recovery, endedHolds, context.now)
  if (changes) changeRecovery(context, recovery, changes)
}

/** Ends the recovery: nothing is planned any more. */
export async function endRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
  status: 'completed' | 'cancelled',
  outcome: 'paid' | 'written_off' | 'cancelled',
): Promise<StopResult> {
  const stopped = await stopMessages(context, recovery, outcome)
  changeRecovery(context, recovery, {
    status,
    outcome,
    ended_at: context.now,
    holds: [],
    paused_at: null,
    ...dueColumns(nothingDue),
  })
  recordEvents(
    context.tx,
    [
      newEvent(workflowCompleted, recovery.row.invoice_id, {
        ...invoiceEventData(recovery),
        outcome,
        completedAt: iso(context.now),
        actionsCompleted: recovery.row.actions_completed,
      }),
    ],
    context,
  )
  return stopped
}

const extendQuietPeriod = sql(
  'case.start-quiet-period',
  `update agendas set quiet_until = greatest(quiet_until, $3::timestamptz) where tenant_id = $1 and debtor_id = $2`,
)

/** Starts a quiet period for the debtor. It applies to every message, whichever invoice the message is about. */
export function startQuietPeriod({ tx, actor, now }: OperationContext, debtorId: string): number {
  const quietUntil = now + quietPeriodAfterResponse
  tx.atCommit(extendQuietPeriod, [actor.tenantId, debtorId, iso(quietUntil)])
  return quietUntil
}

/**
 * Records a response of the debtor: a quiet period of three days begins for every message to the debtor, and the waiting step
 * is planned again.
 */
export function recordDebtorResponse(context: OperationContext, recovery: OpenRecovery): void {
  const quietUntil = startQuietPeriod(context, recovery.row.debtor_id)
  changeRecovery(context, recovery, replanAfterQuiet(recovery, quietUntil, context.now))
}

function replanAfterQuiet(recovery: OpenRecovery, quietUntil: number, now: number): RecoveryChanges {
  const { row } = recovery
  if (row.status !== 'in_recovery' || row.due_at === null) return {}
  const { rules, reach, seed } = planningContextOf(recovery, now)
  const quiet = { ...rules, quietUntil: Math.max(quietUntil, rules.quietUntil ?? 0) }
  const due = planAt(quiet, channelOf(stepOf(row).step, reach), Math.max(row.due_at, now), seed)
  return due.at === null ? dueColumns(due) : { due_at: due.at, due_because: due.because ?? row.due_because }
}

/** Computes the time bar again after a fact it rests on has changed; `changed` has what this transaction has not written yet. */
export function restateTimeBar(
  context: OperationContext,
  recovery: OpenRecovery,
  changed: Partial<TimeBarFacts>,
): void {
  recovery.row = { ...recovery.row, ...changed }
  const { row, file, agenda } = recovery
  const changes = timeBarChanges(row, file, agenda, context.now)
  if (Object.keys(changes).length === 0) return
  if (agenda || recovery.unsaved) changeRecovery(context, recovery, changes)
  else {
    // Nothing of this debtor was ever started, so no agenda has to follow.
    recovery.row = { ...row, ...changes }
    context.tx.atCommit(saveRecoveries, changedRecoveries([{ invoiceId: row.invoice_id, changes }]))
  }
}
