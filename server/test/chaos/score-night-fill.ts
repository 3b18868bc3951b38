import { asAdmin, type Database } from '../../dev/database.ts'
import { mondayMorning } from './chaos-installation.ts'

/** Of every eleven debtors one owes nothing any more. */
export const owes = '(n % 11 <> 10)'

// Ids that grow with their number, as UUIDv7 do: random ones would scatter over the indexes and prove something else.
const idFunction = `
  create function pg_temp.id_of(n bigint, kind text) returns uuid language sql immutable as $$
    select (lpad(to_hex(1763280000000 + n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
      || substr(md5(kind || n), 1, 15))::uuid $$`

const rows = (where: string) => `from generate_series($2::bigint, $2::bigint + $3::bigint - 1) as n
 where ${where} and $1::uuid is not null and $4::timestamptz is not null`

const invoice = (kind: string, where: string, columns: { due: string; paid: string }) =>
  `insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, status, paid_cents, paid_at,
     number_search, number_grams, created_at, updated_at)
   select $1, pg_temp.id_of(n, '${kind}'), pg_temp.id_of(n, 'debtor'), '${kind}-' || n, 100000, 'EUR', ${columns.due}, ${columns.due},
          ${columns.paid === 'null' ? `'in_recovery', 0` : `'paid', 100000`}, ${columns.paid}, '', '{}', $4, $4 ${rows(where)}`

// Up to two open invoices, one that was settled, a message: as much as most debtors ever have.
const inserts = [
  `insert into debtors (tenant_id, id, name, name_key, email, email_key, postal_code, city, country, type, language, search_text,
     search_grams, created_at, updated_at)
   select $1, pg_temp.id_of(n, 'debtor'), 'Durand ' || n, 'durand ' || n, 'compta' || n || '@durand.example',
          'compta' || n || '@durand.example', '69002', 'Lyon', 'FR', 'business', 'fr', '', '{}', $4, $4 ${rows('true')}`,
  invoice('F', owes, { due: `date '2026-11-15' - (n % 90)::integer`, paid: 'null' }),
  invoice('G', `${owes} and n % 3 = 0`, { due: `date '2026-11-15' - (n % 40)::integer`, paid: 'null' }),
  invoice('P', 'n % 2 = 0 or n % 11 = 10', {
    due: `date '2026-03-01'`,
    paid: `timestamptz '2026-03-01 12:00Z' + (n % 70) * interval '1 day'`,
  }),
  `insert into payments (tenant_id, id, invoice_id, debtor_id, amount_cents, currency, status, method, paid_at, day, created_at, updated_at)
   select $1, pg_temp.id_of(n, 'payment'), pg_temp.id_of(n, 'P'), pg_temp.id_of(n, 'debtor'), 100000, 'EUR', 'completed',
          'bank_transfer', timestamptz '2026-03-01 12:00Z' + (n % 70) * interval '1 day', date '2026-03-01' + (n % 70)::integer, $4, $4
   ${rows('n % 2 = 0 or n % 11 = 10')}`,
  `insert into communications (tenant_id, id, debtor_id, channel, step, state, wake_generation, not_after, verdict, reserved_at, sent_at)
   select $1, pg_temp.id_of(n, 'message'), pg_temp.id_of(n, 'debtor'), 'email', 'email_prise_en_charge', 'sent', 1, $4, '{}', $4, $4
   ${rows(`${owes} and n % 2 = 1`)}`,
]

const atATime = 100_000

/** Debtors `from` to `from + count` of one tenant. */
export const fillWithDebtors = (
  database: Database,
  { tenantId, from, count }: { tenantId: string; from: number; count: number },
): Promise<void> =>
  asAdmin(database.adminUrl, async client => {
    await client.query(idFunction)
    // The keys fit by construction, and nothing is marked: the walk alone has to find them.
    await client.query('set session_replication_role = replica')
    for (let at = from; at < from + count; at += atATime) {
      const batchSize = Math.min(atATime, from + count - at)
      for (const insert of inserts)
        await client.query(insert, [tenantId, at, batchSize, new Date(mondayMorning).toISOString()])
    }
    await client.query(
      `insert into count_magnitudes (tenant_id, currency, magnitude, n) values ($1, 'EUR', magnitude_of(100000), $2)`,
      [tenantId, count],
    )
  })

export const vacuumTables = (database: Database): Promise<unknown> =>
  asAdmin(database.adminUrl, client =>
    client.query('vacuum (analyze) debtors, invoices, payments, communications'),
  )
