import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { refreshAgenda } from './agenda-store.ts'

const planUnlisted = sql(
  'case.plan-listed',
  `update recoveries
      set due_at = $2, wish_at = $2, due_because = 'cascade', generation = generation + 1
    where invoice_id = any ($1::uuid[]) and status = 'in_recovery' and due_at is null and due_because = 'claim_unlisted'
      and communication_id is null`,
)

/** What waited because no list of claims had its invoice is judged again now. The agendas of the debtors are locked. */
export function releaseListed(
  { tx, now, wall }: { tx: Tx; now: number; wall: number },
  tenantId: string,
  { invoiceIds, debtorIds }: { invoiceIds: readonly string[]; debtorIds: readonly string[] },
): void {
  tx.atCommit(planUnlisted, [invoiceIds, iso(now)])
  for (const debtorId of debtorIds) tx.atCommit(refreshAgenda, [tenantId, debtorId, now - wall, null, true])
}
