import { wakeReleased } from '../features/access/companies/stops.ts'
import type { WorkerContext } from '../features/recovery/messages/worker-context.ts'
import { iso } from '../kit/clock.ts'
import { queryOn } from '../kit/db/query.ts'
import { isDatabaseFault } from '../kit/db/transaction.ts'

const hour = 3_600_000
const day = 24 * hour
/** Small enough that no request waits long for the deleted rows. */
const batchSize = 1_000

/**
 * The hourly work of the whole installation: wakes debtors whose stop is over, creates the event partitions of the coming weeks,
 * and deletes what is no longer needed: stored answers after a day, events after 90 days, deliveries after 30 days, expired
 * sessions, links and codes, sign-ups that were never confirmed, provider events after 90 days, mails to creditors that were not
 * written after a week and their links after two, and after 31 days the counts of messages and contacts per day and the list of
 * messages without a known outcome. Data of one tenant is deleted in its night. Each part runs by itself: a failure does not
 * block the others, and the part is retried in an hour.
 */
export async function runHousekeeping({
  pool,
  clock,
  log,
}: Pick<WorkerContext, 'pool' | 'clock' | 'log'>): Promise<false> {
  const wall = clock.wall()
  const ask = (name: string, at: number) => pool.query(`select ${name}($1)`, [iso(at)])
  const purge = async (name: string, at: number) => {
    for (let deleted = batchSize; deleted === batchSize; )
      deleted = (await pool.query<{ n: number }>(`select ${name}($1, $2) as n`, [iso(at), batchSize]))
        .rows[0]!.n
  }
  const works: Record<string, () => Promise<unknown>> = {
    'event partitions': () => ask('ensure_event_partitions', wall),
    'debtors whose stop is over': () => wakeReleased(queryOn(pool), wall),
    events: () => ask('drop_old_events', wall - 90 * day),
    deliveries: () => ask('drop_old_deliveries', wall - 30 * day),
    'stored answers': () => purge('purge_idempotency_keys', wall - day),
    sessions: () => purge('purge_identity', wall),
    'sign-ups': () => purge('purge_unconfirmed', wall),
    // A card payment may be disputed a year after the page was closed.
    'message codes': () => purge('purge_message_codes', wall - 400 * day),
    'provider events': () => purge('purge_provider_events', wall - 90 * day),
    'send counts': () => purge('purge_send_counts', wall - 31 * day),
    'unknown messages': () => purge('purge_unknown_messages', wall - 31 * day),
    alerts: () => purge('purge_alerts', wall),
  }
  for (const [what, work] of Object.entries(works))
    await work().catch(error => {
      if (isDatabaseFault(error)) throw error
      log.warn({ err: error, what }, 'a part of housekeeping failed; it is retried in an hour')
    })
  return false
}
