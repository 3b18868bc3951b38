import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import type { Ground } from '../../../domain/recovery/motion.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import type { Call } from '../../../kit/operation.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { scheduleWakes } from '../agenda/schedule-wakes.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  holdOn,
  lockAgenda,
  type OpenStep,
  openStepColumns,
  reachOf,
  readFile,
  refreshAgenda,
} from './debtor-file.ts'
import { invoiceStatusChanged } from './invoice-events.ts'
import { type FactRow, statusOf } from './invoice-facts.ts'
import { changedRecoveries, type RecoveryChanges, saveRecoveries } from './save-recoveries.ts'

export type World = Pick<
  Call<unknown, unknown, unknown>,
  'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'
>

/** A recovery with its invoice, as they stand under their locks. */
export interface CaseRow extends OpenStep {
  debtor_id: string
  started_at: number | null
  payment_ids: string[]
  /** The promise that is open, if there is one. */
  promise: { amount: number; paidBefore: number } | null
}

/** Everything needed to change what happens to one invoice, locked in the one order: agenda, recovery, invoice. */
export interface Case {
  /** None before the first recovery of a debtor is started. */
  readonly agenda: AgendaLock | null
  readonly file: DebtorFile
  /** As it stands, with the changes of this transaction. A change replaces it: whoever kept the old row sees how it was. */
  row: CaseRow
  /** What the commit will write of the recovery; null while nothing changed. */
  unsaved: RecoveryChanges | null
}

const findDebtor = sql('case.find-debtor', 'select debtor_id from invoices where id = $1')
const lockRecovery = sql(
  'case.lock-recovery',
  'select invoice_id from recoveries where invoice_id = $1 for no key update',
)
const lockInvoice = sql('case.lock-invoice', 'select id from invoices where id = $1 for no key update')
const readCase = sql(
  'case.get',
  `select r.debtor_id, r.started_at, ${openStepColumns},
          array(select p.id::text from payments p where p.invoice_id = i.id and p.status = 'completed' order by p.id limit 100)
            as payment_ids,
          (select jsonb_build_object('amount', amount_cents, 'paidBefore', paid_before_cents)
             from promises where invoice_id = i.id and status = 'open') as promise
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.invoice_id = $1`,
).as<CaseRow>()

export async function openCase(tx: Tx, tenantId: string, invoiceId: string): Promise<Case | null> {
  const [found] = await tx.rows(findDebtor, [invoiceId])
  if (!found) return null
  const [[agenda], , , [file], [row]] = await Promise.all([
    tx.rows(lockAgenda, [tenantId, found.debtor_id]),
    tx.rows(lockRecovery, [invoiceId]),
    tx.rows(lockInvoice, [invoiceId]),
    tx.rows(readFile, [found.debtor_id]),
    tx.rows(readCase, [invoiceId]),
  ])
  return file && row ? { agenda: agenda ?? null, file, row, unsaved: null } : null
}

/**
 * Changes the recovery of an opened case. All changes of a transaction are written by one UPDATE at its commit, and the debtor
 * is looked at accordingly.
 */
export function changeCase({ tx, actor, now, wall }: World, of: Case, changes: RecoveryChanges): void {
  const isFirst = of.unsaved === null
  of.row = { ...of.row, ...changes }
  of.unsaved = { ...of.unsaved, ...changes }
  if (!isFirst) return
  const { invoice_id: invoiceId, debtor_id: debtorId } = of.row
  tx.atCommit(saveRecoveries, () => changedRecoveries([{ invoiceId, changes: of.unsaved! }]))
  if (!of.agenda) scheduleWakes(tx, actor, [{ debtorId, at: null, because: null }])
  tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall])
}

export const groundOf = ({ agenda, file, row }: Case, now: number): Ground => ({
  rules: contactFile(file, agenda),
  reach: reachOf(file, balanceOfStep(row)),
  now,
  seed: row.debtor_id,
})

/** What holds a recovery whatever was said of it: its invoice is disputed, or its debtor is held. */
export function standingHolds({ file, row }: Case): Hold[] {
  const hold = holdOn(file)
  return [...(row.disputed_at === null ? [] : (['dispute'] as const)), ...(hold ? [hold] : [])]
}

/** What every event about the invoice of a case carries. */
export const about = ({ row }: Case) => ({
  invoiceId: row.invoice_id,
  invoiceNumber: row.number,
  debtorId: row.debtor_id,
})

const writeFacts = sql(
  'case.update-invoice-facts',
  `update invoices set disputed_at = $2, judicial_at = $3, written_off_at = $4, cancelled_at = $5, status = $6, updated_at = $7
    where id = $1`,
)

type ChangingFacts = Pick<FactRow, 'disputed_at' | 'judicial_at' | 'written_off_at' | 'cancelled_at'>

/** The invoice of a case as its new facts make it. Whoever calls this writes them. */
export function applyFacts(of: Case, changes: Partial<FactRow>): InvoiceStatus {
  const facts = { ...of.row, ...changes }
  of.row = { ...facts, invoice_status: statusOf(facts) }
  return of.row.invoice_status
}

/** Facts change, the status follows from them, and a change of it is told. */
export function changeFacts(
  world: World,
  of: Case,
  changes: Partial<ChangingFacts>,
  cause: string,
): InvoiceStatus {
  const { invoice_status: previousStatus } = of.row
  const status = applyFacts(of, changes)
  const { row } = of
  const moment = (at: number | null) => (at === null ? null : iso(at))
  world.tx.atCommit(writeFacts, [
    row.invoice_id,
    moment(row.disputed_at),
    moment(row.judicial_at),
    moment(row.written_off_at),
    moment(row.cancelled_at),
    status,
    iso(world.now),
  ])
  if (status !== previousStatus)
    recordEvents(
      world.tx,
      [
        newEvent(invoiceStatusChanged, of.row.invoice_id, {
          ...about(of),
          previousStatus,
          newStatus: status,
          cause,
        }),
      ],
      world,
    )
  return status
}
