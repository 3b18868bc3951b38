import type { RecoveryStatus } from '../../domain/recovery-state.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import { refreshAgenda } from '../agenda/debtor-file.ts'

// What is reserved and serves this invoice is cancelled, its slot and its steps are free; what is being sent is left to settle.
const cancelReserved = sql(
  `with mine as (
     select c.id from communication_invoices l
       join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'reserved'
      where l.invoice_id = $1),
   cancelled as (
     update communications set state = 'cancelled', reason = $2, settled_at = $3 where id in (select id from mine)),
   slots as (delete from contact_slots where communication_id in (select id from mine)),
   pending as (delete from pending_sends where tenant_id = $4 and communication_id in (select id from mine))
   update recoveries set communication_id = null
    where debtor_id = $5 and communication_id in (select id from mine)`,
)
const end = sql(
  `update recoveries set status = $2, due_at = null, due_because = null, generation = generation + 1 where invoice_id = $1`,
)

/**
 * A recovery leaves `in_recovery`: it acts on Postgres alone and takes effect with the commit. The caller holds the debtor's
 * agenda; the wake-up that is already under way will find nothing due.
 */
export function stopRecovery(
  tx: Tx,
  ids: { tenantId: string; debtorId: string; invoiceId: string },
  status: Exclude<RecoveryStatus, 'in_recovery' | 'pending'>,
  because: string,
  times: { now: number; wall: number },
): void {
  tx.atCommit(cancelReserved, [ids.invoiceId, because, iso(times.now), ids.tenantId, ids.debtorId])
  tx.atCommit(end, [ids.invoiceId, status])
  tx.atCommit(refreshAgenda, [ids.tenantId, ids.debtorId, times.now - times.wall])
}
