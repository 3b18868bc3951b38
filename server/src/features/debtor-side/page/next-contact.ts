import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { computePlans } from '../../recovery/case/debtor-plan.ts'

/** Whether nothing is sent at all: for the company, or for this debtor. */
const selectStop = sql(
  'page.find-stop',
  `select stop_reason(a.tenant_id) is not null or a.parked_because is not null as is_stopped
     from agendas a where a.tenant_id = $1 and a.debtor_id = $2`,
).as<{ is_stopped: boolean }>()

/** The moment of the next message about each invoice, by its id; null if none is planned. */
export async function nextContacts(
  tx: Tx,
  tenantId: string,
  debtorId: string,
  now: number,
): Promise<ReadonlyMap<string, number | null>> {
  const [plans, [agenda]] = await Promise.all([
    computePlans(tx, tenantId, [debtorId], now),
    tx.rows(selectStop, [tenantId, debtorId]),
  ])
  const next = plans.get(debtorId)?.next ?? new Map<string, never>()
  return new Map(
    [...next].map(([invoiceId, { kind, at }]) => [
      invoiceId,
      kind === 'send' && agenda?.is_stopped === false ? at : null,
    ]),
  )
}
