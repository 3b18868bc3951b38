import { z } from 'zod'
import { explainDue, forecastActions, type OngoingRecovery } from '../../../domain/recovery/forecast.ts'
import type { LookContext } from '../../../domain/recovery/look.ts'
import { recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import { outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import {
  contactFile,
  type DebtorFile,
  lookContextOf,
  type RecoveryRow,
  recoveryColumns,
  selectDebtorFile,
  selectWaitingExtras,
  selectWaitingRecoveries,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../case/debtor-file.ts'
import { invoiceNotFound } from '../case/invoice-errors.ts'
import { pausedText, reasonText } from '../case/reason-texts.ts'
import { planFields, toPlannedAction } from './planned-action.ts'

const Plan = z
  .object({ invoiceId: outputUuid, status: z.enum(recoveryStatuses), ...planFields })
  .meta({ id: 'WorkflowPlan' })

type PlanRow = RecoveryRow & {
  status: (typeof recoveryStatuses)[number]
  debtor_id: string
  started_at: number | null
  communication_id: string | null
  quiet_until: number | null
  parked_because: string | null
}

const selectPlanRow = sql(
  'workflow.get-plan',
  `select ${recoveryColumns}, r.debtor_id, r.started_at, r.communication_id, a.quiet_until, a.parked_because
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id
    where r.invoice_id = $1`,
).as<PlanRow>()

/** How many other invoices of the debtor are part of the forecast. */
const othersMax = 60

export const getPlan = operation({
  id: 'workflow.plan',
  method: 'GET',
  path: '/api/v1/workflow/invoice/:invoiceId/plan',
  summary: 'Read every action that is still to come, with its date, its channel and each reason it was moved',
  description:
    'As things stand: every message is taken to be accepted, nothing to be paid or heard of. Other open invoices of the debtor are played through with it, since they share its one contact a day.',
  scopes: ['workflow:read'],
  params: z.strictObject({ invoiceId: uuid }),
  status: 200,
  reply: Plan,
  errors: [invoiceNotFound],
  usesNow: true,
  assistant: 'read',
  async run({ tx, params, now }) {
    const [row] = await tx.rows(selectPlanRow, [params.invoiceId])
    if (!row) throw invoiceNotFound.make()
    const header = {
      invoiceId: row.invoice_id,
      status: row.status,
      cascade: row.cascade,
      cascadeVersion: row.cascade_version,
    }
    const emptyReason = row.status === 'in_recovery' ? (row.parked_because ?? stopReasonOf(row)) : row.status
    if (emptyReason !== null) {
      const reason = emptyReason === 'paused' ? pausedText(row.holds) : reasonText(emptyReason)
      return { ...header, actions: [], reason, reasonCode: emptyReason }
    }
    const [[file], waiting, extras] = await Promise.all([
      tx.rows(selectDebtorFile, [row.debtor_id]),
      tx.rows(selectWaitingRecoveries, [row.debtor_id]),
      tx.rows(selectWaitingExtras, [row.debtor_id]),
    ])
    if (!file) throw invoiceNotFound.make()
    if (file.stop_reason !== null)
      return { ...header, actions: [], reason: reasonText(file.stop_reason), reasonCode: file.stop_reason }
    // A message that is reserved or being sent is not counted against itself.
    const rules = contactFile(file, row, row.communication_id === null ? [] : [row.communication_id])
    const context = lookContextOf(file, rules, now)
    const others = waiting.filter(recovery => recovery.invoice_id !== row.invoice_id).slice(0, othersMax)
    const recoveries = [
      withExplainedDue(row, file, context),
      ...others.map(recovery => toOngoingRecovery(recovery, file)),
    ]
    const actions = forecastActions(recoveries, extras.map(waitingExtraOf), context)
    return {
      ...header,
      actions: actions.filter(action => action.invoiceId === row.invoice_id).map(toPlannedAction),
      reason: reasonText('planned'),
      reasonCode: 'planned',
    }
  },
})

const stopReasonOf = (row: PlanRow) => (row.due_at === null ? (row.due_because ?? 'awaiting_decision') : null)

function toOngoingRecovery(recovery: RecoveryRow, file: DebtorFile): OngoingRecovery {
  const waiting = waitingRecoveryOf(recovery, file)
  return { ...waiting, due: { ...waiting.due, shifts: [] } }
}

function withExplainedDue(
  row: PlanRow,
  file: DebtorFile,
  { rules, now, seed }: LookContext,
): OngoingRecovery {
  const recovery = toOngoingRecovery(row, file)
  if (row.communication_id !== null)
    return { ...recovery, due: { at: row.due_at, because: 'on_its_way', shifts: [] } }
  const past = { startedAt: row.started_at!, dueDate: row.due_date, lastAt: row.last_executed_at }
  const due = explainDue(recovery.progress, recovery.due, past, { rules, reach: recovery.reach, now, seed })
  return { ...recovery, due }
}
