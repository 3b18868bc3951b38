import type { Channel } from '../../../domain/contact/channel.ts'
import { type InvoiceStatus, isClosed } from '../../../domain/money/invoice-state.ts'
import { type Due, dueAfterPause, nothingDue } from '../../../domain/recovery/hold.ts'
import { channelOf, type PlanningContext } from '../../../domain/recovery/next-step.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { readTogether } from '../../../kit/db/group.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type ActorRef, newEvent } from '../../../kit/events.ts'
import type { Call } from '../../../kit/operation.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { idle, scheduleWakes } from '../agenda/schedule-wakes.ts'
import { type AgendaLock, lockAgenda, refreshAgenda } from './agenda-store.ts'
import { contactFile, holdOfDebtor } from './debtor-file.ts'
import { type DebtorFile, selectDebtorFile } from './debtor-file-store.ts'
import { storePlanOf } from './debtor-plan.ts'
import { invoiceStatusChanged } from './invoice-events.ts'
import { type FactRow, statusOf } from './invoice-facts.ts'
import {
  type RecoveryRow,
  reachOfRecovery,
  recoveryColumns,
  saveRecoveries,
  stepOf,
} from './recovery-store.ts'
import { changedRecoveries, type RecoveryChanges } from './save-recoveries.ts'
import { type TimeBarFacts, timeBarColumns } from './time-bar-facts.ts'

export type OperationContext = Pick<
  Call<unknown, unknown, unknown>,
  'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'
>

/** The same for what a worker does too: it has no company, no scopes and no request. */
export type DebtorContext = Omit<OperationContext, 'actor' | 'requestId'> & {
  readonly actor: ActorRef & { readonly tenantId: string }
  readonly requestId: string | null
}

/** A recovery with its invoice, read under their locks. */
export interface LockedRecoveryRow
  extends RecoveryRow,
    TimeBarFacts,
    Pick<Tables['recoveries'], 'filed_on' | 'filing_proof' | 'service_proof'> {
  notice_channel: Channel | null
  debtor_id: string
  started_at: number | null
  payment_ids: string[]
  /** A message that names its invoice waits, or is with its provider, or one was requested for it. */
  has_messages: boolean
  /** The open promise, if there is one. */
  promise: { amount: number; paidBefore: number } | null
}

/** Everything needed to change one recovery. The locks are always taken in this order: agenda, recovery, invoice. */
export interface OpenRecovery {
  /** Null until the first recovery of the debtor is started. */
  readonly agenda: AgendaLock | null
  /** Without the contacts of messages that this transaction cancelled. */
  file: DebtorFile
  /** The row with the changes of this transaction. A change replaces the object: an older reference keeps the old values. */
  row: LockedRecoveryRow
  /** The changes that the commit will write; null if there are none. */
  unsaved: RecoveryChanges | null
  /** The announced moments of the other invoices are kept as the earliest. */
  hasKeptPlan: boolean
}

const keepAnnounced = sql(
  'case.keep-announced',
  `with announced as (
     select x.key as id, x.value ->> 'kind' as kind, to_timestamp((x.value ->> 'at')::double precision / 1000) as at
       from agendas a cross join lateral jsonb_each(a.plan -> 'next') x
      where a.tenant_id = $1 and a.debtor_id = $2 and x.value ->> 'kind' in ('send', 'extra')),
   extras as (
     update extra_messages e set wish_at = n.at, due_at = n.at from announced n
      where n.kind = 'extra' and e.id = n.id::uuid and e.id = any (array(select id::uuid from announced where kind = 'extra')) and e.invoice_id <> $3 and e.due_at is not null and e.communication_id is null
        and n.at > e.wish_at)
   update recoveries r set not_before = n.at from announced n
    where n.kind = 'send' and r.invoice_id = n.id::uuid and r.invoice_id <> $3 and r.invoice_id = any (array(select id::uuid from announced))
      and r.status = 'in_recovery' and r.due_at is not null and r.communication_id is null
      and n.at > greatest(r.wish_at, r.not_before)`,
)

/**
 * No act on one invoice makes a message of another leave earlier than announced. Called before the statements that change
 * anything.
 */
