import type { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { DebtorPlan } from '../../../domain/recovery/debtor-plan.ts'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { riskLevelOf } from '../../../domain/score/score.ts'
import { daysBetween, type LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { computePlans, mustBePlannedSql } from '../../recovery/case/debtor-plan.ts'
import type { DebtorAccount } from './account-schema.ts'

// One lookup per debtor and table. Agendas have no row-level policy, so the tenant is a condition.
const selectAccounts = sql(
  'debtors.list-accounts',
  `select d.id as debtor_id, coalesce(o.n, 0)::integer as n, coalesce(o.open_cents, 0)::float8 as open_cents, due.due_date as oldest_due_date,
          a.contact_at, a.contact_channel, a.contact_because, a.contact_invoice_id, a.plan -> 'invoices' as contact_invoices,
          ${mustBePlannedSql} as is_unplanned,
          a.parked_because is not null or (select stop_reason($1)) is not null as is_stopped, s.score,
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
     left join agendas a on a.tenant_id = $1 and a.debtor_id = d.id
     left join debtor_scores s on s.debtor_id = d.id`,
).as<AccountRow>()

interface AccountRow {
  debtor_id: string
  n: number
  open_cents: number
  oldest_due_date: string | null
  contact_at: number | null
  contact_channel: Channel | null
  contact_because: string | null
  contact_invoice_id: string | null
  /** Null: only the invoice that leads it. */
  contact_invoices: string[] | null
  is_unplanned: boolean
  is_stopped: boolean
  score: number | null
  holds: Hold[]
}

/** The next message, as it is stored, or as it was computed because the facts have just changed. */
function nextContactOf(
  row: AccountRow,
  plan: DebtorPlan | undefined,
): z.input<typeof DebtorAccount>['nextContact'] {
  if (plan) {
    const { message } = plan
    return message && { ...message, at: iso(message.at), invoiceIds: [...message.invoiceIds] }
  }
  const { contact_at: at, contact_channel: channel, contact_because: because } = row
  if (at === null || channel === null) return null
  return { at: iso(at), channel, because, invoiceIds: row.contact_invoices ?? [row.contact_invoice_id!] }
}

/** What debtors owe and their next contact, by their ids. */
export async function readAccounts(
  tx: Tx,
  { tenantId, currency, now, today }: { tenantId: string; currency: string; now: number; today: LocalDate },
  debtorIds: readonly string[],
): Promise<Map<string, z.input<typeof DebtorAccount>>> {
  const rows = await tx.rows(selectAccounts, [tenantId, debtorIds, currency])
  const unplanned = rows.filter(row => row.is_unplanned).map(row => row.debtor_id)
  const plans = await computePlans(tx, tenantId, unplanned, now)
  return new Map(
    rows.map(row => [
      row.debtor_id,
      {
        currency,
        openCents: row.open_cents,
        openInvoices: row.n,
        oldestDueDate: row.oldest_due_date,
        oldestDaysOverdue: row.oldest_due_date === null ? null : daysBetween(row.oldest_due_date, today),
        nextContact: row.is_stopped ? null : nextContactOf(row, plans.get(row.debtor_id)),
        heldBy: holds.filter(hold => row.holds.includes(hold)),
        riskLevel: row.score === null ? null : riskLevelOf(row.score),
      },
    ]),
  )
}
