import { addDays, type LocalDate } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { openSums } from './open-sums.ts'

/** A debt is called old after so many days. */
export const oldDays = 60
const keptDays = 800

/** SQL: what is overdue on the day $1 and what is old then, in the currency $2. Sums are float8: exact up to 2^53. */
export const overdueSums = `
  select coalesce(sum(open_cents), 0)::float8 as overdue_cents, coalesce(sum(n), 0)::float8 as overdue_invoices,
         coalesce(sum(open_cents) filter (where due_date < $1::date - ${oldDays}), 0)::float8 as old_cents,
         coalesce(sum(n) filter (where due_date < $1::date - ${oldDays}), 0)::float8 as old_invoices
    from (${openSums}) c where currency = $2 and due_date < $1::date`

const save = sql(
  'reports.save-day-figures',
  `insert into day_figures (tenant_id, day, currency, overdue_cents, overdue_invoices, old_cents, old_invoices)
   select current_setting('relance.tenant')::uuid, $1::date, $2, s.* from (${overdueSums}) s
   on conflict (tenant_id, day) do update set (currency, overdue_cents, overdue_invoices, old_cents, old_invoices) =
     row(excluded.currency, excluded.overdue_cents, excluded.overdue_invoices, excluded.old_cents, excluded.old_invoices)`,
)
const selectCurrency = sql(
  'reports.get-currency-of-tenant',
  `select c.currency from tenants t join companies c on c.id = t.company_id where t.id = current_setting('relance.tenant')::uuid`,
)
const purge = sql('reports.purge-day-figures', 'delete from day_figures where day < $1::date')

/** Writes what is overdue on this day; the last writing of a day counts. */
export async function saveDayFigures(tx: Tx, today: LocalDate): Promise<void> {
  const [company] = await tx.rows(selectCurrency, [])
  await tx.rows(save, [today, company!.currency])
}

/** The same in the night, which also forgets days of long ago. */
export async function saveNightFigures(tx: Tx, today: LocalDate): Promise<void> {
  await saveDayFigures(tx, today)
  await tx.rows(purge, [addDays(today, -keptDays)])
}
