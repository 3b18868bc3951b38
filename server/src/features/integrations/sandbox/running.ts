import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { sandboxIsRunning } from './errors.ts'

const countedMost = 1_000

// Two questions about agendas, so that each has its index: of a large sandbox most debtors sleep. Messages on their way are few,
// as many as a worker has places.
const countDue = sql(
  'sandbox.count-due',
  `select count(*) as n from (
     (select 1 from agendas where tenant_id = $1 and is_sandbox and armed_gen <> wake_gen and wake_at is not null and wake_at <= $2
         and parked_because is null limit ${countedMost})
     union all
     (select 1 from agendas where tenant_id = $1 and is_sandbox and armed_gen = wake_gen and wake_at is not null and wake_at <= $2
         and parked_because is null limit ${countedMost})
     union all
     (select 1 from pending_sends where tenant_id = $1 order by communication_id limit 20)) due`,
).as<{ n: number }>()

/** The debtors still to be looked at, a thousand at most: those whose moment has come, and those with a message on its way. */
export async function dueIn(tx: Tx, tenantId: string, wall: number): Promise<number> {
  const [row] = await tx.rows(countDue, [tenantId, iso(wall)])
  return Math.min(row!.n, countedMost)
}

/** Who has just created an invoice and lets time pass need not know that its first message is being sent at this moment. */
export const patienceMs = 5_000

const haveAlone = sql('sandbox.lock', 'select have_sandbox_alone() as mine').as<{ mine: boolean }>()

/** Alone in the sandbox until the commit, and nothing in it under way: what is to change all of it begins here. */
export async function haveQuietSandbox(tx: Tx, tenantId: string, wall: number): Promise<void> {
  const [alone] = await tx.rows(haveAlone, [])
  if (!alone!.mine || (await dueIn(tx, tenantId, wall)) > 0) throw sandboxIsRunning.make()
}
