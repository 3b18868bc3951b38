import type { Pool } from '../../../kit/db/pool.ts'

/** Small enough that nobody waits long for the deleted rows. */
const batchSize = 1_000

/** Deletes audit events that are past their years, and returns how many there were. Only the operator's role may. */
export async function purgeAuditLog(pool: Pool, wall: string): Promise<number> {
  let purged = 0
  for (let deleted = batchSize; deleted === batchSize; ) {
    const { rows } = await pool.query<{ n: number }>('select purge_audit_log($1, $2) as n', [wall, batchSize])
    deleted = rows[0]!.n
    purged += deleted
  }
  return purged
}
