import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { sandboxIsRunning } from './errors.ts'

const countedMax = 1_000

// Two selects on agendas, so that each can use its index: in a large sandbox most agendas are not due. Messages being sent
// are few, limited by the concurrency of the worker.
const countDue = sql(
  'sandbox.count-due',
  `select count(*) as n from (
     (select 1 from agendas where tenant_id = $1 and is_sandbox and taken_generation <> wake_generation and wake_at is not null and wake_at <= $2
         and parked_because is null limit ${countedMax})
     union all
     (select 1 from agendas where tenant_id = $1 and is_sandbox and taken_generation = wake_generation and wake_at is not null and wake_at <= $2
         and parked_because is null limit ${countedMax})
     union all
     (select 1 from pending_sends where tenant_id = $1 order by communication_id limit 20)) due`,
).as<{ n: number }>()

/** How many debtors are due or have a message being sent; 1,000 at most. */
export async function countDueDebtors(tx: Tx, tenantId: string, wall: number): Promise<number> {
  const [row] = await tx.rows(countDue, [tenantId, iso(wall)])
  return Math.min(row!.n, countedMax)
}

/** How long a request waits for the sandbox to become idle, for example while the first message of a new invoice is sent. */
export const lockRetryMs = 5_000

const lockSandbox = sql('sandbox.lock', 'select lock_sandbox_exclusive() as mine').as<{ mine: boolean }>()

/** Locks the whole sandbox until the commit, and refuses if work is pending. For operations that change all of it. */
export async function lockIdleSandbox(tx: Tx, tenantId: string, wall: number): Promise<void> {
  const [locked] = await tx.rows(lockSandbox, [])
  if (!locked!.mine || (await countDueDebtors(tx, tenantId, wall)) > 0) throw sandboxIsRunning.make()
}
