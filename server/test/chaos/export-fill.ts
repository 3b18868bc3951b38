import { asAdmin, type Database } from '../../dev/database.ts'

/** Each invoice is made from its number, so that what is read back can be compared without keeping it. */
export interface FilledInvoice {
  number: string
  amountCents: number
  issueDate: string
  dueDate: string
  description: string | undefined
  debtor: { name: string; email: string }
}

const perDebtor = 10
/** Every hundredth has what files break at. */
const isAwkward = (n: number) => n % 100 === 0
export const lastDay = '2026-10-01'
const otherDays = '2026-09-15'

export const invoiceOf = (n: number, lastFrom: number): FilledInvoice => {
  const debtor = Math.ceil(n / perDebtor)
  return {
    number: isAwkward(n) ? `=F;"${n}"` : `F-${String(n).padStart(9, '0')}`,
    amountCents: n,
    issueDate: n >= lastFrom ? lastDay : otherDays,
    dueDate: '2026-12-15',
    description: isAwkward(n) ? `Ligne ${n} ;\n« deux »` : undefined,
    debtor: { name: `Durand "${debtor}" ; fils`, email: `compta${debtor}@durand.example` },
  }
}

// Ids that grow with their number, as UUIDv7 do.
const idFunction = `
  create function pg_temp.id_of(n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1763280000000 + n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
      || substr(md5(n::text), 1, 15))::uuid $$`

const insertDebtors = `
  insert into debtors (tenant_id, id, name, name_key, email, email_key, postal_code, city, country, type, language, search_text,
    search_grams, created_at, updated_at)
  select $1, pg_temp.id_of(n), format('Durand "%s" ; fils', n), n::text, format('compta%s@durand.example', n), n::text, '01000', 'Bourg', 'FR',
         'business', 'fr', '', '{}', $3::timestamptz, $3::timestamptz
    from generate_series(1, ceil($2::bigint / ${perDebtor}.0)::bigint) n`
const insertInvoices = `
  insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, description, metadata, status,
    number_search, number_grams, created_at, updated_at)
  select $1, pg_temp.id_of(n), pg_temp.id_of(ceil(n / ${perDebtor}.0)::bigint),
         case when n % 100 = 0 then format('=F;"%s"', n) else 'F-' || lpad(n::text, 9, '0') end, n, 'EUR',
         case when n >= $4 then date '${lastDay}' else date '${otherDays}' end, '2026-12-15',
         case when n % 100 = 0 then format(E'Ligne %s ;\\n« deux »', n) end, '{}', 'imported', '', '{}', $3::timestamptz, $3::timestamptz
    from generate_series(1, $2::bigint) n`

/** Invoices with their debtors, and no recovery: nothing is sent for them. Those from `lastFrom` on were issued on the last day. */
export const insertInvoicesOf = (
  database: Database,
  tenantId: string,
  count: number,
  lastFrom: number,
): Promise<void> =>
  asAdmin(database.adminUrl, async client => {
    await client.query(idFunction)
    // The keys fit by construction.
    await client.query('set session_replication_role = replica')
    const at = new Date().toISOString()
    await client.query(insertDebtors, [tenantId, count, at])
    await client.query(insertInvoices, [tenantId, count, at, lastFrom])
    await client.query('vacuum (analyze) debtors, invoices')
  })
