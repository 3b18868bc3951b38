import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { ApiError } from '../../../../kit/errors.ts'
import { lowestId } from '../../../../kit/uuid.ts'
import { debtorOwes, fileIsOpen, messageIsLeaving } from './errors.ts'

/** An invoice in one of these is closed: nothing is asked of the debtor any more. */
export const closedStatuses = `('paid', 'cancelled', 'written_off')`

// `coalesce`, so that the planner finds open tasks by their status: there are few of them.
const readObstacles = sql(
  'erase.read-obstacles',
  `select (select count(*)::integer from (
             select from invoices where debtor_id = any ($1::uuid[]) and status not in ${closedStatuses} limit 1000) i) as open_invoices,
          exists (select from communications where debtor_id = any ($1::uuid[]) and state in ('reserved', 'sending')) as is_sending,
          exists (select from tasks t join task_files f on f.tenant_id = t.tenant_id and f.id = t.file_id
                   where t.status in ('waiting', 'running', 'review') and coalesce(t.file_id, t.id) <> t.id and t.id <> $2) as has_open_file`,
).as<{ open_invoices: number; is_sending: boolean; has_open_file: boolean }>()

/** Why these persons cannot be erased now; null if they can. The caller holds their locks, or asks again under them. */
export async function obstacleTo(
  tx: Tx,
  debtorIds: readonly string[],
  taskId: string = lowestId,
): Promise<ApiError | null> {
  const [found] = await tx.rows(readObstacles, [debtorIds, taskId])
  const { open_invoices: open, is_sending: isSending, has_open_file: hasOpenFile } = found!
  if (open > 0) return debtorOwes.make(open)
  if (isSending) return messageIsLeaving.make()
  return hasOpenFile ? fileIsOpen.make() : null
}
