import { iso } from '../../kit/clock.ts'
import type { Worker } from './worker.ts'

const hour = 3_600_000
const day = 24 * hour

/**
 * Once an hour: the coming weeks of events, the answers kept a day, the slots nobody needs, the events of
 * last quarter, the deliveries of last month, the sessions, links and codes whose time is over.
 */
export function startHousekeeping(worker: Worker): { stop(): Promise<void> } {
  const { pool, clock, log } = worker
  let running = Promise.resolve()
  async function tidy(): Promise<void> {
    const wall = clock.wall()
    await pool.query('select ensure_event_partitions($1)', [iso(wall)])
    await pool.query('select drop_old_events($1)', [iso(wall - 90 * day)])
    await pool.query('select drop_old_deliveries($1)', [iso(wall - 30 * day)])
    await pool.query('select purge_identity($1)', [iso(wall)])
    for (let gone = 1_000; gone === 1_000; )
      gone = (
        await pool.query<{ n: number }>('select purge_idempotency_keys($1, 1000) as n', [iso(wall - day)])
      ).rows[0]!.n
    const tenants = await pool.query<{ id: string; offset_ms: number }>(
      // A sandbox that is still catching up lives in an earlier day than its clock: the slots of that day are needed.
      `select t.id, t.clock_offset_ms + i.clock_offset_ms as offset_ms
         from tenants t cross join installation i
        where not exists (select from agendas a where a.tenant_id = t.id and a.is_sandbox and a.wake_at <= $1
          and a.parked_because is null)`,
      [iso(wall)],
    )
    for (const tenant of tenants.rows)
      await pool.query('select purge_contact_slots($1, $2)', [
        tenant.id,
        iso(wall + tenant.offset_ms - 5 * day),
      ])
  }
  const start = () => {
    running = tidy().catch(error => log.warn({ err: error }, 'housekeeping postponed'))
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
