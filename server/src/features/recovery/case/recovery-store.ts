import type { Channel } from '../../../domain/contact/channel.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import type { Cents } from '../../../domain/money/money.ts'
import { balanceOf } from '../../../domain/recovery/account.ts'
import { type Cascade, cascadeOf, type Reach, type Step } from '../../../domain/recovery/cascade.ts'
import type { Due, PausedRecovery } from '../../../domain/recovery/hold.ts'
import type { CascadeProgress } from '../../../domain/recovery/next-step.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import type { WaitingExtra, WaitingRecovery } from '../../../domain/recovery/waiting.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { writeTogether } from '../../../kit/db/group.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import { joinRows } from '../../../kit/db/transaction.ts'
import { type CollectedColumns, collectedOf, reachOf } from './debtor-file.ts'
import type { DebtorFile } from './debtor-file-store.ts'
import { type FactRow, factColumns } from './invoice-facts.ts'

export interface RecoveryRow
  extends FactRow,
    CollectedColumns,
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
      | 'limitation_ends_on'
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

/** What a collector needs for the invoice of recovery `r`. */
export const collectedColumns = `r.collector_letter_id, r.collector_letter_at,
  (select max(k.accepted_on) from listed_claims k where k.invoice_id = r.invoice_id) as listed_on`

export const recoveryColumns = `r.invoice_id, r.status, r.holds, r.step, r.attempt, r.cascade, r.cascade_version, r.anchor_at, r.wish_at, r.due_at,
  r.due_because, r.due_channel, r.not_before, r.paused_at, r.notice_at, r.notice_receipt_at, r.limitation_ends_on, r.last_action, r.last_executed_at, r.actions_completed,
  (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps,
  ${collectedColumns}, i.number, i.currency, i.issue_date, i.due_date, i.claimed_cents, i.status as invoice_status, ${factColumns}`

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
  'id' | 'invoice_id' | 'step' | 'attempt' | 'wish_at' | 'due_at' | 'due_because' | 'created_at'
> &
  CollectedColumns & {
    channel: Channel
    due_date: LocalDate
    limitation_ends_on: LocalDate
    number: string
    recovery_status: RecoveryStatus
  }

const extraColumns = `e.id, e.invoice_id, e.step, e.attempt, e.wish_at, e.due_at, e.due_because, e.created_at, e.channel, i.due_date, i.number,
  r.limitation_ends_on, r.status as recovery_status, ${collectedColumns}`
const extrasSql = `extra_messages e join invoices i on i.tenant_id = e.tenant_id and i.id = e.invoice_id
     join recoveries r on r.tenant_id = e.tenant_id and r.invoice_id = e.invoice_id`

/** The waiting extra messages of a debtor. There are few, since each one is requested by a person. */
export const selectWaitingExtras = sql(
  'case.list-waiting-extra-messages',
  `select ${extraColumns}
     from ${extrasSql}
    where e.debtor_id = $1 and e.due_at is not null and e.communication_id is null
    order by e.due_at limit 20`,
).as<ExtraMessage>()
/** The same for several debtors. */
export const selectExtrasOfDebtors = sql(
  'case.list-waiting-extra-messages-of-debtors',
  `select w.* from unnest($1::uuid[]) as d(id)
    cross join lateral (
      select e.debtor_id, ${extraColumns}
        from ${extrasSql}
       where e.debtor_id = d.id and e.due_at is not null and e.communication_id is null
       order by e.due_at limit 20) w`,
).as<ExtraMessage & { debtor_id: string }>()
/** The extra messages that messages serve. */
export const selectServedExtras = sql(
  'case.list-served-extra-messages',
  `select e.communication_id, ${extraColumns}
     from ${extrasSql}
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

/** How the debtor can be reached about this invoice. */
export const reachOfRecovery = (recovery: RecoveryRow, file: DebtorFile): Reach =>
  reachOf(file, balanceOfRecovery(recovery), collectedOf(file, recovery))

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
  reach: reachOfRecovery(recovery, file),
  dueDate: recovery.due_date,
  limitationEndsOn: recovery.limitation_ends_on,
  notBefore: recovery.not_before,
})

export const waitingExtraOf = (extra: ExtraMessage, file: DebtorFile): WaitingExtra => ({
  id: extra.id,
  invoiceId: extra.invoice_id,
  step: extra.step,
  channel: extra.channel,
  at: extra.due_at!,
  wish: extra.wish_at!,
  dueDate: extra.due_date,
  limitationEndsOn: extra.limitation_ends_on,
  recovery: extra.recovery_status,
  reach: { collected: collectedOf(file, extra) },
  isDuty: file.creditor.collector !== null && extra.step === 'payment_receipt',
})

// A column that is not in the changes keeps the value of the locked row.
export const saveRecoveries = sql(
  'case.save-recoveries',
  `with changed as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, changes jsonb))
   update recoveries r
      set (status, holds, cascade, cascade_version, step, attempt, started_at, anchor_at, wish_at, due_at, due_because, due_channel, not_before, paused_at,
           limitation_ends_on, limitation_from, limitation_because, limitation_alert_on, limitation_alerted_months, last_executed_at, ended_at,
           outcome, filed_on, filing_proof, served_on, service_proof) =
          (select n.status, n.holds, n.cascade, n.cascade_version, n.step, n.attempt, n.started_at, n.anchor_at, n.wish_at, n.due_at, n.due_because,
                  n.due_channel, n.not_before, n.paused_at, n.limitation_ends_on, n.limitation_from, n.limitation_because, n.limitation_alert_on,
                  n.limitation_alerted_months, n.last_executed_at, n.ended_at, n.outcome, n.filed_on, n.filing_proof, n.served_on, n.service_proof
             from jsonb_populate_record(r, changed.changes) n),
          generation = r.generation + 1
     from changed where r.invoice_id = changed.invoice_id and r.invoice_id = any (array(select invoice_id from changed))`,
)

writeTogether(saveRecoveries, { statement: saveRecoveries, join: joinRows })
