import { personsOf } from '../../src/features/recovery/messages/count-send.ts'
import type { WorkerContext } from '../../src/features/recovery/messages/worker-context.ts'
import { type WakeUp, wakeDebtor } from '../../src/features/recovery/wake/wake-debtor.ts'

type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/**
 * Wakes a debtor who has been contacted as often as a person may be, so that the message is reserved and not claimed; then the
 * limit is gone. Returns the message; null if there is none. In a sandbox nobody has a limit.
 */
export async function reserveOnly(
  query: Query,
  worker: WorkerContext,
  { tenantId, debtorId }: Omit<WakeUp, 'generation'>,
): Promise<string | null> {
  const [debtor] = await query<{ email: string; wake_generation: string }>(
    `select d.email, a.wake_generation from debtors d join agendas a on a.tenant_id = d.tenant_id and a.debtor_id = d.id
      where d.id = $1`,
    [debtorId],
  )
  const [email] = personsOf({ email: debtor!.email, phone: null })
  const [person] = worker.keyring.digests('person', email!)
  // The count of 30 days is read from its first day on.
  await query(`insert into daily_contacts (person, day, contacts) values ($1, '2999-01-01', 100)`, [person])
  const woken = await wakeDebtor(worker, { tenantId, debtorId, generation: Number(debtor!.wake_generation) })
  await query('delete from daily_contacts where person = $1', [person])
  if (woken?.kind !== 'send') return null
  woken.place?.leave()
  if (woken.claim) throw new Error('the message was claimed although its person has reached a limit')
  return woken.communicationId
}
