import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { computePlans } from '../../recovery/case/debtor-plan.ts'

/** Whether nothing is sent at all: for the company, or for this debtor. */
const selectStop = sql(
  'page.find-stop',
  `select stop_reason(a.tenant_id) is not null or a.parked_because is not null as is_stopped
     from agendas a where a.tenant_id = $1 and a.debtor_id = $2`,
).as<{ is_stopped: boolean }>()

/** The moment of the next message to a debtor, about any invoice; null if none is planned. */
export async function nextContactAt(
  tx: Tx,
  tenantId: string,
  debtorId: string,
  now: number,
): Promise<number | null> {
  const [plans, [agenda]] = await Promise.all([
    computePlans(tx, tenantId, [debtorId], now),
    tx.rows(selectStop, [tenantId, debtorId]),
  ])
  return agenda?.is_stopped === false ? (plans.get(debtorId)?.message?.at ?? null) : null
}
