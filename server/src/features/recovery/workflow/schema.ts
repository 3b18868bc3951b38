import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { actObstacles, acts } from '../../../domain/recovery/acts.ts'
import { cascadeOf, type Step, stepNames } from '../../../domain/recovery/cascade.ts'
import type { NextThing } from '../../../domain/recovery/debtor-plan.ts'
import {
  type Hold,
  holds,
  isRunning,
  type RecoveryStatus,
  recoveryStatuses,
} from '../../../domain/recovery/recovery-state.ts'
import { standingOf, standings } from '../../../domain/recovery/standing.ts'
import { timeBarCauses } from '../../../domain/recovery/time-bar.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { type StopReason, stopReasonSql } from '../../access/companies/stops.ts'
import { computePlans, mustBePlannedSql } from '../case/debtor-plan.ts'
import { pausedText, reasonCodes, reasonText } from '../case/reason-texts.ts'

/** The codes of everything that may block the next action. */
export const obstacles: readonly string[] = [...new Set([...holds, ...reasonCodes])]

const standing = z.enum(standings).meta({
  description: '`decide` waits for a person, `held:` names the first cause of a pause',
})

export const Workflow = z
  .object({
    invoiceId: outputUuid,
    status: z.enum(recoveryStatuses),
    standing,
    currentStep: z
      .enum(stepNames)
      .nullable()
      .meta({ description: 'The step awaiting execution; the last executed one when none remains' }),
    startedAt: dateTime.nullable(),
    actionsCompleted: z.int().meta({ description: 'Communications accepted by a provider' }),
    nextActionAt: dateTime
      .nullable()
      .meta({ description: 'Planned time of the next action, within contact hours' }),
  })
  .meta({ id: 'Workflow' })

export const SkippedAction = z
  .object({ action: z.enum(stepNames), reasonCode: z.enum(reasonCodes), reason: z.string() })
  .meta({ id: 'SkippedAction' })

/** While a recovery is paused nothing is its next action. What follows a pause that ends by itself is known all the same. */
const afterPause = z
  .object({ action: z.enum(stepNames), at: dateTime, channel: z.enum(channels).nullable() })
  .meta({ id: 'AfterPause' })
  .nullable()
  .meta({ description: 'What follows a pause that ends by itself' })

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
    withInvoiceId: outputUuid.nullable().meta({
      description: 'Its message carries the action; null: a message of its own',
    }),
    skipped: z.array(SkippedAction).meta({ description: 'Steps left out before it' }),
    afterPause,
  })
  .meta({ id: 'NextAction' })

export type RecoverySummaryRow = Pick<
  Tables['recoveries'],
  | 'invoice_id'
  | 'debtor_id'
  | 'cascade'
  | 'cascade_version'
  | 'step'
  | 'started_at'
  | 'due_at'
  | 'due_because'
  | 'actions_completed'
  | 'last_action'
> & {
  status: RecoveryStatus
  holds: readonly Hold[]
  due_channel: Channel | null
  cascade_steps: Step[] | null
  is_sending: boolean
  /** What is planned for it; null: its step at its own moment, and nothing else waits for the debtor. */
  planned: NextThing | null
  is_unplanned: boolean
  look_because: string | null
  parked_because: string | null
  stop_reason: StopReason | null
}

export const summaryColumns = `r.invoice_id, r.debtor_id, r.status, r.holds, r.cascade, r.cascade_version, r.step, r.started_at, r.due_at, r.due_because,
          r.due_channel, r.actions_completed, r.last_action,
          (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps,
          r.communication_id is not null as is_sending, a.plan -> 'next' -> r.invoice_id::text as planned,
          ${mustBePlannedSql} as is_unplanned, a.wake_because as look_because, a.parked_because, ${stopReasonSql} as stop_reason`
export const summarySource = `recoveries r
     join tenants t on t.id = r.tenant_id
     cross join installation n
     left join agendas a on a.tenant_id = r.tenant_id and a.debtor_id = r.debtor_id`

const selectSummary = sql(
  'workflow.get',
  `select ${summaryColumns} from ${summarySource} where r.invoice_id = $1`,
).as<RecoverySummaryRow>()

export async function findRecovery(
  tx: Tx,
  tenantId: string,
  invoiceId: string,
  clock: () => number,
): Promise<RecoverySummaryRow | null> {
  const rows = await tx.rows(selectSummary, [invoiceId])
  return (await withCurrentPlans(tx, tenantId, rows, clock))[0] ?? null
}

/** The plan of a debtor whose facts have just changed is not stored yet: it is computed. */
export async function withCurrentPlans<Row extends RecoverySummaryRow>(
  tx: Tx,
  tenantId: string,
  rows: readonly Row[],
  clock: () => number,
): Promise<Row[]> {
  const isToCompute = (row: Row) => row.is_unplanned && !row.is_sending && row.due_at !== null
  const debtorIds = [...new Set(rows.filter(isToCompute).map(row => row.debtor_id))]
  if (debtorIds.length === 0) return [...rows]
  const plans = await computePlans(tx, tenantId, debtorIds, clock())
  return rows.map(row =>
    isToCompute(row) ? { ...row, planned: plans.get(row.debtor_id)?.next.get(row.invoice_id) ?? null } : row,
  )
}

