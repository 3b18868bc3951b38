import type { Channel } from '../../../domain/contact/channel.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import type { Cents } from '../../../domain/money/money.ts'
import { balanceOf } from '../../../domain/recovery/account.ts'
import { type Cascade, cascadeOf, type Step } from '../../../domain/recovery/cascade.ts'
import type { Due, PausedRecovery } from '../../../domain/recovery/hold.ts'
import type { CascadeProgress } from '../../../domain/recovery/next-step.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import type { WaitingExtra, WaitingRecovery } from '../../../domain/recovery/waiting.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { joinRows, writeTogether } from '../../../kit/db/group.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import { reachOf } from './debtor-file.ts'
import type { DebtorFile } from './debtor-file-store.ts'
import { type FactRow, factColumns } from './invoice-facts.ts'

export interface RecoveryRow
  extends FactRow,
    Pick<
      Tables['recoveries'],
      | 'invoice_id'
      | 'step'
      | 'attempt'
      | 'cascade'
      | 'cascade_version'
      | 'anchor_at'
      | 'wish_at'
      | 'due_at'
      | 'due_because'
      | 'not_before'
      | 'paused_at'
      | 'notice_at'
      | 'notice_receipt_at'
      | 'acknowledged_at'
      | 'last_action'
      | 'last_executed_at'
      | 'actions_completed'
    > {
  status: RecoveryStatus
  holds: readonly Hold[]
  due_channel: Channel | null
  cascade_steps: Step[] | null
  number: string
  currency: string
  issue_date: LocalDate
  due_date: LocalDate
  /** The 40 € and the interest, as the last message claimed them. */
  claimed_cents: number
  invoice_status: InvoiceStatus
}

export const recoveryColumns = `r.invoice_id, r.status, r.holds, r.step, r.attempt, r.cascade, r.cascade_version, r.anchor_at, r.wish_at, r.due_at,
  r.due_because, r.due_channel, r.not_before, r.paused_at, r.notice_at, r.notice_receipt_at, r.acknowledged_at, r.last_action, r.last_executed_at, r.actions_completed,
  (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps,
  i.number, i.currency, i.issue_date, i.due_date, i.claimed_cents, i.status as invoice_status, ${factColumns}`

export const wakeBatchSize = 500

/** A message names every invoice whose step it executes, so it has a limit. The first batch is not larger. */
export const messageInvoicesMax = 500

/** The waiting recoveries of a debtor, earliest first, without those whose message is reserved or being sent. */
export const selectWaitingRecoveries = sql(
  'case.list-waiting',
  `select ${recoveryColumns}
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.debtor_id = $1 and r.ended_at is null and r.due_at is not null and r.communication_id is null
    order by r.due_at limit ${wakeBatchSize}`,
).as<RecoveryRow>()

/** The same for several debtors. */
export const selectWaitingOfDebtors = sql(
  'case.list-waiting-of-debtors',
  `select w.* from unnest($1::uuid[]) as d(id)
    cross join lateral (
      select r.debtor_id, ${recoveryColumns}
        from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
       where r.debtor_id = d.id and r.ended_at is null and r.due_at is not null and r.communication_id is null
       order by r.due_at limit ${wakeBatchSize}) w`,
).as<RecoveryRow & { debtor_id: string }>()

export type ExtraMessage = Pick<
  Tables['extra_messages'],
  'id' | 'invoice_id' | 'step' | 'attempt' | 'wish_at' | 'due_at' | 'created_at'
> & {
  channel: Channel
  due_date: LocalDate
  number: string
  recovery_status: RecoveryStatus
}

const extraColumns = `e.id, e.invoice_id, e.step, e.attempt, e.wish_at, e.due_at, e.created_at, e.channel, i.due_date, i.number,
  (select r.status from recoveries r where r.invoice_id = e.invoice_id) as recovery_status`

/** The waiting extra messages of a debtor. There are few, since each one is requested by a person. */
export const selectWaitingExtras = sql(
  'case.list-waiting-extra-messages',
  `select ${extraColumns}
     from extra_messages e join invoices i on i.tenant_id = e.tenant_id and i.id = e.invoice_id
    where e.debtor_id = $1 and e.due_at is not null and e.communication_id is null
    order by e.due_at limit 20`,
).as<ExtraMessage>()
/** The same for several debtors. */
export const selectExtrasOfDebtors = sql(
  'case.list-waiting-extra-messages-of-debtors',
  `select w.* from unnest($1::uuid[]) as d(id)
    cross join lateral (
      select e.debtor_id, ${extraColumns}
        from extra_messages e join invoices i on i.tenant_id = e.tenant_id and i.id = e.invoice_id
       where e.debtor_id = d.id and e.due_at is not null and e.communication_id is null
       order by e.due_at limit 20) w`,
).as<ExtraMessage & { debtor_id: string }>()
/** The extra messages that messages serve. */
export const selectServedExtras = sql(
  'case.list-served-extra-messages',
  `select e.communication_id, ${extraColumns}
     from extra_messages e join invoices i on i.tenant_id = e.tenant_id and i.id = e.invoice_id
    where e.communication_id = any ($1::uuid[])`,
).as<ExtraMessage & { communication_id: string }>()

