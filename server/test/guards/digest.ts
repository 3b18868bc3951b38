import { sendJob } from '../harness/send-job.ts'
import { eventually, type TestInstallation } from '../harness/use-installation.ts'

export type Digest = Record<string, Record<string, string>>

/**
 * One hash per table over all rows of these tenants, except their API keys and when their nights are. Members and invitations of a company are counted
 * with its production tenant.
 */
export async function digestOf(
  installation: TestInstallation,
  tenantIds: readonly string[],
): Promise<Digest> {
  await sendJob(installation, 'nights')
  // A new tenant has its first night at once, which computes all its scores; what is marked is computed at any time.
  await eventually(
    () =>
      installation.sql(
        'select tenant_id from tenant_nights where tenant_id = any ($1::uuid[]) and (done_at is null or taken_until is not null)',
        [tenantIds],
      ),
    rows => rows.length === 0,
  )
  await eventually(
    () => installation.sql('select 1 from score_marks limit 1'),
    rows => rows.length === 0,
  )
  // Queued deliveries and recovery of missed events also finish in the background.
  await eventually(
    () =>
      installation.sql(
        `select webhook_id from webhook_queue union all
         select webhook_id from webhook_endpoints where num_nonnulls(wake_at, busy_until, recover_from) > 0 and enabled`,
      ),
    rows => rows.length === 0,
  )
  // Last, because the others are counted too. Folding moves the counts without changing them.
  await eventually(
    () => installation.sql('select 1 from count_deltas limit 1'),
    rows => rows.length === 0,
  )
  const tables = await installation.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname not in ('api_keys', 'tenant_nights') order by 1`,
  )
  const digest: Digest = Object.fromEntries(tenantIds.map(id => [id, {}]))
  const ofTenant = tables.map(({ name }) => [name, 'tenant_id = $1'] as const)
  const ofCompany = ['memberships', 'invitations'].map(
    name =>
      [
        name,
        `company_id = (select company_id from tenants where id = $1 and environment = 'production')`,
      ] as const,
  )
  for (const [name, condition] of [...ofTenant, ...ofCompany])
    for (const id of tenantIds) {
      const [row] = await installation.sql<{ word: string }>(
        `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as word
           from ${name} t where ${condition}`,
        [id],
      )
      digest[id]![name] = row!.word
    }
  return digest
}
