import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { everyStatement } from '../../generate/every-statement.ts'
import { tables } from '../../src/features/tables.ts'
import { useClone } from './clone.ts'

const clone = useClone()
const server = join(import.meta.dirname, '../..')

interface Index {
  table: string
  name: string
  columns: (string | null)[]
  is_primary: boolean
}

interface Column {
  table: string
  column: string
  type: string
  is_required: boolean
  default: string | null
}

const ours = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`
/** A partition stands under the name of its table. */
const named = `coalesce((select p.relname from pg_inherits h join pg_class p on p.oid = h.inhparent where h.inhrelid = c.oid), c.relname)`

/** Indexes of tenant tables that lead with something else, and why they may. */
const acrossTenants: Record<string, string> = {
  audit_log_by_age: 'what is past its years is purged for all tenants at once, by the operator',
  idempotency_keys_by_age: 'answers older than a day are purged for all tenants at once',
  payout_changes_due:
    'changes that have waited are looked for in all tenants at once, by tenants_with_due_changes',
  invoices_by_gram: 'the tenant is inside each hash, and only search_invoices reads it',
  debtors_by_gram: 'the tenant is inside each hash, and only search_debtors reads it',
}
/** Tenant tables without a primary key, and what stands for it. */
const keyless: Record<string, string> = {
  contact_slots: 'a slot has no name of its own; slot_once_a_day and slot_once_a_cooldown keep it unique',
  count_deltas: 'a line to be folded is written once, by a trigger, and never looked for by itself',
}

const isTenant = (table: string) => (tables.tenant as readonly string[]).includes(table)

let columns: Column[]
let indexes: Index[]
beforeAll(async () => {
  columns = await clone.query<Column>(
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type, a.attnotnull as is_required,
            pg_get_expr(d.adbin, d.adrelid) as default
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where ${ours} and not c.relispartition and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`,
  )
  indexes = await clone.query<Index>(
    `select ${named} as table, i.relname as name, x.indisprimary as is_primary,
            array(select a.attname::text from unnest(x.indkey) with ordinality k(n, at)
                    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n order by k.at) as columns
       from pg_class c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid where ${ours}`,
  )
})

it('every table is listed as the tenants’, the platform’s or the people’s, and every listed table exists', async () => {
  const listed = [...tables.tenant, ...tables.platform, ...tables.identity]
  expect(new Set(listed).size).toBe(listed.length)
  expect([...new Set(columns.map(column => column.table))].sort()).toEqual([...listed].sort())
})

describe.each(tables.tenant)('tenant table %s', table => {
  it('is closed by one policy that is forced on its owner too, partitions included', async () => {
    const closed = await clone.query<object>(
      `select c.relname, c.relrowsecurity, c.relforcerowsecurity,
              (select jsonb_agg(jsonb_build_array(p.polname, p.polcmd, p.polpermissive, p.polroles::oid[],
                 pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid)))
                 from pg_policy p where p.polrelid = c.oid) as policies
         from pg_class c where ${ours} and ${named} = $1`,
      [table],
    )
    expect(closed.length).toBeGreaterThan(table === 'events' ? 1 : 0)
    const tenantOnly = `(tenant_id = (current_setting('relance.tenant'::text))::uuid)`
    for (const relation of closed)
      expect(relation).toMatchObject({
        relrowsecurity: true,
        relforcerowsecurity: true,
        policies: [['one_tenant', '*', true, ['0'], tenantOnly, null]],
      })
  })

  it('has the tenant in every row and at the head of its key and of every index', () => {
    const tenantId = columns.find(column => column.table === table && column.column === 'tenant_id')
    expect(tenantId).toMatchObject({ type: 'uuid', is_required: true, default: null })
    const own = indexes.filter(index => index.table === table)
    expect(own.some(index => index.is_primary)).toBe(!(table in keyless))
    for (const { name, columns: key } of own)
      if (!(name in acrossTenants)) expect(key[0], name).toBe('tenant_id')
  })

  it('has no index on an expression, which row-level security would leave unused', () => {
    for (const index of indexes.filter(candidate => candidate.table === table))
      expect(index.columns, index.name).not.toContain(null)
  })
})

it('every exception to the rule about indexes is still needed', () => {
  for (const name of Object.keys(acrossTenants)) expect(indexes.map(index => index.name)).toContain(name)
})

