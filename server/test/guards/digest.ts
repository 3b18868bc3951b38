import { eventually, type House } from '../harness/house.ts'

export type Digest = Record<string, Record<string, string>>

/** Everything some tenants have, in a word per table: the rows of every table that knows the tenant, but for its keys. */
export async function digestOf(house: House, tenantIds: readonly string[]): Promise<Digest> {
  // The counts are folded in the background, which moves them without changing them.
  await eventually(
    () => house.sql('select 1 from count_deltas limit 1'),
    rows => rows.length === 0,
  )
  const tables = await house.sql<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'api_keys' order by 1`,
  )
  const digest: Digest = Object.fromEntries(tenantIds.map(id => [id, {}]))
  for (const { name } of tables)
    for (const id of tenantIds) {
      const [row] = await house.sql<{ word: string }>(
        `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as word
           from ${name} t where tenant_id = $1`,
        [id],
      )
      digest[id]![name] = row!.word
    }
  return digest
}
