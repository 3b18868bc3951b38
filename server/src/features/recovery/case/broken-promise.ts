import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const forget = sql(
  'case.forget-broken-promise',
  'update recoveries set promise_broken_at = null where invoice_id = $1 and promise_broken_at is not null returning debtor_id',
)

/** A broken promise of the invoice waits for nobody any more; false if none did. */
export const forgetBrokenPromise = async (tx: Tx, invoiceId: string): Promise<boolean> =>
  (await tx.rows(forget, [invoiceId])).length > 0
