import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'

const everyMs = 1_000

/** Reads the operator's maintenance switch once a second, so every process of the cell follows within a second. */
export function watchMaintenance(pool: Pool, log: Log): { until(): number | null; stop(): void } {
  let until: number | null = null
  const readSwitch = async () => {
    const { rows } = await pool.query<{ maintenance_until: number | null }>(
      'select maintenance_until from installation',
    )
    until = rows[0]?.maintenance_until ?? null
  }
  const timer = setInterval(() => {
    readSwitch().catch(error => log.warn({ err: error }, 'maintenance switch could not be read'))
  }, everyMs)
  return { until: () => until, stop: () => clearInterval(timer) }
}
