import { sql } from '../../../kit/db/statement.ts'
import type { AgendaLock } from './agenda-store.ts'
import type { DebtorFile } from './debtor-file-store.ts'
import type { OperationContext } from './open-recovery.ts'
import { type RecoveryRow, recoveryColumns, saveRecoveries } from './recovery-store.ts'
import { changedRecoveries } from './save-recoveries.ts'
import { type TimeBarFacts, timeBarChanges, timeBarColumns } from './time-bar-facts.ts'

const selectInvoiceIds = sql(
  'case.list-invoices-of-debtor',
  'select id from invoices where debtor_id = $1 order by id',
)
const lockLimited = sql(
  'case.lock-limited',
  'select invoice_id from recoveries where invoice_id = any ($1::uuid[]) order by invoice_id for no key update',
)
const selectLimited = sql(
  'case.list-limited',
  `select ${recoveryColumns}, ${timeBarColumns}
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.invoice_id = any ($1::uuid[]) order by r.invoice_id`,
).as<RecoveryRow & TimeBarFacts>()

/** A statement of the API may take two seconds; a batch of this size takes a fraction of that. */
const batchSize = 250

interface Debtor {
  readonly file: DebtorFile
  readonly agenda: AgendaLock | null
}

/**
 * Computes the time bar of these invoices of one debtor again, in batches. The agenda is locked by the caller. `changes`: what the
 * transaction has not written yet.
 */
export async function restateTimeBars(
  { tx, now }: Pick<OperationContext, 'tx' | 'now'>,
  { file, agenda }: Debtor,
  invoiceIds: readonly string[],
  changes: Partial<Pick<RecoveryRow, 'notice_receipt_at'>> = {},
): Promise<void> {
  for (let from = 0; from < invoiceIds.length; from += batchSize) {
    const ids = invoiceIds.slice(from, from + batchSize)
    const [, rows] = await Promise.all([tx.rows(lockLimited, [ids]), tx.rows(selectLimited, [ids])])
    const changed = rows
      .map(row => ({
        invoiceId: row.invoice_id,
        changes: timeBarChanges({ ...row, ...changes }, file, agenda, now),
      }))
      .filter(one => Object.keys(one.changes).length > 0)
    if (changed.length > 0) tx.atCommit(saveRecoveries, changedRecoveries(changed))
  }
}

/** The same for all invoices of a debtor: its kind has changed, or the claims were declared in proceedings. */
export async function restateTimeBarsOfDebtor(context: OperationContext, debtor: Debtor): Promise<void> {
  const rows = await context.tx.rows(selectInvoiceIds, [debtor.file.id])
  await restateTimeBars(
    context,
    debtor,
    rows.map(({ id }) => id),
  )
}