/** The recoveries that messages serve, up to a limit. */
export const selectServedRecoveries = sql(
  'case.list-served',
  `select r.communication_id, ${recoveryColumns}
     from communication_invoices l
     join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id and r.communication_id = l.communication_id
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where l.communication_id = any ($1::uuid[])
    order by r.invoice_id limit $2`,
).as<RecoveryRow & { communication_id: string }>()

export const balanceOfRecovery = (
  recovery: Pick<RecoveryRow, 'amount_cents' | 'credited_cents' | 'paid_cents'>,
): Cents =>
  balanceOf({ amount: recovery.amount_cents, paid: recovery.paid_cents, credited: recovery.credited_cents })
    .balance

type CascadeColumns = Pick<RecoveryRow, 'cascade' | 'cascade_version' | 'cascade_steps' | 'step'>

export const stepOf = (recovery: CascadeColumns): { cascade: Cascade; step: Step } => {
  const cascade = cascadeOf(recovery.cascade, recovery.cascade_version, recovery.cascade_steps)
  const step = cascade.steps[recovery.step]
  if (!step) throw new Error(`cascade ${cascade.name} has no step ${recovery.step}`)
  return { cascade, step }
}

export const progressOf = (
  recovery: CascadeColumns & Pick<RecoveryRow, 'attempt' | 'anchor_at' | 'notice_at' | 'notice_receipt_at'>,
): CascadeProgress => ({
  cascade: stepOf(recovery).cascade,
  step: recovery.step,
  attempt: recovery.attempt,
  anchor: recovery.anchor_at!,
  notice:
    recovery.notice_at === null ? null : { at: recovery.notice_at, receiptAt: recovery.notice_receipt_at },
})

export const dueOf = (row: Pick<RecoveryRow, 'wish_at' | 'due_at' | 'due_because' | 'due_channel'>): Due => ({
  at: row.due_at,
  because: row.due_because,
  wish: row.wish_at,
  channel: row.due_channel,
})

export const pausedRecoveryOf = (recovery: RecoveryRow): PausedRecovery => ({
  status: recovery.status,
  holds: recovery.holds,
  pausedAt: recovery.paused_at,
  due: dueOf(recovery),
  progress: progressOf(recovery),
  lastAt: recovery.last_executed_at,
})

export const waitingRecoveryOf = (recovery: RecoveryRow, file: DebtorFile): WaitingRecovery => ({
  ...pausedRecoveryOf(recovery),
  invoiceId: recovery.invoice_id,
  reach: reachOf(file, balanceOfRecovery(recovery)),
  dueDate: recovery.due_date,
  acknowledgedAt: recovery.acknowledged_at,
  notBefore: recovery.not_before,
})

export const waitingExtraOf = (extra: ExtraMessage): WaitingExtra => ({
  id: extra.id,
  invoiceId: extra.invoice_id,
  step: extra.step,
  channel: extra.channel,
  at: extra.due_at!,
  wish: extra.wish_at!,
  dueDate: extra.due_date,
  recovery: extra.recovery_status,
})

// A column that is not in the changes keeps the value of the locked row.
export const saveRecoveries = sql(
  'case.save-recoveries',
  `with changed as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, changes jsonb))
   update recoveries r
      set (status, holds, cascade, cascade_version, step, attempt, started_at, anchor_at, wish_at, due_at, due_because, due_channel, not_before, paused_at,
           acknowledged_at, last_executed_at, ended_at, outcome) =
          (select n.status, n.holds, n.cascade, n.cascade_version, n.step, n.attempt, n.started_at, n.anchor_at, n.wish_at, n.due_at, n.due_because,
                  n.due_channel, n.not_before, n.paused_at, n.acknowledged_at, n.last_executed_at, n.ended_at, n.outcome
             from jsonb_populate_record(r, changed.changes) n),
          generation = r.generation + 1
     from changed where r.invoice_id = changed.invoice_id and r.invoice_id = any (array(select invoice_id from changed))`,
)

writeTogether(saveRecoveries, { statement: saveRecoveries, join: joinRows })