export function keepPlanOfOthers(tx: Tx, tenantId: string, recovery: OpenRecovery): void {
  const { agenda, row } = recovery
  if (recovery.hasKeptPlan || !(agenda?.has_plan || agenda?.is_unplanned)) return
  recovery.hasKeptPlan = true
  tx.atCommit(keepAnnounced, [tenantId, row.debtor_id, row.invoice_id])
}

const findDebtor = sql('case.find-debtor', 'select debtor_id from invoices where id = $1')
const findDebtors = sql('case.find-debtors', 'select id, debtor_id from invoices where id = any ($1::uuid[])')
readTogether(findDebtor, findDebtors, 'id')
const lockRecovery = sql(
  'case.lock-recovery',
  'select invoice_id from recoveries where invoice_id = $1 for no key update',
)
const lockRecoveries = sql(
  'case.lock-recoveries',
  'select invoice_id from recoveries where invoice_id = any ($1::uuid[]) order by invoice_id for no key update',
)
readTogether(lockRecovery, lockRecoveries, 'invoice_id')
const lockInvoice = sql('case.lock-invoice', 'select id from invoices where id = $1 for no key update')
const lockInvoices = sql(
  'case.lock-invoices',
  'select id from invoices where id = any ($1::uuid[]) order by id for no key update',
)
readTogether(lockInvoice, lockInvoices, 'id')
const recoverySql = `
   select r.debtor_id, r.started_at, r.notice_channel, r.filed_on, r.filing_proof, r.service_proof, ${recoveryColumns}, ${timeBarColumns},
          array(select p.id::text from payments p where p.invoice_id = i.id and p.status = 'completed' order by p.id limit 100)
            as payment_ids,
          exists (select from communication_invoices l
                    join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state in ('reserved', 'sending')
                   where l.invoice_id = i.id)
            or exists (select from extra_messages where invoice_id = i.id and status = 'planned') as has_messages,
          (select jsonb_build_object('amount', amount_cents, 'paidBefore', paid_before_cents)
             from promises where invoice_id = i.id and status = 'open') as promise
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id`
const selectRecovery = sql('case.get', `${recoverySql} where r.invoice_id = $1`).as<LockedRecoveryRow>()
const selectRecoveries = sql(
  'case.get-many',
  `${recoverySql} where r.invoice_id = any ($1::uuid[])`,
).as<LockedRecoveryRow>()
readTogether(selectRecovery, selectRecoveries, 'invoice_id')

/** The locks that every change of an invoice takes. Every caller takes them here, so all take them in this order. */
const takeLocks = (tx: Tx, tenantId: string, debtorId: string, invoiceId: string) =>
  [
    tx.rows(lockAgenda, [tenantId, debtorId]),
    tx.rows(lockRecovery, [invoiceId]),
    tx.rows(lockInvoice, [invoiceId]),
  ] as const

/** Takes the locks of an invoice without reading it; does nothing if there is no such invoice. */
export async function lockCase(tx: Tx, tenantId: string, invoiceId: string): Promise<void> {
  const [found] = await tx.rows(findDebtor, [invoiceId])
  if (found) await Promise.all(takeLocks(tx, tenantId, found.debtor_id, invoiceId))
}

export async function openRecovery(
  { tx, actor: { tenantId }, now }: { tx: Tx; actor: { tenantId: string }; now: number },
  invoiceId: string,
): Promise<OpenRecovery | null> {
  const [found] = await tx.rows(findDebtor, [invoiceId])
  if (!found) return null
  const [[agenda], , , [file], [row]] = await Promise.all([
    ...takeLocks(tx, tenantId, found.debtor_id, invoiceId),
    tx.rows(selectDebtorFile, [found.debtor_id]),
    tx.rows(selectRecovery, [invoiceId]),
  ])
  if (!file || !row) return null
  const recovery = { agenda: agenda ?? null, file, row, unsaved: null, hasKeptPlan: false }
  // What an act must not bring forward is known before it.
  if (agenda?.is_unplanned) await storePlanOf(tx, tenantId, { agenda, file }, now)
  return recovery
}

/**
 * Changes an open recovery. All changes of a transaction are written by one UPDATE at its commit, and the agenda of the debtor
 * is refreshed with them.
 */
