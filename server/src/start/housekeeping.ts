import { wakeReleased } from '../features/access/companies/stops.ts'
import { eraseExpired } from '../features/integrations/tasks/erase/erase-expired.ts'
import type { WorkerContext } from '../features/recovery/messages/worker-context.ts'
import { iso } from '../kit/clock.ts'
import { queryOn } from '../kit/db/query.ts'
import { forEachTenant } from '../kit/each-tenant.ts'
import { uuidv7 } from '../kit/uuid.ts'

const hour = 3_600_000
const day = 24 * hour
/** Small enough that no request waits long for the deleted rows. */
const batchSize = 1_000

/**
 * Once an hour: wakes debtors whose stop is over, creates the event partitions of the coming weeks, and deletes what is no longer needed: stored answers after a
 * day, old contact slots, events and conversations after 90 days, deliveries and ended tasks after 30 days, files of tasks after a day, expired sessions, links and
 * codes, sign-ups that were never confirmed, provider events after 90
 * days, mails to creditors that were not written after a week and their links after two, replies 400 days after they were read,
 * debtors after the time their company keeps them,
 * and after 31 days the counts of messages and contacts per day and the list of messages without a known outcome.
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
    const tenants = await pool.query<{ id: string; offset_ms: number }>(
      // A sandbox that is still catching up works on an earlier day than its clock shows, so its slots are still needed.
      `select t.id, t.clock_offset_ms + i.clock_offset_ms as offset_ms
         from tenants t cross join installation i
        where not exists (select from agendas a where a.tenant_id = t.id and a.is_sandbox and a.wake_at <= $1
          and a.parked_because is null)`,
      [iso(wall)],
    )
    const everyTenant = await pool.query<{ id: string }>('select id from tenants')
    const loop = {
      idsOf: ({ id }: { id: string }) => ({ tenantId: id }),
      failure: 'housekeeping of a tenant failed',
    }
    await forEachTenant(log, everyTenant.rows, loop, async ({ id }) => {
      await pool.query('select purge_conversations($1, $2)', [id, iso(wall - 90 * day)])
      await pool.query('select purge_tasks($1, $2)', [id, iso(wall - 30 * day)])
      await pool.query('select purge_task_files($1, $2)', [id, iso(wall - day)])
      await pool.query('select purge_replies($1, $2)', [id, iso(wall - 400 * day)])
      await eraseExpired({ pool, clock, newId: () => uuidv7(clock.wall()) }, id)
    })
    await forEachTenant(log, tenants.rows, loop, async ({ id, offset_ms }) => {
      await pool.query('select purge_contact_slots($1, $2)', [id, iso(wall + offset_ms - 5 * day)])
    })
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
