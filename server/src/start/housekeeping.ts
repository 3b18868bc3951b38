import { wakeReleased } from '../features/access/companies/stops.ts'
import type { WorkerContext } from '../features/recovery/messages/worker-context.ts'
import { iso } from '../kit/clock.ts'
import { queryOn } from '../kit/db/query.ts'

const hour = 3_600_000
const day = 24 * hour
/** Small enough that no request waits long for the deleted rows. */
const batchSize = 1_000

/**
 * Once an hour, what concerns the whole installation: wakes debtors whose stop is over, creates the event partitions of the coming
 * weeks, and deletes what is no longer needed: stored answers after a day, events after 90 days, deliveries after 30 days, expired
 * sessions, links and codes, sign-ups that were never confirmed, provider events after 90 days, mails to creditors that were not
 * written after a week and their links after two, and after 31 days the counts of messages and contacts per day and the list of
 * messages without a known outcome. What belongs to one tenant is deleted in its night.
 */
export function startHousekeeping({ pool, clock, log }: Pick<WorkerContext, 'pool' | 'clock' | 'log'>): {
  stop(): Promise<void>
} {
  let running = Promise.resolve()
  async function purge(name: string, at: number): Promise<void> {
    for (let deleted = batchSize; deleted === batchSize; )
      deleted = (await pool.query<{ n: number }>(`select ${name}($1, $2) as n`, [iso(at), batchSize]))
        .rows[0]!.n
  }
  async function runOnce(): Promise<void> {
    const wall = clock.wall()
    await pool.query('select ensure_event_partitions($1)', [iso(wall)])
    await wakeReleased(queryOn(pool), wall)
    await pool.query('select drop_old_events($1)', [iso(wall - 90 * day)])
    await pool.query('select drop_old_deliveries($1)', [iso(wall - 30 * day)])
    await purge('purge_idempotency_keys', wall - day)
    await purge('purge_identity', wall)
    await purge('purge_unconfirmed', wall)
    // A card payment may be disputed a year after the page was closed.
    await purge('purge_message_codes', wall - 400 * day)
    await purge('purge_provider_events', wall - 90 * day)
    await purge('purge_send_counts', wall - 31 * day)
    await purge('purge_unknown_messages', wall - 31 * day)
    await purge('purge_alerts', wall)
  }
  const start = () => {
    running = runOnce().catch(error =>
      log.warn({ err: error }, 'housekeeping failed; it is retried in an hour'),
    )
  }
  start()
  const timer = setInterval(start, hour)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
