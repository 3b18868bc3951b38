import { eventually, type House } from '../harness/house.ts'

export type Digest = Record<string, Record<string, string>>

/**
 * Everything some tenants have, in a word per table: the rows of every table that knows the tenant, but for its keys. Who belongs to a
 * company, and is invited, stands with its production.
 */
export async function digestOf(house: House, tenantIds: readonly string[]): Promise<Digest> {
  // The counts are folded in the background, which moves them without changing them.
  await eventually(
    () => house.sql('select 1 from count_deltas limit 1'),
    rows => rows.length === 0,
  )
  // And the scores worked out.
  await eventually(
    () => house.sql('select 1 from score_marks limit 1'),
    rows => rows.length === 0,
  )
  // What was put into a queue by hand is soon looked at, and what was missed soon walked through.
  await eventually(
    () =>
      house.sql(
        `select webhook_id from webhook_queue union all
         select webhook_id from webhook_pumps where num_nonnulls(wake_at, busy_until, recover_from) > 0 and enabled`,
      ),
    rows => rows.length === 0,
  )
  const tables = await house.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'api_keys' order by 1`,
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
  for (const [name, isTheirs] of [...ofTenant, ...ofCompany])
    for (const id of tenantIds) {
      const [row] = await house.sql<{ word: string }>(
        `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as word
           from ${name} t where ${isTheirs}`,
        [id],
      )
      digest[id]![name] = row!.word
    }
  return digest
}
