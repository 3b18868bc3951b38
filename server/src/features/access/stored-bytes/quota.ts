import type { Query } from '../../../kit/db/query.ts'
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

const listFull = sql(
  'stored-bytes.list-full',
  `select t.id as tenant_id, s.used, q.quota, sum(s.used) over ()::bigint as total
     from (select tenant_id, sum(bytes)::bigint as used from stored_bytes group by 1) s
     join tenants t on t.id = s.tenant_id join companies c on c.id = t.company_id
     cross join lateral (select coalesce(c.storage_bytes, ($1::jsonb ->> c.tier)::bigint) as quota) q
    order by s.used::numeric / greatest(q.quota, 1) desc, t.id limit $2`,
).as<{ tenant_id: string; used: number; quota: number; total: number }>()

/** The tenants that use most of their quota, and the bytes of all, as they were folded last: at most a moment ago. */
export const listFullest = (query: Query, count: number) =>
  query(listFull, [JSON.stringify(tierQuotas), count])
