import { wayOf } from '../../../domain/recovery/cascade.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { balanceOfStep, reachOf, readFile, readWaiting, stepOf } from '../../recovery/case/debtor-file.ts'

/** The moment of the next message; null where one will come but something is left out before it, so that its day is not known yet. */
export interface NextContact {
  at: number | null
}

/** Of each invoice that waits for its step: what will be written next, if anything. */
export async function nextContacts(tx: Tx, debtorId: string): Promise<Map<string, NextContact | null>> {
  const [[file], waiting] = await Promise.all([
    tx.rows(readFile, [debtorId]),
    tx.rows(readWaiting, [debtorId]),
  ])
  return new Map(
    waiting.map(open => {
      const steps = stepOf(open).cascade.steps.slice(open.step)
      const ways = steps.map(step => wayOf(step, reachOf(file!, balanceOfStep(open))))
      const next = ways.findIndex(way => way.kind !== 'skip')
      const contact = ways[next]?.kind === 'send' ? { at: next === 0 ? open.due_at : null } : null
      return [open.invoice_id, contact]
    }),
  )
}
