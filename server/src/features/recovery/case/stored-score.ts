import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const selectScore = sql('case.find-score', 'select score from debtor_scores where debtor_id = $1')

/** The stored score of a debtor; null if it was never computed. */
export const findStoredScore = async (tx: Tx, debtorId: string): Promise<number | null> =>
  (await tx.rows(selectScore, [debtorId]))[0]?.score ?? null
