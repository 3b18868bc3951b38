import { tenantLockClasses } from '../../../kit/db/advisory-locks.ts'
import { sql } from '../../../kit/db/statement.ts'

/**
 * Only one process at a time computes the scores of a tenant, and it takes this lock before it reads. Otherwise the process
 * with the older data could write last. Requests never take it.
 */
export const lockScores = sql(
  'scoring.lock',
  `select pg_advisory_xact_lock(${tenantLockClasses.scoring}, hashtext(current_setting('relance.tenant')))`,
)
