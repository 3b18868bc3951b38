import { z } from 'zod'
import {
  explainDue,
  type FutureAction,
  forecastActions,
  type OngoingRecovery,
} from '../../../domain/recovery/forecast.ts'
import { type PauseLine, pauseCodes, pausesOf } from '../../../domain/recovery/pauses.ts'
import {
  type Hold,
  holds,
  type RecoveryStatus,
  type recoveryStatuses,
} from '../../../domain/recovery/recovery-state.ts'
import type { LookContext } from '../../../domain/recovery/waiting.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { contactFile, lookContextOf } from '../case/debtor-file.ts'
import { type DebtorFile, selectDebtorFile } from '../case/debtor-file-store.ts'
import { invoiceNotFound } from '../case/errors.ts'
import { pausedText, reasonText } from '../case/reason-texts.ts'
import {
  type ExtraMessage,
  type RecoveryRow,
  recoveryColumns,
  selectWaitingExtras,
  selectWaitingRecoveries,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../case/recovery-store.ts'
import { Plan, toPlannedActions } from './plan-schema.ts'

const PlanWithPauses = Plan.extend({
  now: dateTime.meta({ description: 'The moment the plan is made for' }),
  pauses: z
    .array(
      z.object({
        from: dateTime,
        until: dateTime
          .nullable()
          .meta({ description: 'When it ended or will end; null while that is not known' }),
        because: z.enum(holds),
      }),
    )
    .meta({ description: 'When the recovery was held, the oldest first' }),
}).meta({ id: 'WorkflowPlanWithPauses' })

type PlanRow = RecoveryRow & {
  status: (typeof recoveryStatuses)[number]
  debtor_id: string
  started_at: number | null
  communication_id: string | null
  quiet_until: number | null
  parked_because: string | null
}

const selectPlanRows = sql(
  'workflow.get-plan',
  `select ${recoveryColumns}, r.debtor_id, r.started_at, r.communication_id, a.quiet_until, a.parked_because
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id
    where r.invoice_id = any ($1::uuid[]) order by r.invoice_id`,
).as<PlanRow>()

const findDebtor = sql(
  'workflow.find-debtor-of-plan',
  'select debtor_id from recoveries where invoice_id = any ($1::uuid[]) order by invoice_id limit 1',
)

export const getPlan = operation({
  id: 'workflow.plan',
  method: 'GET',
  path: '/api/v1/workflow/invoice/:invoiceId/plan',
  summary: 'Read every action that is still to come, with its date, its channel and each reason it was moved',
  description:
    'A forecast: it assumes that every message is accepted and that nothing is paid or answered. It includes the other open invoices of the debtor, because they share one contact a day.',
  scopes: ['workflow:read'],
  params: z.strictObject({ invoiceId: uuid }),
  status: 200,
  reply: PlanWithPauses,
  errors: [invoiceNotFound],
  usesNow: true,
  assistant: 'read',
  async run({ tx, params, now }) {
    const [[plan], pauses] = await Promise.all([
      plansOf(tx, [params.invoiceId], now),
      readPauses(tx, params.invoiceId, now),
    ])
    if (!plan) throw invoiceNotFound.make()
    return { ...plan, now: iso(now), pauses }
  },
})

const selectPauses = sql(
  'workflow.list-pauses',
  `select r.status, r.holds, r.paused_at, r.due_at, r.ended_at,
          coalesce((select jsonb_agg(jsonb_build_object('at', floor(extract(epoch from a.executed_at) * 1000), 'code', a.code,
                             'params', a.params) order by a.executed_at, a.id)
                      from actions a where a.invoice_id = r.invoice_id and a.code = any ($2::text[])), '[]') as lines
     from recoveries r where r.invoice_id = $1`,
).as<{
  status: RecoveryStatus
  holds: readonly Hold[]
  paused_at: number | null
  due_at: number | null
  ended_at: number | null
  lines: PauseLine[]
}>()

async function readPauses(tx: Tx, invoiceId: string, now: number) {
  const [row] = await tx.rows(selectPauses, [invoiceId, pauseCodes])
  if (!row) return []
  const recovery = {
    isPaused: row.status === 'paused',
    holds: row.holds,
    pausedAt: row.paused_at,
    dueAt: row.due_at,
    endedAt: row.ended_at,
  }
  return pausesOf(row.lines, recovery, now).map(({ from, until, because }) => ({
    from: iso(from),
    until: until === null ? null : iso(until),
    because,
  }))
}

/** The current plans of invoices of one debtor; invoices that do not exist have none. */
export async function plansOf(
  tx: Tx,
  invoiceIds: readonly string[],
  now: number,
): Promise<z.input<typeof Plan>[]> {
  const [found] = await tx.rows(findDebtor, [invoiceIds])
  if (!found) return []
  // Together, so that they see one snapshot: a message that leaves now is either still planned or a contact, never both.
  const [rows, [file], waiting, extras] = await Promise.all([
    tx.rows(selectPlanRows, [invoiceIds]),
    tx.rows(selectDebtorFile, [found.debtor_id]),
    tx.rows(selectWaitingRecoveries, [found.debtor_id]),
    tx.rows(selectWaitingExtras, [found.debtor_id]),
  ])
  const planned = rows.filter(row => emptyReasonOf(row) === null)
  if (planned.length === 0) return rows.map(row => emptyPlan(row, emptyReasonOf(row)!))
  if (!file) return []
  const actions = file.stop_reason === null ? forecast(planned, file, waiting, extras, now) : []
  return rows.map(row => {
    const own = actions.filter(action => action.invoiceId === row.invoice_id)
    // A requested message may be planned for an invoice whose cascade waits for a person.
    const isOver = own.length === 0 && row.due_at === null
    const emptyReason =
      emptyReasonOf(row) ?? file.stop_reason ?? (isOver ? (row.due_because ?? 'awaiting_decision') : null)
    if (emptyReason !== null) return emptyPlan(row, emptyReason)
    return {
      ...headerOf(row),
      actions: toPlannedActions(own),
      ...(row.status === 'paused'
        ? { reason: pausedText(row.holds), reasonCode: 'paused' }
        : { reason: reasonText('planned'), reasonCode: 'planned' }),
    }
  })
}

function forecast(
  planned: readonly PlanRow[],
  file: DebtorFile,
  waiting: readonly RecoveryRow[],
  extras: readonly ExtraMessage[],
  now: number,
): FutureAction[] {
  // A message that is reserved or being sent is not counted against itself.
  const uncounted = planned.flatMap(({ communication_id }) => communication_id ?? [])
  const context = lookContextOf(file, contactFile(file, planned[0]!, uncounted), now)
  const others = waiting.filter(
    recovery => !planned.some(({ invoice_id }) => invoice_id === recovery.invoice_id),
  )
  const recoveries = [
    ...planned.map(row => withExplainedDue(row, file, context)),
    ...others.map(recovery => toOngoingRecovery(recovery, file)),
  ]
  return forecastActions(
    recoveries,
    extras.map(extra => waitingExtraOf(extra, file)),
    context,
  )
}

const headerOf = (row: PlanRow) => ({
  invoiceId: row.invoice_id,
  status: row.status,
  cascade: row.cascade,
  cascadeVersion: row.cascade_version,
})

const emptyPlan = (row: PlanRow, reasonCode: string): z.input<typeof Plan> => ({
  ...headerOf(row),
  actions: [],
  reason: reasonCode === 'paused' ? pausedText(row.holds) : reasonText(reasonCode),
  reasonCode,
})

/** A pause that ends by itself is part of the plan. */
const emptyReasonOf = (row: PlanRow): string | null =>
  row.status === 'in_recovery' || (row.status === 'paused' && row.due_at !== null)
    ? row.parked_because
    : row.status

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
