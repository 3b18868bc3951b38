import type { Pool } from '../../../kit/db/pool.ts'

/** Small enough that other transactions do not wait long for the deleted rows. */
const batchSize = 1_000

/** Deletes audit events past their retention period and returns how many. Only the operator's database role may do this. */
export async function purgeAuditLog(pool: Pool, wall: string): Promise<number> {
  let purged = 0
  for (let deleted = batchSize; deleted === batchSize; ) {
    const { rows } = await pool.query<{ n: number }>('select purge_audit_log($1, $2) as n', [wall, batchSize])
    deleted = rows[0]!.n
    purged += deleted
  }
  return purged
}
