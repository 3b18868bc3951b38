import type { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { riskLevelOf } from '../../../domain/score/score.ts'
import { daysBetween, type LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { DebtorAccount } from './account-schema.ts'

// One lookup per debtor and table. Agendas have no row-level policy, so the tenant is a condition.
const selectAccounts = sql(
  'debtors.list-accounts',
  `select d.id as debtor_id, coalesce(o.n, 0)::integer as n, coalesce(o.open_cents, 0)::float8 as open_cents, due.due_date as oldest_due_date,
          a.wake_at, a.wake_channel, a.wake_because, s.score,
          array(select distinct unnest(r.holds) from (
            select holds from recoveries where debtor_id = d.id and ended_at is null limit 1000) r) as holds
     from unnest($2::uuid[]) as d(id)
     left join (
       select debtor_id, sum(n) as n, sum(open_cents) as open_cents from (
         select debtor_id, n, open_cents from count_debtor_open where debtor_id = any ($2::uuid[]) and currency = $3
         union all
         select debtor_id, open_n, open_cents from count_deltas
          where kind = 'invoice' and due_day is not null and debtor_id = any ($2::uuid[]) and currency = $3
         union all
         select debtor_id, open_n, open_cents from count_deltas where kind = 'open' and debtor_id = any ($2::uuid[]) and currency = $3) c
        group by debtor_id) o on o.debtor_id = d.id
     left join lateral (
       select due_date from invoices i
        where i.debtor_id = d.id and i.paid_at is null and i.written_off_at is null and i.judicial_at is null and i.cancelled_at is null
        order by due_date limit 1) due on true
     left join agendas a on a.tenant_id = $1 and a.debtor_id = d.id and a.wake_channel is not null
     left join debtor_scores s on s.debtor_id = d.id`,
).as<{
  debtor_id: string
  n: number
  open_cents: number
  oldest_due_date: string | null
  wake_at: number | null
  wake_channel: Channel | null
  wake_because: string | null
  score: number | null
  holds: Hold[]
}>()

/** What debtors owe and their next contact, by their ids. `offsetMs` converts wall time to the tenant's time. */
export async function readAccounts(
  tx: Tx,
  {
    tenantId,
    currency,
    offsetMs,
    today,
  }: { tenantId: string; currency: string; offsetMs: number; today: LocalDate },
  debtorIds: readonly string[],
): Promise<Map<string, z.input<typeof DebtorAccount>>> {
  const rows = await tx.rows(selectAccounts, [tenantId, debtorIds, currency])
  return new Map(
    rows.map(row => [
      row.debtor_id,
      {
        currency,
        openCents: row.open_cents,
        openInvoices: row.n,
        oldestDueDate: row.oldest_due_date,
        oldestDaysOverdue: row.oldest_due_date === null ? null : daysBetween(row.oldest_due_date, today),
        nextContact:
          row.wake_at === null || row.wake_channel === null
            ? null
            : { at: iso(row.wake_at + offsetMs), channel: row.wake_channel, because: row.wake_because },
        heldBy: holds.filter(hold => row.holds.includes(hold)),
        riskLevel: row.score === null ? null : riskLevelOf(row.score),
      },
    ]),
  )
}