/** The step that waits; null before the start. */
const stepOf = (recovery: RecoverySummaryRow): Step | null =>
  recovery.started_at === null
    ? null
    : (cascadeOf(recovery.cascade, recovery.cascade_version, recovery.cascade_steps).steps[recovery.step] ??
      null)

const messageOnItsWay = 'message_on_its_way'

/** What happens next, or why nothing does. */
function nextThingOf(recovery: RecoverySummaryRow): NextThing | { kind: null; because: string | null } {
  const { status, due_at: at, due_because: because, stop_reason, parked_because, planned } = recovery
  const step = stepOf(recovery)
  if (status !== 'in_recovery' || at === null || step === null) return { kind: null, because }
  if (stop_reason !== null) return { kind: null, because: stop_reason }
  if (parked_because !== null) return { kind: null, because: parked_because }
  const own = { kind: 'send' as const, step: step.name, at, channel: recovery.due_channel, skipped: [] }
  const leadInvoiceId = recovery.invoice_id
  if (recovery.is_sending) return { ...own, because: 'on_its_way', leadInvoiceId }
  if (planned?.kind === 'stand') return { kind: null, because: planned.because }
  const next = planned ?? { ...own, because, leadInvoiceId }
  // What follows depends on the outcome of that message; the plan assumes that it is accepted.
  return recovery.look_because === messageOnItsWay ? { ...next, because: messageOnItsWay } : next
}

export function toWorkflow(recovery: RecoverySummaryRow): z.input<typeof Workflow> {
  const next = nextThingOf(recovery)
  return {
    invoiceId: recovery.invoice_id,
    status: recovery.status,
    standing: standingOf(recovery, recovery.due_at !== null),
    currentStep: (isRunning(recovery.status) ? stepOf(recovery)?.name : recovery.last_action) ?? null,
    startedAt: recovery.started_at === null ? null : iso(recovery.started_at),
    actionsCompleted: recovery.actions_completed,
    nextActionAt: next.kind === null ? null : iso(next.at!),
  }
}

/** Reasons that do not block anything. */
const unblockedReasons = new Set(['cascade', 'escalated', 'grouped', 'on_its_way', 'awaiting_decision'])

export function toNextAction(recovery: RecoverySummaryRow): z.input<typeof NextAction> {
  const next = nextThingOf(recovery)
  const { invoice_id: invoiceId, status, holds: activeHolds } = recovery
  const noAction = {
    invoiceId,
    nextAction: null,
    scheduledAt: null,
    channel: null,
    withInvoiceId: null,
    skipped: [],
    afterPause: null,
  }
  if (status === 'paused') {
    const why = { reason: pausedText(activeHolds), reasonCode: status, blockedBy: [...activeHolds] }
    return { ...noAction, ...why, afterPause: afterPauseOf(recovery) }
  }
  if (status !== 'in_recovery')
    return { ...noAction, reason: reasonText(status), reasonCode: status, blockedBy: [] }
  const blockedBy = (code: string) => (unblockedReasons.has(code) ? [] : [code])
  // After the last step, a person has to decide.
  const reasonCode = next.because ?? (next.kind === null ? 'awaiting_decision' : 'cascade')
  const why = { reason: reasonText(reasonCode), reasonCode, blockedBy: blockedBy(reasonCode) }
  if (next.kind === null) return { ...noAction, ...why }
  return {
    invoiceId,
    nextAction: next.step,
    scheduledAt: iso(next.at!),
    channel: next.channel,
    withInvoiceId: next.leadInvoiceId === invoiceId ? null : next.leadInvoiceId,
    skipped: next.skipped.map(({ step, because }) => ({
      action: step,
      reasonCode: because,
      reason: reasonText(because, true),
    })),
    ...why,
    afterPause: null,
  }
}

function afterPauseOf(recovery: RecoverySummaryRow): z.input<typeof afterPause> {
  const { planned, stop_reason, parked_because } = recovery
  if (!planned || planned.kind === 'stand' || stop_reason !== null || parked_because !== null) return null
  return { action: planned.step, at: iso(planned.at!), channel: planned.channel }
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
    standing,
    step: z
      .enum(stepNames)
      .nullable()
      .meta({ description: 'The step awaiting execution; the last executed one when none remains' }),
    holds: z.array(z.enum(holds)).meta({ description: 'Why it is paused' }),
    nextAction: z.enum(stepNames).nullable().meta({ description: 'What comes next' }),
    nextActionAt: dateTime.nullable(),
    nextChannel: z.enum(channels).nullable(),
    reasonCode: z.enum(reasonCodes).meta({ description: 'Why it is planned for that moment, or not at all' }),
    withInvoiceId: outputUuid.nullable().meta({
      description:
        'The invoice whose message carries the next action; null if it leaves with its own message',
    }),
    skipped: z.array(SkippedAction).meta({ description: 'Steps left out before it' }),
    afterPause,
    daysOverdue: z
      .int()
      .meta({ description: 'Days past the due date, where the company is; negative before' }),
    limitationEndsOn: z.string().meta({ format: 'date' }),
    limitationFrom: z.string().meta({ format: 'date' }),
    limitationBecause: z.enum(timeBarCauses),
    disputedCents: z.int().nullable().meta({ description: 'What of it is disputed; null: nothing is' }),
    filedOn: z.string().nullable().meta({ format: 'date' }),
    servedOn: z.string().nullable().meta({ format: 'date' }),
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
