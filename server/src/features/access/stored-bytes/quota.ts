import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Tier } from '../tiers.ts'

const MB = 1024 * 1024

/** What the files and imports of a company may take in each environment; the operator can set another value for a company. */
export const tierQuotas: Record<Tier, number> = {
  starter: 200 * MB,
  pro: 2_000 * MB,
  enterprise: 20_000 * MB,
}

export interface StoredBytes {
  usedBytes: number
  quotaBytes: number
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MB).toLocaleString('en-US')} MB`

// What is folded and what is not are read in one snapshot, so each change is counted exactly once.
const findStoredBytes = sql(
  'stored-bytes.get',
  `select c.tier, c.storage_bytes as own_quota,
          (coalesce((select sum(s.bytes) from stored_bytes s where s.tenant_id = t.id), 0)
           + coalesce((select sum(d.amount_cents) from count_deltas d where d.tenant_id = t.id and d.kind = 'bytes'), 0))::bigint as used
     from tenants t join companies c on c.id = t.company_id where t.id = current_setting('relance.tenant')::uuid`,
).as<{ tier: Tier; own_quota: number | null; used: number }>()

/** What the tenant stores, to the last committed row, and what it may store. */
export async function readStoredBytes(tx: Tx): Promise<StoredBytes> {
  const [row] = await tx.rows(findStoredBytes, [])
  const { tier, own_quota, used } = row!
  return { usedBytes: used, quotaBytes: own_quota ?? tierQuotas[tier] }
}
