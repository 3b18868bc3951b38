import type { TimeBarCause } from '../../../domain/recovery/time-bar.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type EventRow, eventRecord, insertEvents } from '../../platform/events/record-events.ts'
import type { NewDebtorRow } from '../debtors/debtor-row.ts'
import { debtorAsJson } from '../debtors/schema.ts'
import type { InvoiceRow } from './schema.ts'

export interface NewInvoiceRow {
  id: string
  debtor_id: string
  number: string
  number_search: string
  number_grams: number[]
  amount_cents: number
  currency: string
  issue_date: string
  due_date: string
  supplied_on: string | null
  limitation_months: number | null
  limitation_ends_on: string
  limitation_from: string
  limitation_because: TimeBarCause
  limitation_alert_on: string | null
  description: string | null
  metadata: unknown
  events: number
  cascade: string
  cascade_version: number
  workflow_status: 'in_recovery' | 'pending'
  started_at: string | null
  anchor_at: string | null
  first_step: string
  wish_at: string | null
  due_at: string | null
  due_because: string | null
  due_channel: string | null
}

const insertInvoiceRows = sql(
  'invoices.insert-many',
  `with input as (
     select * from jsonb_to_recordset($1::jsonb) as x(id uuid, debtor_id uuid, number text, number_search text, number_grams integer[], amount_cents bigint, currency text,
       issue_date date, due_date date, supplied_on date, limitation_months integer, limitation_ends_on date, limitation_from date,
       limitation_because text, limitation_alert_on date, description text, metadata jsonb, events integer, cascade text, cascade_version integer,
       workflow_status text, started_at timestamptz, anchor_at timestamptz, wish_at timestamptz, due_at timestamptz,
       due_because text, due_channel text)),
   new_debtor as (
     select * from jsonb_to_recordset($2::jsonb) as x(id uuid, name text, name_key text, email text, email_key text, phone text,
       siret text, address text, city text, postal_code text, country text, type text, language text, notes text,
       search_text text, search_grams integer[])),
   inserted as (
     insert into invoices (tenant_id, id, debtor_id, number, number_search, number_grams, amount_cents, currency, issue_date, due_date, supplied_on, limitation_months,
       description, metadata, status, event_seq, created_at, updated_at, open_cents)
     select current_setting('relance.tenant')::uuid, id, debtor_id, number, number_search, number_grams, amount_cents, currency,
            issue_date, due_date, supplied_on, limitation_months, description, metadata, 'imported', events, $4, $4, amount_cents
       from input
     on conflict (tenant_id, number) do nothing
     returning id, debtor_id),
   debtor as (
     insert into debtors (tenant_id, id, name, name_key, email, email_key, phone, siret, address, city, postal_code, country, type,
       language, notes, search_text, search_grams, created_at, updated_at)
     select current_setting('relance.tenant')::uuid, id, name, name_key, email, email_key, phone, siret, address, city, postal_code,
            country, type, language, notes, search_text, search_grams, $4, $4
       from new_debtor where id in (select debtor_id from inserted)),
   recovery as (
     insert into recoveries (tenant_id, invoice_id, debtor_id, status, cascade, cascade_version, started_at, anchor_at, wish_at,
       due_at, due_because, due_channel, due_date, limitation_ends_on, limitation_from, limitation_because, limitation_alert_on, created_at)
     select current_setting('relance.tenant')::uuid, input.id, input.debtor_id, workflow_status, cascade, cascade_version,
            started_at, anchor_at, wish_at, due_at, due_because, due_channel, due_date, limitation_ends_on,
            limitation_from, limitation_because, limitation_alert_on, $4
       from input join inserted on inserted.id = input.id),
   happened as (
     select e.* from jsonb_to_recordset($3::jsonb) as e${eventRecord} join inserted on inserted.id = e.subject_id),
   ${insertEvents}
   select id from inserted`,
)

/** Inserts invoices, new debtors, recoveries and events in one statement; returns the ids of the inserted invoices. */
export async function insertInvoices(
  tx: Tx,
  invoices: readonly NewInvoiceRow[],
  debtors: readonly NewDebtorRow[],
  events: readonly EventRow[],
  now: string,
): Promise<Set<string>> {
  const rows = await tx.rows(insertInvoiceRows, [
    JSON.stringify(invoices),
    JSON.stringify(debtors),
    JSON.stringify(events),
    now,
  ])
  return new Set(rows.map(row => row.id))
}

const statusesByNumber = sql(
  'invoices.list-statuses-by-number',
  'select number, status from invoices where number = any ($1::text[])',
)

export const findStatuses = (tx: Tx, numbers: readonly string[]) => tx.rows(statusesByNumber, [numbers])

export const invoiceColumns = `i.id, i.debtor_id, i.number, i.amount_cents, i.currency, i.issue_date, i.due_date, i.supplied_on, i.limitation_months, i.description,
  i.metadata, i.notes, i.status, i.paid_cents, i.credited_cents, i.claimed_cents, i.late_payment_waiver, i.created_at, i.updated_at,
  i.open_cents, r.status <> 'pending' as workflow_started, ${debtorAsJson} as debtor`

export const invoiceJoins = `join debtors d on d.tenant_id = i.tenant_id and d.id = i.debtor_id
  join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id`

const selectInvoice = sql(
  'invoices.get',
  `select ${invoiceColumns} from invoices i ${invoiceJoins} where i.id = $1`,
).as<InvoiceRow>()

export const findInvoice = async (tx: Tx, id: string): Promise<InvoiceRow | null> =>
  (await tx.rows(selectInvoice, [id]))[0] ?? null

const selectInvoiceForUpdate = sql('invoices.lock', 'select id from invoices where id = $1 for no key update')

/** For changes that do not affect what the debtor is sent; all others lock the debtor's agenda first. */
export const lockInvoice = (tx: Tx, id: string): Promise<unknown> => tx.rows(selectInvoiceForUpdate, [id])
