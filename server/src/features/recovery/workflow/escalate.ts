import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import { splitClaim } from '../../../domain/money/late-payment.ts'
import { type EscalationVerdict, judgeEscalation } from '../../../domain/recovery/escalation.ts'
import { routeOf } from '../../../domain/recovery/formal-notice.ts'
import { nothingDue } from '../../../domain/recovery/hold.ts'
import { channelOf, type PlanningContext } from '../../../domain/recovery/next-step.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { contactFile } from '../case/debtor-file.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import { alreadyEscalated, courtNotPossible, firstContactPending, messageLeaving } from '../case/errors.ts'
import { type ActionEffect, judicialStarted } from '../case/events.ts'
import { type Moment, planWhenOverdue } from '../case/extra-message.ts'
import { addActions } from '../case/history.ts'
import type { HistoryFact } from '../case/history-codes.ts'
import {
  changeInvoiceFacts,
  changeRecovery,
  invoiceEventData,
  type LockedRecoveryRow,
  type OpenRecovery,
  type OperationContext,
  planningContextOf,
} from '../case/open-recovery.ts'
import { balanceOfRecovery, progressOf, type RecoveryRow, reachOfRecovery } from '../case/recovery-store.ts'
import { dueColumns } from '../case/save-recoveries.ts'
import { type StopResult, stopMessages } from '../case/stop-messages.ts'

export interface Escalation {
  next: LockedRecoveryRow
  fact: HistoryFact
  effect: ActionEffect
  execute(): Promise<StopResult>
}

const selectStepMessage = sql(
  'workflow.find-own-message',
  `select c.id, c.state, c.lead_invoice_id = $1
            or not exists (select from communication_invoices o where o.communication_id = c.id and o.invoice_id <> $1) as is_over
     from recoveries r join communications c on c.tenant_id = r.tenant_id and c.id = r.communication_id
    where r.invoice_id = $1`,
).as<{ id: string; state: string; is_over: boolean }>()

/** Where an escalation of this recovery leads now, or why it leads nowhere. */
export function escalationOf(
  row: RecoveryRow,
  file: DebtorFile,
  now: number,
  isNoticeConfirmed = false,
): EscalationVerdict {
  const zone = contactFile(file, null).calendar?.zones[0] ?? 'UTC'
  return judgeEscalation({
    progress: progressOf(row),
    lastStep: row.last_action,
    reach: reachOfRecovery(row, file),
    isDisputed: row.disputed_at !== null,
    isNoticeConfirmed,
    limitationEnds: row.limitation_ends_on,
    today: localTime(zone, now).date,
    now,
  })
}

/** The next allowed moment of the step an escalation leads to; null if it waits for that moment already, so nothing would move. */
export function planEscalation(
  rules: ContactFile,
  row: RecoveryRow & { debtor_id: string },
  target: number,
  { reach, now }: Pick<PlanningContext, 'reach' | 'now'>,
): Moment | null {
  const step = progressOf(row).cascade.steps[target]!
  const planned = planWhenOverdue(rules, row, { name: step.name, channel: channelOf(step, reach) }, now)
  const isSooner = (planned.at ?? Infinity) < (row.due_at ?? Infinity)
  return target > row.step || isSooner ? planned : null
}

/**
 * Escalates to the next more intrusive step that can be sent, or ends the amicable stage if none is left or the time of the formal
 * notice is over.
 */
export async function prepareEscalation(
  context: OperationContext,
  recovery: OpenRecovery,
  isNoticeConfirmed: boolean,
): Promise<Escalation> {
  const verdict = escalationOf(recovery.row, recovery.file, context.now, isNoticeConfirmed)
  if (verdict.to === 'court') return endAmicableStage(context, recovery, isNoticeConfirmed)
  if (verdict.to === null && verdict.because === 'court')
    throw courtNotPossible.make(verdict.missing, recovery.row.notice_channel)
  // A message that is being sent may be the first contact, so it is looked at before.
  const [message] = await context.tx.rows(selectStepMessage, [recovery.row.invoice_id])
  if (message && message.state !== 'reserved') throw messageLeaving.make()
  if (verdict.to === null) throw firstContactPending.make()
  return escalateToStep(context, recovery, verdict.step, message?.is_over ? [message.id] : [])
}

function escalateToStep(
  context: OperationContext,
  recovery: OpenRecovery,
  target: number,
  cancelled: readonly string[],
): Escalation {
  const { tx, now, newId } = context
  const { row } = recovery
  const { cascade } = progressOf(row)
  // The message that is cancelled now frees its day.
  const rules = contactFile(recovery.file, recovery.agenda, cancelled)
  const step = cascade.steps[target]!
  const planned = planEscalation(rules, row, target, planningContextOf(recovery, now))
  if (!planned) throw alreadyEscalated.make(step.name)
  const changes = {
    step: target,
    attempt: 0,
    not_before: null,
    ...dueColumns({ ...planned, because: planned.because ?? 'escalated' }),
  }
  return {
    next: { ...row, ...changes },
    fact: { code: 'escalated', params: { step: step.name } },
    effect: 'escalated',
    async execute() {
      const stopped = await stopMessages(context, recovery, 'escalated', 'step')
      changeRecovery(context, recovery, changes)
      addActions(
        tx,
        cascade.steps.slice(row.step, target).map(skipped => ({
          id: newId(),
          invoiceId: row.invoice_id,
          action: skipped.name,
          channel: skipped.channel,
          status: 'skipped',
          code: 'step_jumped',
          params: {},
          debtorId: row.debtor_id,
          actor: context.actor,
          communicationId: null,
          at: now,
        })),
      )
      return stopped
    },
  }
}

/** Nothing is filed by it: that is an act of the creditor, who may record it. */
function endAmicableStage(
  context: OperationContext,
  recovery: OpenRecovery,
  isNoticeConfirmed: boolean,
): Escalation {
  const { now } = context
  const { row, file } = recovery
  const route = routeOf(file.type, {
    principal: balanceOfRecovery(row),
    interest: splitClaim(row.claimed_cents).interest,
  })
  const changes = { status: 'judicial' as const, ...dueColumns(nothingDue) }
  return {
    next: { ...row, ...changes },
    fact: {
      code: 'judicial',
      params: {
        route,
        limitationOn: row.limitation_ends_on,
        ...(isNoticeConfirmed && { isNoticeConfirmed }),
      },
    },
    effect: 'judicial',
    async execute() {
      const stopped = await stopMessages(context, recovery, 'judicial')
      changeInvoiceFacts(context, recovery, { judicial_at: now }, 'escalate')
      changeRecovery(context, recovery, changes)
      const started = newEvent(judicialStarted, row.invoice_id, {
        ...invoiceEventData(recovery),
        route,
        startedAt: iso(now),
      })
      recordEvents(context.tx, [started], context)
      return stopped
    },
  }
}
