import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import type { Ground } from '../../../domain/recovery/motion.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import type { Call } from '../../../kit/operation.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  lockAgenda,
  type OpenStep,
  openStepColumns,
  reachOf,
  readFile,
} from './debtor-file.ts'
import { invoiceStatusChanged } from './invoice-events.ts'
import { type FactRow, statusOf } from './invoice-facts.ts'

export type World = Pick<
  Call<unknown, unknown, unknown>,
  'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'
>

/** A recovery with its invoice, as they stand under their locks. */
export interface CaseRow extends OpenStep {
  debtor_id: string
  status: RecoveryStatus
  holds: readonly Hold[]
  invoice_status: InvoiceStatus
  started_at: number | null
  ended_at: number | null
  outcome: 'paid' | 'written_off' | 'cancelled' | null
  payment_ids: string[]
  /** The promise that is open, if there is one. */
  promise: { amount: number; paidBefore: number } | null
}

/** Everything needed to change what happens to one invoice, locked in the one order: agenda, recovery, invoice. */
export interface Case {
  /** None before the first recovery of a debtor is started. */
  agenda: AgendaLock | null
  file: DebtorFile
  row: CaseRow
}

const findDebtor = sql('case.find-debtor', 'select debtor_id from invoices where id = $1')
const lockRecovery = sql(
  'case.lock-recovery',
  'select invoice_id from recoveries where invoice_id = $1 for no key update',
)
const lockInvoice = sql('case.lock-invoice', 'select id from invoices where id = $1 for no key update')
const readCase = sql(
  'case.get',
  `select r.debtor_id, r.started_at, r.ended_at, r.outcome, ${openStepColumns},
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
  return file && row ? { agenda: agenda ?? null, file, row } : null
}

export const groundOf = ({ agenda, file, row }: Case, now: number): Ground => ({
  rules: contactFile(file, agenda),
  reach: reachOf(file, balanceOfStep(row)),
  now,
  seed: row.debtor_id,
})

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

/** Facts change, the status follows from them, and a change of it is told. */
export function changeFacts(
  world: World,
  of: Case,
  changes: Partial<ChangingFacts>,
  cause: string,
): InvoiceStatus {
  const facts = { ...of.row, ...changes }
  const status = statusOf(facts)
  const moment = (at: number | null) => (at === null ? null : iso(at))
  world.tx.atCommit(writeFacts, [
    of.row.invoice_id,
    moment(facts.disputed_at),
    moment(facts.judicial_at),
    moment(facts.written_off_at),
    moment(facts.cancelled_at),
    status,
    iso(world.now),
  ])
  const previousStatus = of.row.invoice_status
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