export function changeRecovery(
  { tx, actor, now, wall }: OperationContext,
  recovery: OpenRecovery,
  changes: RecoveryChanges,
): void {
  const isFirst = recovery.unsaved === null
  recovery.row = { ...recovery.row, ...changes }
  recovery.unsaved = { ...recovery.unsaved, ...changes }
  if (!isFirst) return
  const { invoice_id: invoiceId, debtor_id: debtorId } = recovery.row
  keepPlanOfOthers(tx, actor.tenantId, recovery)
  tx.atCommit(saveRecoveries, () =>
    changedRecoveries([{ invoiceId, changes: { ...recovery.unsaved!, ...channelNow(recovery) } }]),
  )
  if (!recovery.agenda) scheduleWakes(tx, actor, [{ debtorId, ...idle }])
  tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall, null, false])
}

/** A payment may leave too little for a call: the channel of the waiting step follows the facts of the commit. */
function channelNow({ file, row }: OpenRecovery): Pick<RecoveryChanges, 'due_channel'> {
  if (row.status !== 'in_recovery' || row.due_at === null) return {}
  return { due_channel: channelOf(stepOf(row).step, reachOfRecovery(row, file)) }
}

export const planningContextOf = ({ agenda, file, row }: OpenRecovery, now: number): PlanningContext => ({
  rules: contactFile(file, agenda),
  reach: reachOfRecovery(row, file),
  now,
  seed: row.debtor_id,
})

/** The holds that follow from the current facts: the invoice is disputed, or the debtor is held. */
export function standingHolds({ file, row }: OpenRecovery, now: number): Hold[] {
  const hold = holdOfDebtor(file, now)
  return [...(row.disputed_at === null ? [] : (['dispute'] as const)), ...(hold ? [hold] : [])]
}

/** When a recovery with only standing holds is judged again: at the end of the debtor's pause. */
export const dueWhileStanding = ({ file }: OpenRecovery, holds: readonly Hold[]): Due =>
  holds.includes('debtor') ? dueAfterPause(file.paused_until) : nothingDue

/** The data that every event about the invoice of a recovery has. */
export const invoiceEventData = ({ row }: OpenRecovery) => ({
  invoiceId: row.invoice_id,
  invoiceNumber: row.number,
  debtorId: row.debtor_id,
})

const updateInvoiceFacts = sql(
  'case.update-invoice-facts',
  `update invoices set disputed_at = $2, judicial_at = $3, written_off_at = $4, cancelled_at = $5, status = $6, updated_at = $7
    where id = $1`,
)

type ChangingFacts = Pick<FactRow, 'disputed_at' | 'judicial_at' | 'written_off_at' | 'cancelled_at'>

/** Applies new facts to the invoice in memory. The caller writes them. */
export function applyFacts(
  context: OperationContext,
  recovery: OpenRecovery,
  changes: Partial<FactRow>,
): InvoiceStatus {
  const facts = { ...recovery.row, ...changes }
  recovery.row = { ...facts, invoice_status: statusOf(facts) }
  const { status, holds, disputed_at, invoice_status } = recovery.row
  // Before the start and after the reminders a dispute pauses nothing, but a person has to decide about it: the lists find it by
  // this hold.
  const isDisputed = disputed_at !== null && !isClosed(invoice_status)
  if ((status === 'pending' || status === 'judicial') && isDisputed !== holds.includes('dispute'))
    changeRecovery(context, recovery, { holds: isDisputed ? ['dispute'] : [] })
  return invoice_status
}

/** Changes facts of the invoice. The status is computed from them, and a new status is recorded as an event. */
export function changeInvoiceFacts(
  context: OperationContext,
  recovery: OpenRecovery,
  changes: Partial<ChangingFacts>,
  cause: string,
): InvoiceStatus {
  const { invoice_status: previousStatus } = recovery.row
  const status = applyFacts(context, recovery, changes)
  const { row } = recovery
  const moment = (at: number | null) => (at === null ? null : iso(at))
  context.tx.atCommit(updateInvoiceFacts, [
    row.invoice_id,
    moment(row.disputed_at),
    moment(row.judicial_at),
    moment(row.written_off_at),
    moment(row.cancelled_at),
    status,
    iso(context.now),
  ])
  if (status !== previousStatus)
    recordEvents(
      context.tx,
      [
        newEvent(invoiceStatusChanged, recovery.row.invoice_id, {
          ...invoiceEventData(recovery),
          previousStatus,
          newStatus: status,
          cause,
        }),
      ],
      context,
    )
  return status
}
