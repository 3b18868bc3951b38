import { tables } from '../../src/features/tables.ts'
import type { Clone } from './clone.ts'

/** One row each, or one per migration, month, half-year, process, loop or channel: reading them whole is what an index would do too. */
const tiny = [
  'installation',
  'schema_migrations',
  'signing_keys',
  'workers',
  'loop_leases',
  'provider_outages',
  'sending_database',
  'database_marker',
  'last_heartbeat',
  'late_payment_rates',
]
/**
 * One row per tenant, one per payout field, standing or kind of stored bytes, or a hundred at the very most: create-cascade.ts, create-webhook.ts,
 * register-client.ts and tasks/store.ts refuse more.
 */
const single = [
  'company_settings',
  'company_logos',
  'card_accounts',
  'payout_changes',
  'cascades',
  'webhooks',
  'webhook_endpoints',
  'oauth_clients',
  'pending_tasks',
  'tenant_nights',
  'count_standings',
  'stored_bytes',
]
/** One row per due day and standing of what is open: some thousands of a tenant, however many invoices it has. */
const byDueDay = ['count_due']
export const large: string[] = [...tables.tenant, ...tables.platform, ...tables.identity].filter(
  table => !tiny.includes(table),
)

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** The longest count plus a page; a plan that reads more rows than this scans the table. */
const touchedMax = 11_000

/** How many rows a node looked at, where it was run and not only planned. */
const touched = (node: PlanNode) =>
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1)

/** A limit above one of these nodes does not limit what is below: they read all their input before they return a row. */
const readsAllInput = new Set(['Sort', 'Aggregate', 'Hash', 'WindowAgg', 'Materialize'])

export type Judge = (plan: PlanNode) => string[]

/** Returns the parts of a plan that grow with the table: scans of the whole table or of all rows of a tenant. */
export async function judgePlans(clone: Clone): Promise<Judge> {
  const relations = await clone.query<{ name: string; table: string }>(
    `with recursive up as (
       select c.oid, c.relname as name, coalesce(x.indrelid, c.oid) as at
         from pg_class c left join pg_index x on x.indexrelid = c.oid where c.relnamespace = 'public'::regnamespace
       union all select up.oid, up.name, h.inhparent from up join pg_inherits h on h.inhrelid = up.at)
     select up.name, c.relname as table from up join pg_class c on c.oid = up.at
      where not exists (select from pg_inherits h where h.inhrelid = up.at)`,
  )
  /** The table of every index and of every partition. */
  const tableOf = new Map(relations.map(({ name, table }) => [name, table]))

  const judge = (node: PlanNode, isLimited: boolean): string[] => {
    const type = node['Node Type']
    const name = node['Relation Name'] ?? node['Index Name']
    const table = name && tableOf.get(name)
    const isLimitedBelow = (isLimited || type === 'Limit') && !readsAllInput.has(type)
    const below = (node.Plans ?? []).flatMap(inner => judge(inner, isLimitedBelow))
    if (!table || !large.includes(table)) return below
    // Of no ids nothing is read, whichever index is named.
    if (node.Filter?.includes("= ANY ('{}'") && node['Actual Rows'] === 0) return below
    if (touched(node) > touchedMax) return [`${type} through ${touched(node)} rows of ${table}`, ...below]
    if (type === 'Seq Scan') return [`Seq Scan on ${table}`, ...below]
    if (!/^(Index|Index Only|Bitmap Index) Scan$/.test(type)) return below
    const narrowing = (node['Index Cond'] ?? '')
      .split(' AND ')
      .filter(condition => condition !== '' && !/^\(*tenant_id =/.test(condition))
    return narrowing.length > 0 || isLimited || single.includes(table) || byDueDay.includes(table)
      ? below
      : [`${type} of a whole tenant in ${table}`, ...below]
  }
  return plan => judge(plan, false)
}
