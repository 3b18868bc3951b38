import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { actObstacles, acts } from '../../../domain/recovery/acts.ts'
import { cascadeOf, type Step, stepNames, stepOutcomeOf } from '../../../domain/recovery/cascade.ts'
import {
  type Hold,
  holds,
  type RecoveryStatus,
  recoveryStatuses,
} from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { type StopReason, stopReasonSql } from '../../access/companies/stops.ts'
import { reachOf } from '../case/debtor-file.ts'
import {
  closedChannelsSql,
  type DebtorFile,
  missingChannelsSql,
  pointsOfDebtorSql,
} from '../case/debtor-file-store.ts'
import { pausedText, reasonCodes, reasonText } from '../case/reason-texts.ts'
import { balanceOfRecovery } from '../case/recovery-store.ts'

/** The codes of everything that may block the next action. */
export const obstacles: readonly string[] = [...new Set([...holds, ...reasonCodes])]

export const Workflow = z
  .object({
    invoiceId: outputUuid,
    status: z.enum(recoveryStatuses),
    currentStep: z
      .enum(stepNames)
      .nullable()
      .meta({ description: 'The step awaiting execution; the last executed one when none remains' }),
    startedAt: dateTime.nullable(),
    actionsCompleted: z.int().meta({ description: 'Communications accepted by a provider' }),
    nextActionAt: dateTime
      .nullable()
      .meta({ description: 'Planned time of the next action, within legal hours' }),
  })
  .meta({ id: 'Workflow' })

export const NextAction = z
  .object({
    invoiceId: outputUuid,
    nextAction: z.enum(stepNames).nullable(),
    scheduledAt: dateTime.nullable(),
    channel: z.enum(channels).nullable(),
    reason: z.string(),
    reasonCode: z.enum(reasonCodes),
    blockedBy: z.array(z.enum(obstacles)).meta({
      description:
        'What stands in the way: the holds of a paused recovery, or the rule that moved the moment',
    }),
  })
  .meta({ id: 'NextAction' })

type RecoverySummaryRow = Pick<
  Tables['recoveries'],
  | 'invoice_id'
  | 'cascade'
  | 'cascade_version'
  | 'step'
  | 'started_at'
  | 'due_at'
  | 'due_because'
  | 'actions_completed'
> & {
  status: RecoveryStatus
  holds: readonly Hold[]
  cascade_steps: Step[] | null
  is_sending: boolean
  /** The debtor's next wake-up in the tenant's time; later than `due_at` if another message has to be sent first. */
  look_at: number | null
  look_because: string | null
  parked_because: string | null
  stop_reason: StopReason | null
}

const summaryColumns = `r.invoice_id, r.status, r.holds, r.cascade, r.cascade_version, r.step, r.started_at, r.due_at, r.due_because, r.actions_completed,
          (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps,
          r.communication_id is not null as is_sending,
          a.wake_at + (t.clock_offset_ms + n.clock_offset_ms) * interval '1 millisecond' as look_at,
          a.wake_because as look_because, a.parked_because, ${stopReasonSql} as stop_reason`
const summarySource = `recoveries r
     join tenants t on t.id = r.tenant_id
     cross join installation n
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id`

const selectSummary = sql(
  'workflow.get',
  `select ${summaryColumns} from ${summarySource} where r.invoice_id = $1`,
).as<RecoverySummaryRow>()

/** A recovery with the data that decide how its next step is sent: how the debtor can be reached, and the balance. */
export type ReachableRecoveryRow = RecoverySummaryRow &
  Pick<DebtorFile, 'phone' | 'address' | 'postal_code' | 'city' | 'closed' | 'missing'> &
  Pick<Tables['invoices'], 'amount_cents' | 'credited_cents' | 'paid_cents'>

export const reachableColumns = `${summaryColumns}, d.phone, d.address, d.postal_code, d.city, i.amount_cents, i.credited_cents,
          i.paid_cents, x.closed, ${missingChannelsSql} as missing`
export const reachableSource = `from ${summarySource}
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
     ${pointsOfDebtorSql}
     ${closedChannelsSql}`

const selectReachable = sql(
  'workflow.get-reachable',
  `select ${reachableColumns} ${reachableSource} where r.invoice_id = $1`,
).as<ReachableRecoveryRow>()

export const findRecovery = async (tx: Tx, invoiceId: string): Promise<RecoverySummaryRow | null> =>
  (await tx.rows(selectSummary, [invoiceId]))[0] ?? null

