import { isNaturalPerson } from '../../../domain/debtor-type.ts'
import { anchorOf, planFirstStep } from '../../../domain/recovery/plan-step.ts'
import { selectCascade } from '../../../domain/recovery/select-cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { findCompanyWithCascades } from '../../access/companies/company.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { recordPause } from '../case/change-recovery.ts'
import { workflowStarted } from '../case/invoice-events.ts'
import {
  changeRecovery,
  dueWhileStanding,
  invoiceEventData,
  type LockedRecoveryRow,
  type OpenRecovery,
  type OperationContext,
  planningContextOf,
  standingHolds,
} from '../case/open-recovery.ts'
import { balanceOfRecovery } from '../case/recovery-store.ts'
import { dueColumns } from '../case/save-recoveries.ts'

const selectScore = sql('workflow.find-score', 'select score from debtor_scores where debtor_id = $1')

/** The stored score of a debtor; null if it was never computed. */
const findStoredScore = async (tx: Tx, debtorId: string): Promise<number | null> =>
  (await tx.rows(selectScore, [debtorId]))[0]?.score ?? null

export interface PreparedStart {
  next: LockedRecoveryRow
  execute(): void
}

/** Starts a pending recovery: selects the cascade, counts its days from now, and plans the first step. */
export async function prepareStart(
  context: OperationContext,
  recovery: OpenRecovery,
): Promise<PreparedStart> {
  const { tx, actor, now } = context
  const { row, file } = recovery
  const [company, score] = await Promise.all([
    findCompanyWithCascades(tx, actor.companyId),
    findStoredScore(tx, row.debtor_id),
  ])
  const amount = balanceOfRecovery(row)
  const cascade = selectCascade(
    { type: file.type, isNaturalPerson: isNaturalPerson(file.type, file.name), amount, score },
    company.own_cascades,
  )
  const { rules, seed } = planningContextOf(recovery, now)
  // A hold of the debtor, or a dispute from before the start, applies at once: no reminder is sent.
  const holds = standingHolds(recovery, now)
  const isHeld = holds.length > 0
  const planned = isHeld
    ? dueWhileStanding(recovery, holds)
    : planFirstStep(rules, cascade, row.due_date, now, seed)
  const changes: Partial<LockedRecoveryRow> = {
    status: isHeld ? 'paused' : 'in_recovery',
    holds,
    paused_at: isHeld ? now : null,
    cascade: cascade.name,
    cascade_version: cascade.version,
    step: 0,
    attempt: 0,
    started_at: now,
    anchor_at: anchorOf(rules.calendar, now, row.due_date),
    ...dueColumns(planned),
  }
  const isOwn = company.own_cascades.some(own => own.name === cascade.name)
  return {
    next: { ...row, ...changes, cascade_steps: isOwn ? [...cascade.steps] : null },
    execute() {
      changeRecovery(context, recovery, changes)
      const started = newEvent(workflowStarted, row.invoice_id, {
        ...invoiceEventData(recovery),
        cascade: cascade.name,
        cascadeVersion: cascade.version,
        startedAt: iso(now),
        nextAction: isHeld || planned.at === null ? null : cascade.steps[0]!.name,
        // Other invoices of the debtor have a plan, which this one changes.
        nextActionAt:
          isHeld || planned.at === null || recovery.agenda?.wake_at != null ? null : iso(planned.at),
      })
      recordEvents(tx, [started], context)
      if (isHeld) recordPause(context, recovery, holds[0]!)
    },
  }
}
