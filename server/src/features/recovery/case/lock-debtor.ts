import { sql } from '../../../kit/db/statement.ts'
import { lockAgenda } from './agenda-store.ts'
import { debtorUnknown } from './errors.ts'
import type { OperationContext } from './open-recovery.ts'

const findDebtor = sql('case.find-debtor-to-lock', 'select id from debtors where id = $1')

/** Takes the lock of a debtor for an operation on several of its invoices. Without a started recovery there is nothing to lock. */
export async function lockDebtor({ tx, actor }: OperationContext, debtorId: string): Promise<void> {
  const [[debtor]] = await Promise.all([
    tx.rows(findDebtor, [debtorId]),
    tx.rows(lockAgenda, [actor.tenantId, debtorId]),
  ])
  if (!debtor) throw debtorUnknown.make()
}
