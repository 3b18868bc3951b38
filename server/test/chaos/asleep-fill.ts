import type pg from 'pg'
import { asAdmin, type Database } from '../../dev/database.ts'

export interface SleepingDebtors {
  tenantId: string
  /** Each row is made from its number, so that a second fill goes on where the first ended. */
  from: number
  count: number
  /** Tenant time of the first and the last; the rest lie evenly between. */
  firstDue: number
  lastDue: number
  offsetMs: number
  isSandbox: boolean
}

// Ids that grow with their number, as UUIDv7 do: random ones would scatter over the indexes and prove something else.
const idFunction = `
  create function pg_temp.id_of(n bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(1763280000000 + n / 4096), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8'
      || substr(md5(n::text), 1, 15))::uuid $$`

const rows = `
  from (select n, pg_temp.id_of(n) as id,
               to_timestamp(($4::float8 + (n - $2) * ($5::float8 - $4) / greatest($3 - 1, 1)) / 1000) as due_at
          from generate_series($2::bigint, $2::bigint + $3::bigint - 1) as n) x
 where $6::float8 is not null and $7::timestamptz is not null and $1::uuid is not null and $8::boolean is not null`

const inserts = [
  `insert into debtors (tenant_id, id, name, name_key, email, email_key, postal_code, city, country, type, language, search_text,
     search_grams, created_at, updated_at)
   select $1, id, 'Durand ' || n, 'durand ' || n, 'compta' || n || '@durand.example', 'compta' || n || '@durand.example',
          '69002', 'Lyon', 'FR', 'business', 'fr', '', '{}', $7, $7 ${rows}`,
  `insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, metadata, status,
     number_search, number_grams, created_at, updated_at)
   select $1, id, id, 'F-' || n, 120000, 'EUR', '2026-09-15', '2026-10-15', jsonb_build_object('plannedAt', due_at), 'imported',
          '', '{}', $7, $7 ${rows}`,
  `insert into recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, started_at, anchor_at, wish_at,
     due_at, created_at, limitation_ends_on, limitation_from, limitation_because, limitation_alert_on)
   select $1, id, id, 'in_recovery', 'fr_b2b_standard', 1, $7, $7, due_at, due_at, $7, '2031-09-15', '2026-09-15', 'issue_date',
          '2030-09-15' ${rows}`,
  `insert into agendas (tenant_id, debtor_id, wake_at, is_sandbox)
   select $1, id, due_at - $6 * interval '1 millisecond', $8 ${rows}`,
]

async function insertAll(client: pg.Client, debtors: SleepingDebtors): Promise<void> {
  const { tenantId, from, count, firstDue, lastDue, offsetMs, isSandbox } = debtors
  const startedAt = new Date(Date.now() + offsetMs).toISOString()
  for (const insert of inserts)
    await client.query(insert, [
      ...[tenantId, from, count, firstDue, lastDue, offsetMs, startedAt, isSandbox],
    ])
}

/** Inserts debtors with one started recovery each, whose first step is due at the given moments. One transaction: all or none. */
export const insertSleepingDebtors = (database: Database, debtors: SleepingDebtors): Promise<void> =>
  asAdmin(database.adminUrl, async client => {
    await client.query(idFunction)
    // The keys fit by construction; checking four million of them one by one would take longer than the proof.
    await client.query('set session_replication_role = replica')
    await client.query('begin')
    await insertAll(client, debtors)
    await client.query('commit')
  })

/** What autovacuum would have done by the time a cell holds this much. */
export const vacuumTables = (database: Database): Promise<unknown> =>
  asAdmin(database.adminUrl, client =>
    client.query('vacuum (analyze) debtors, invoices, recoveries, agendas'),
  )
