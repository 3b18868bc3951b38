import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { AnrBasis } from './attestation.ts'

export interface StoredAnr {
  id: string
  invoiceId: string
  basis: AnrBasis
  note: string | null
  pdf: Buffer
  sha256: Buffer
  createdAt: string
}

const insertAnr = sql(
  'attestation.insert',
  `insert into anr_documents (tenant_id, id, invoice_id, basis, note, pdf, sha256, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7)`,
)

export function storeAnr(tx: Tx, anr: StoredAnr): void {
  tx.atCommit(insertAnr, [anr.id, anr.invoiceId, anr.basis, anr.note, anr.pdf, anr.sha256, anr.createdAt])
}

// One row if the invoice exists, so that one query distinguishes an invoice without a document from an unknown invoice.
const selectAnr = sql(
  'attestation.get',
  `select i.number, d.pdf from invoices i left join anr_documents d on d.tenant_id = i.tenant_id and d.invoice_id = i.id where i.id = $1`,
).as<{ number: string; pdf: Buffer | null }>()

export const findAnr = async (tx: Tx, invoiceId: string) => (await tx.rows(selectAnr, [invoiceId]))[0] ?? null
