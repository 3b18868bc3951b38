import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Total } from '../../../kit/list.ts'

// Totals and deltas are read in one statement, that is in one snapshot, so each delta is counted exactly once.
const byStatus = sql(
  'counts.by-status',
  `select coalesce(sum(n), 0)::bigint as n from (
     select n from count_totals where kind = $1 and ($2::text is null or status = $2)
     union all
     select n from count_deltas where kind = $1 and ($2::text is null or status = $2)) counted`,
).as<{ n: number }>()
const byDay = sql(
  'counts.by-day',
  `select coalesce(sum(n), 0)::bigint as n from (
     select n from count_days
      where kind = $1 and ($2::text is null or status = $2) and day >= $3::date and day <= $4::date
     union all
     select n from count_deltas
      where kind = $1 and ($2::text is null or status = $2) and day >= $3::date and day <= $4::date) counted`,
).as<{ n: number }>()
const byDebtor = sql(
  'counts.by-debtor',
  `select coalesce(sum(n), 0)::bigint as n from (
     select n from count_debtor_invoices where debtor_id = $1
     union all
     select n from count_deltas where kind = 'invoice' and debtor_id = $1) counted`,
).as<{ n: number }>()

type CountKind = 'invoice' | 'payment' | 'debtor' | 'slot'

const exactTotal = async (rows: Promise<{ n: number }[]>): Promise<Total> => ({
  total: (await rows)[0]!.n,
  isExact: true,
})

export const totalOf = (tx: Tx, kind: CountKind, status: string | null = null): Promise<Total> =>
  exactTotal(tx.rows(byStatus, [kind, status]))

/** The debtors with a planned message. */
export const totalOfPlanned = (tx: Tx): Promise<Total> => totalOf(tx, 'slot', 'planned')

export const totalOfDays = (
  tx: Tx,
  kind: CountKind,
  status: string | null,
  from: string | null,
  to: string | null,
) => exactTotal(tx.rows(byDay, [kind, status, from ?? '0001-01-01', to ?? '9999-12-31']))

export const totalOfDebtor = (tx: Tx, debtorId: string): Promise<Total> =>
  exactTotal(tx.rows(byDebtor, [debtorId]))