/** The next step, its moment and the reason: the moment of the step, or a later one because another contact comes first. */
function nextMomentOf(recovery: RecoverySummaryRow) {
  const step =
    recovery.started_at === null
      ? null
      : (cascadeOf(recovery.cascade, recovery.cascade_version, recovery.cascade_steps).steps[recovery.step] ??
        null)
  if (recovery.status !== 'in_recovery' || recovery.due_at === null)
    return { step, at: null, because: recovery.due_because }
  if (recovery.stop_reason !== null) return { step, at: null, because: recovery.stop_reason }
  if (recovery.parked_because !== null) return { step, at: null, because: recovery.parked_because }
  const waitsForAgenda =
    !recovery.is_sending && recovery.look_at !== null && recovery.look_at > recovery.due_at
  return waitsForAgenda
    ? { step, at: recovery.look_at, because: recovery.look_because }
    : { step, at: recovery.due_at, because: recovery.due_because }
}

export function toWorkflow(recovery: RecoverySummaryRow): z.input<typeof Workflow> {
  const { step, at } = nextMomentOf(recovery)
  return {
    invoiceId: recovery.invoice_id,
    status: recovery.status,
    currentStep: step?.name ?? null,
    startedAt: recovery.started_at === null ? null : iso(recovery.started_at),
    actionsCompleted: recovery.actions_completed,
    nextActionAt: at === null ? null : iso(at),
  }
}

export const findReachableRecovery = async (
  tx: Tx,
  invoiceId: string,
): Promise<ReachableRecoveryRow | null> => (await tx.rows(selectReachable, [invoiceId]))[0] ?? null

/** Reasons that do not block anything. */
const unblockedReasons = new Set(['cascade', 'escalated', 'on_its_way', 'awaiting_decision'])

export function toNextAction(recovery: ReachableRecoveryRow): z.input<typeof NextAction> {
  const { step, at, because } = nextMomentOf(recovery)
  const { invoice_id: invoiceId, status, holds: activeHolds } = recovery
  const noAction = { invoiceId, nextAction: null, scheduledAt: null, channel: null }
  if (status === 'paused')
    return { ...noAction, reason: pausedText(activeHolds), reasonCode: status, blockedBy: [...activeHolds] }
  if (status !== 'in_recovery')
    return { ...noAction, reason: reasonText(status), reasonCode: status, blockedBy: [] }
  const blockedBy = (code: string) => (unblockedReasons.has(code) ? [] : [code])
  if (at === null || step === null) {
    // After the last step, a person has to decide.
    const reasonCode = because ?? 'awaiting_decision'
    return { ...noAction, reason: reasonText(reasonCode), reasonCode, blockedBy: blockedBy(reasonCode) }
  }
  const outcome = stepOutcomeOf(step, reachOf(recovery, balanceOfRecovery(recovery)))
  const willBeSkipped = outcome.kind === 'skip' && !recovery.is_sending
  const reasonCode = recovery.is_sending
    ? 'on_its_way'
    : willBeSkipped
      ? outcome.because
      : (because ?? 'cascade')
  return {
    invoiceId,
    nextAction: step.name,
    scheduledAt: iso(at),
    channel: outcome.kind === 'send' ? outcome.channel : step.channel,
    reason: reasonText(reasonCode, willBeSkipped),
    reasonCode,
    blockedBy: blockedBy(reasonCode),
  }
}

export const InvoiceAct = z
  .object({
    act: z.enum(acts).meta({ description: 'What may be done' }),
    operation: z.string().meta({ description: 'The operation that does it' }),
    allowed: z.boolean().meta({
      description:
        'Whether it is possible as far as is known; the operation still checks its input: try it with `dryRun`',
    }),
    because: z.enum(actObstacles).nullable().meta({ description: 'Why not; null if it is allowed' }),
    heldBy: z.array(z.enum(holds)).meta({ description: 'With `held`: what has to end first' }),
  })
  .meta({ id: 'InvoiceAct', description: 'What may be done with an invoice as it stands, or why not' })

/** The state of the recovery of an invoice, shown with the invoice. */
export const RecoveryOfInvoice = z
  .object({
    status: z.enum(recoveryStatuses),
    step: z
      .enum(stepNames)
      .nullable()
      .meta({ description: 'The step awaiting execution; the last executed one when none remains' }),
    holds: z.array(z.enum(holds)).meta({ description: 'Why it is paused' }),
    nextActionAt: dateTime.nullable(),
    nextChannel: z.enum(channels).nullable(),
    reasonCode: z.enum(reasonCodes).meta({ description: 'Why it is planned for that moment, or not at all' }),
    daysOverdue: z
      .int()
      .meta({ description: 'Days past the due date, where the company is; negative before' }),
    limitationOn: z
      .string()
      .meta({ format: 'date', description: 'The last day on which a court would hear of it' }),
    claimedCents: z
      .int()
      .meta({ description: 'What the last message claimed for late payment, beside the invoice' }),
    claimed: z
      .array(
        z.object({
          kind: z.enum(['indemnity', 'interest']),
          amountCents: z.int(),
          basis: z.string().meta({ description: 'The article of the law it is claimed by' }),
        }),
      )
      .meta({ description: 'The same, each sum with its basis' }),
  })
  .meta({ id: 'RecoveryOfInvoice' })
