import { z } from 'zod'
import { explain, future, type Pursuit } from '../../../domain/recovery/future.ts'
import type { LookContext } from '../../../domain/recovery/look.ts'
import { recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import { outputUuid, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import {
  contactFile,
  type DebtorFile,
  lookContextOf,
  type OpenStep,
  openStepColumns,
  readFile,
  readWaiting,
  readWaitingExtras,
  waitingExtraOf,
  waitingRecoveryOf,
} from '../case/debtor-file.ts'
import { invoiceNotFound } from '../case/invoice-errors.ts'
import { inWords, pausedInWords } from '../case/words.ts'
import { planFields, toPlannedAction } from './future.ts'

const Plan = z
  .object({ invoiceId: outputUuid, status: z.enum(recoveryStatuses), ...planFields })
  .meta({ id: 'WorkflowPlan' })

type Planned = OpenStep & {
  status: (typeof recoveryStatuses)[number]
  debtor_id: string
  started_at: number | null
  communication_id: string | null
  quiet_until: number | null
  parked_because: string | null
}

const get = sql(
  'workflow.get-plan',
  `select ${openStepColumns}, r.debtor_id, r.started_at, r.communication_id, a.quiet_until, a.parked_because
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id
    where r.invoice_id = $1`,
).as<Planned>()

/** As many other invoices of the debtor as are played through with it; more would say the same, later. */
const othersMost = 60

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
    const [row] = await tx.rows(get, [params.invoiceId])
    if (!row) throw invoiceNotFound.make()
    const said = {
      invoiceId: row.invoice_id,
      status: row.status,
      cascade: row.cascade,
      cascadeVersion: row.cascade_version,
    }
    const why = row.status === 'in_recovery' ? (row.parked_because ?? stopped(row)) : row.status
    if (why !== null) {
      const reason = why === 'paused' ? pausedInWords(row.holds) : inWords(why)
      return { ...said, actions: [], reason, reasonCode: why }
    }
    const [[file], waiting, extras] = await Promise.all([
      tx.rows(readFile, [row.debtor_id]),
      tx.rows(readWaiting, [row.debtor_id]),
      tx.rows(readWaitingExtras, [row.debtor_id]),
    ])
    if (!file) throw invoiceNotFound.make()
    // A message on its way does not stand in its own way.
    const rules = contactFile(file, row, row.communication_id ?? undefined)
    const context = lookContextOf(file, rules, now)
    const others = waiting.filter(open => open.invoice_id !== row.invoice_id).slice(0, othersMost)
    const pursuits = [explained(row, file, context), ...others.map(open => pursuitOf(open, file))]
    const actions = future(pursuits, extras.map(waitingExtraOf), context)
    return {
      ...said,
      actions: actions.filter(action => action.invoiceId === row.invoice_id).map(toPlannedAction),
      reason: inWords('planned'),
      reasonCode: 'planned',
    }
  },
})

const stopped = (row: Planned) => (row.due_at === null ? (row.due_because ?? 'awaiting_decision') : null)

function pursuitOf(open: OpenStep, file: DebtorFile): Pursuit {
  const waiting = waitingRecoveryOf(open, file)
  return { ...waiting, due: { ...waiting.due, shifts: [] } }
}

function explained(row: Planned, file: DebtorFile, { rules, now, seed }: LookContext): Pursuit {
  const pursuit = pursuitOf(row, file)
  if (row.communication_id !== null)
    return { ...pursuit, due: { at: row.due_at, because: 'on_its_way', shifts: [] } }
  const past = { startedAt: row.started_at!, dueDate: row.due_date, lastAt: row.last_executed_at }
  const due = explain(pursuit.position, pursuit.due, past, { rules, reach: pursuit.reach, now, seed })
  return { ...pursuit, due }
}