it('every reference to a tenant’s row carries the tenant, and is found by an index from the other side', async () => {
  const references = await clone.query<{
    name: string
    table: string
    to: string
    pairs: string[]
    from: string[]
  }>(
    `select k.conname as name, c.relname as table, t.relname as to,
            array(select a.attname || '=' || b.attname from unnest(k.conkey, k.confkey) u(f, t)
                    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.f
                    join pg_attribute b on b.attrelid = k.confrelid and b.attnum = u.t) as pairs,
            array(select a.attname::text from unnest(k.conkey) u(f)
                    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.f) as from
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
  )
  expect(references.length).toBeGreaterThan(0)
  for (const { name, table, to, pairs, from } of references) {
    if (isTenant(to)) expect(pairs, name).toContain('tenant_id=tenant_id')
    const heads = indexes
      .filter(index => index.table === table)
      .map(index => index.columns.slice(0, from.length).sort())
    expect(heads, name).toContainEqual([...from].sort())
  }
})

describe('time comes from the program, never from the database:', () => {
  const clockOfDatabase =
    /(?<![.\w]|get )now\(\s*\)|\b(current_(timestamp|time|date)|local(timestamp|time)|(clock|transaction|statement)_timestamp|timeofday)\b|'(now|today|tomorrow|yesterday)'::/i

  it('no default, constraint or function of the schema asks the database for the time', async () => {
    const texts = await clone.query<{ name: string; text: string }>(
      `select p.proname as name, p.prosrc as text from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
       union all select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
       union all select c.relname, pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d join pg_class c on c.oid = d.adrelid
          where c.relnamespace = 'public'::regnamespace
       union all select viewname, definition from pg_views where schemaname = 'public'`,
    )
    expect(texts.some(({ name }) => name === 'enter_by_key')).toBe(true)
    expect(texts.filter(({ text }) => clockOfDatabase.test(text))).toEqual([])
  })

  // Leases, and the comparison of the clocks, are judged by the clock of the database.
  const exception = {
    file: 'src/kit/database-clock.ts',
    statements: [
      'companies.watch-database',
      'db.read-clock',
      'heartbeat.beat',
      'heartbeat.count-living',
      'heartbeat.list-loops',
      'heartbeat.remove-silent',
      'heartbeat.take-loop',
      'messages.commit-to-sending',
      'messages.commit-to-sending-alone',
      'messages.take-lost-sends',
    ],
  }

  it('no statement of the program does, registered or not, but for one exception', async () => {
    const registered = await everyStatement()
    expect(registered.length).toBeGreaterThan(20)
    const found = registered.filter(({ text }) => clockOfDatabase.test(text)).map(({ name }) => name)
    expect(found.sort()).toEqual(exception.statements)
    for await (const file of glob('src/**/*.ts', { cwd: server })) {
      if (file === exception.file) continue
      // Our name for wall-clock time is spelt like a reserved word.
      const text = (await readFile(join(server, file), 'utf8')).replace(/[lL]ocalTime/g, '')
      expect(clockOfDatabase.exec(text)?.[0], file).toBeUndefined()
    }
  })

  it('no migration does', async () => {
    for await (const file of glob('migrations/*.sql', { cwd: server })) {
      const text = (await readFile(join(server, file), 'utf8')).replace(/--.*$/gm, '')
      expect(clockOfDatabase.exec(text)?.[0], file).toBeUndefined()
    }
  })
})

it('money is whole cents and says so, moments have their zone, and no word is an enum', async () => {
  const inexact = /^(numeric|money|real|double precision|timestamp without|time )/
  expect(columns.filter(column => inexact.test(column.type))).toEqual([])
  for (const { table, column, type } of columns) {
    const name = `${table}.${column}`
    if (/(amount|paid|credited|price|balance|fee|cents)$/.test(column))
      expect([name, type]).toEqual([expect.stringMatching(/_cents$/), 'bigint'])
    if (/(_at|_until|_after|_before)$|^at$/.test(column))
      expect([name, type]).toEqual([name, 'timestamp with time zone'])
  }
  expect(
    await clone.query(
      `select typname from pg_type where typtype = 'e' and typnamespace = 'public'::regnamespace`,
    ),
  ).toEqual([])
})
