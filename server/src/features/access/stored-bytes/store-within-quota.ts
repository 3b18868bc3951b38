import { tenantLockClasses } from '../../../kit/db/advisory-locks.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { BoundStatement, Tx } from '../../../kit/db/transaction.ts'
import { storageFull } from './errors.ts'
import { readStoredBytes, type StoredBytes } from './quota.ts'

const lockStoredBytes = sql(
  'stored-bytes.lock',
  `select pg_advisory_xact_lock(${tenantLockClasses.storedBytes}, hashtext(current_setting('relance.tenant')))`,
)

/**
 * The stored bytes once these statements have written theirs. The transaction then holds a lock until its end, so two that
 * write at the same time cannot both take the last free byte.
 */
export async function countAfter(tx: Tx, writes: readonly BoundStatement[]): Promise<StoredBytes> {
  // Sent together; the count is a statement of its own, so it sees what was committed before the lock was given.
  const [, , stored] = await Promise.all([
    tx.rows(lockStoredBytes, []),
    Promise.all(writes.map(([statement, values]) => tx.rows(statement, values))),
    readStoredBytes(tx),
  ])
  return stored
}

/** Runs statements that store bytes of a caller. Beyond the quota they are refused, with the transaction. */
export async function storeWithinQuota(tx: Tx, ...writes: readonly BoundStatement[]): Promise<void> {
  const stored = await countAfter(tx, writes)
  if (stored.usedBytes > stored.quotaBytes) throw storageFull.make(stored)
}

/** Refuses what is announced to be too much, before it arrives. What arrives is asked again, part by part. */
export async function requireSpace(tx: Tx, bytes: number): Promise<void> {
  const { usedBytes, quotaBytes } = await readStoredBytes(tx)
  if (usedBytes + bytes > quotaBytes) throw storageFull.make({ usedBytes, quotaBytes })
}
