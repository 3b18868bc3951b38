import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const find = sql('case.find-score', 'select score from debtor_scores where debtor_id = $1')

/** The score as it was last worked out; null where it never was. */
export const keptScore = async (tx: Tx, debtorId: string): Promise<number | null> =>
  (await tx.rows(find, [debtorId]))[0]?.score ?? null
