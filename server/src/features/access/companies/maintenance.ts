import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'

const everyMs = 1_000

/** The operator's switch, looked at once a second: every process of the cell closes and opens within that. */
export function watchMaintenance(pool: Pool, log: Log): { until(): number | null; stop(): void } {
  let until: number | null = null
  const look = async () => {
    const { rows } = await pool.query<{ maintenance_until: number | null }>(
      'select maintenance_until from installation',
    )
    until = rows[0]?.maintenance_until ?? null
  }
  const timer = setInterval(() => {
    look().catch(error => log.warn({ err: error }, 'maintenance switch not readable'))
  }, everyMs)
  return { until: () => until, stop: () => clearInterval(timer) }
}
