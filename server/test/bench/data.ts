import type pg from 'pg'
import { asAdmin } from '../../dev/database.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import type { BenchInstallation } from './environment.ts'
import { createSample, serialMark } from './http-tape.ts'

interface Row {
  table: string
  columns: { name: string; type: string }[]
  values: Record<string, unknown>
}

/** The rows that one create of the product writes; copies of them can be inserted in any number. */
export interface InvoiceTemplate {
  tenantId: string
  rows: Row[]
  ids: { debtorId: string; invoiceId: string; all: string[] }
}

/** Ids can be computed from a number, so that nobody needs a list of them. */
export interface LoadedInvoices {
  first: number
  count: number
  invoiceIdPrefix: string
  debtorIdPrefix: string
}

export const numbered = (prefix: string, i: number) => prefix + String(i).padStart(12, '0')
export const serialOf = (id: string) => Number(id.slice(24))

/** Lets the product create one invoice in an empty tenant, reads its rows as the template and deletes them. */
export async function makeInvoiceTemplate(
  installation: BenchInstallation,
  environment: 'production' | 'sandbox',
): Promise<InvoiceTemplate> {
  const tenantId = installation.company.tenants[environment]
  const pool = createPool({
    url: installation.env.API_DATABASE_URL!,
    role: 'relance-bench',
    max: 1,
    statementTimeoutMs: 5_000,
  })
  const apiKey =
    environment === 'production' ? installation.company.productionKey : installation.company.sandboxKey
  const ids = await createSample(pool, installation.env.KEYRING!, apiKey).finally(() => pool.end())
  return asAdmin(installation.database.adminUrl, async admin => {
    await admin.query('set session_replication_role = replica')
    const { rows: tables } = await admin.query<{ table: string }>(
      `select c.table_name as table from information_schema.columns c join pg_class k on k.oid = to_regclass(c.table_name)
        where c.table_schema = 'public' and c.column_name = 'tenant_id' and k.relkind in ('r', 'p') and not k.relispartition
          and c.table_name not in ('api_keys', 'tenants', 'company_settings')`,
    )
    const rows: Row[] = []
    for (const { table } of tables) {
      const columns = await columnsOf(admin, table)
      const found = await admin.query(`select to_jsonb(t) as row from ${table} t where tenant_id = $1`, [
        tenantId,
      ])
      rows.push(...found.rows.map(({ row }) => ({ table, columns, values: row })))
      await admin.query(`delete from ${table} where tenant_id = $1`, [tenantId])
    }
    // A row that names none of the ids, such as a count, does not belong to one invoice.
    const own = rows.filter(({ values }) => ids.all.some(id => JSON.stringify(values).includes(id)))
    return { tenantId, rows: own, ids }
  })
}

const columnsOf = async (admin: pg.Client, table: string) =>
  (
    await admin.query<{ name: string; type: string }>(
      `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
        where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''`,
      [table],
    )
  ).rows

/**
 * Inserts invoices, each with its own debtor: the largest spread a tenant can have. `wakeAt` is when their agendas wake, in wall time.
 * Every id carries the present time, as a UUIDv7 would, and the number of its invoice.
 */
export async function insertInvoices(
  installation: BenchInstallation,
  template: InvoiceTemplate,
  options: { first: number; count: number; wakeAt?: number },
): Promise<LoadedInvoices> {
  const { first, count } = options
  const time = Date.now().toString(16).padStart(12, '0')
  const prefixes = new Map(
    template.ids.all.map((id, kind) => [
      id,
      `${time.slice(0, 8)}-${time.slice(8)}-7${String(kind).padStart(3, '0')}-8000-`,
    ]),
  )
  const inserts = template.rows.map(row =>
    row.table === 'agendas' && options.wakeAt !== undefined
      ? { ...row, values: { ...row.values, wake_at: new Date(options.wakeAt).toISOString() } }
      : row,
  )
  await asAdmin(installation.database.adminUrl, async admin => {
    // The rows refer to each other by construction; checking each reference would double the time.
    await admin.query('set session_replication_role = replica')
    for (let from = first; from < first + count; from += 100_000)
      for (const row of inserts)
        await admin.query(insertOf(row, prefixes, from, Math.min(from + 100_000, first + count) - 1))
    if (count < 1_000) return
    // What the background would do in its own time, done before anything is measured.
    for (const table of new Set(template.rows.map(row => row.table)))
      await admin.query(`vacuum (analyze) ${table}`)
    await admin.query('checkpoint')
  })
  return {
    first,
    count,
    invoiceIdPrefix: prefixes.get(template.ids.invoiceId)!,
    debtorIdPrefix: prefixes.get(template.ids.debtorId)!,
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

function insertOf(row: Row, prefixes: Map<string, string>, from: number, to: number): string {
  const expressions = row.columns.map(({ name, type }) => {
    const value = row.values[name]
    if (value === null || value === undefined) return 'null'
    // Every mention of the sample's ids is replaced by the copy's, in keys, texts and documents.
    let text = literal(typeof value === 'string' ? value : JSON.stringify(value))
    for (const [id, prefix] of prefixes)
      if (text.includes(id)) text = `replace(${text}, '${id}', '${prefix}' || lpad(i::text, 12, '0'))`
    if (text.includes(serialMark)) text = `replace(${text}, '${serialMark}', i::text)`
    return `(${Array.isArray(value) && type !== 'jsonb' ? `array(select jsonb_array_elements_text(${text}::jsonb))` : text})::${type}`
  })
  const columns = row.columns.map(column => column.name).join(', ')
  return `insert into ${row.table} (${columns}) select ${expressions.join(', ')} from generate_series(${from}::bigint, ${to}::bigint) i`
}
