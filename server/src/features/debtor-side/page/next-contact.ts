import { stepOutcomeOf } from '../../../domain/recovery/cascade.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { reachOf } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { balanceOfRecovery, selectWaitingRecoveries, stepOf } from '../../recovery/case/recovery-store.ts'

/** The moment of the next message; null if steps before it are skipped, so that its day is not known yet. */
export interface NextContact {
  at: number | null
}

/** The next message of each waiting recovery, by invoice id; null if none will be sent. */
export async function nextContacts(tx: Tx, debtorId: string): Promise<Map<string, NextContact | null>> {
  const [[file], waiting] = await Promise.all([
    tx.rows(selectDebtorFile, [debtorId]),
    tx.rows(selectWaitingRecoveries, [debtorId]),
  ])
  return new Map(
    waiting.map(recovery => {
      const steps = stepOf(recovery).cascade.steps.slice(recovery.step)
      const outcomes = steps.map(step => stepOutcomeOf(step, reachOf(file!, balanceOfRecovery(recovery))))
      const next = outcomes.findIndex(outcome => outcome.kind !== 'skip')
      const contact = outcomes[next]?.kind === 'send' ? { at: next === 0 ? recovery.due_at : null } : null
      return [recovery.invoice_id, contact]
    }),
  )
}
