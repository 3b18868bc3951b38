import { adHoc } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Conditions, cappedTotal, countedMax, type Total } from '../../../kit/list.ts'

const bigintMax = '9223372036854775807'

/**
 * SQL: the debtors whose open sum changed since the counts were folded, with the sum they have now, as `fresh_balances` for the
 * statement that follows. Read together with `count_debtor_open` in one statement, that is in one snapshot, every sum is exact.
 *
 * Deltas are folded within a second, so they are few. Of more than 10,000 of a kind (an import, or no worker runs) only that many are
 * added: such a sum is then on its way from the old to the new one, as it is between two folds.
 */
export function freshBalances(filter: Conditions, currency: string): string {
  const given = `${filter.bind(currency)}::text`
  const changes = (condition: string) =>
    `(select debtor_id, open_cents from count_deltas where ${condition} and currency = ${given} limit ${countedMax})`
  return `with fresh_balances as materialized (
    select c.debtor_id, ${given} as currency, least(greatest(sum(c.open_cents) + coalesce((
             select o.open_cents from count_debtor_open o where o.debtor_id = c.debtor_id and o.currency = ${given}), 0), 0), ${bigintMax})::bigint
             as open_cents
      from (${changes(`kind = 'invoice' and due_day is not null`)} union all ${changes(`kind = 'open'`)}) c
     group by c.debtor_id)`
}

/** SQL: the stored sum of this debtor is its sum. By a hashed subquery, so that the scan keeps the order of its index. */
export const isFolded = (debtorId: string): string =>
  `${debtorId} not in (select debtor_id from fresh_balances)`

/**
 * Counts the debtors whose sum passes the conditions for `k`. Stored sums are counted first, then those that changed are taken away
 * and added anew: with `isFolded` the planner expects half of the rows, and would read all of a tenant instead of an index.
 */
export async function countBalances(tx: Tx, filter: Conditions, currency: string): Promise<Total> {
  const [row] = await tx.rows(
    adHoc<{ n: number }>(
      `${freshBalances(filter, currency)}
       select case when stored.n > ${countedMax} then stored.n else stored.n - old.n + fresh.n end as n
         from (select count(*) as n from (
                select 1 from count_debtor_open k ${filter.where()} order by k.open_cents limit ${countedMax + 1}) k) stored,
              (select count(*) as n from fresh_balances f
                cross join lateral (select from count_debtor_open k where k.debtor_id = f.debtor_id and ${filter.all()} offset 0) k) old,
              (select count(*) as n from fresh_balances k ${filter.where()}) fresh`,
    ),
    filter.values,
  )
  return cappedTotal(row!.n)
}
