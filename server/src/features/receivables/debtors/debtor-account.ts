import type { z } from 'zod'
import type { Channel } from '../../../domain/contact/channel.ts'
import { cascadeOf, type Step } from '../../../domain/recovery/cascade.ts'
import type { DebtorPlan } from '../../../domain/recovery/debtor-plan.ts'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { attentionOf } from '../../../domain/score/attention.ts'
import { riskLevelOf } from '../../../domain/score/score.ts'
import { daysBetween, type LocalDate, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { computePlans, mustBePlannedSql } from '../../recovery/case/debtor-plan.ts'
import { isOpenSql } from '../../recovery/case/invoice-facts.ts'
import type { DebtorAccount } from './account-schema.ts'

// One lookup per debtor and table. Agendas have no row-level policy, so the tenant is a condition.
const selectAccounts = sql(
  'debtors.list-accounts',
  `select d.id as debtor_id, coalesce(o.n, 0)::integer as n, coalesce(o.open_cents, 0)::float8 as open_cents, due.due_date as oldest_due_date,
          a.contact_at, a.contact_channel, a.contact_because, a.contact_invoice_id, a.plan -> 'invoices' as contact_invoices,
          a.plan ->> 'step' as contact_step, lead.cascade, lead.cascade_version, lead.step, lead.cascade_steps,
          ${mustBePlannedSql} as is_unplanned,
          a.parked_because is not null or (select stop_reason($1)) is not null as is_stopped, s.score,
          r.holds, r.notice_at, broken.promise_broken_at, greatest(paid.paid_at, a.quiet_until - interval '3 days') as response_at,
          coalesce(refused.is_refused, false) as is_address_refused
     from unnest($2::uuid[]) as d(id)
     cross join lateral (
       select array(select distinct h from unnest(string_to_array(string_agg(array_to_string(holds, ','), ','), ',')) h where h <> '') as holds,
              max(notice_at) as notice_at
         from (select holds, notice_at from recoveries where debtor_id = d.id and ended_at is null limit 1000) open) r
     left join lateral (
       select promise_broken_at from recoveries where debtor_id = d.id and promise_broken_at is not null
        order by invoice_id limit 1) broken on true
     left join lateral (
       select paid_at from payments where debtor_id = d.id and status = 'completed' order by paid_at desc limit 1) paid on true
     left join lateral (
       select true as is_refused
         from (select tenant_id, id, email_key, phone from debtors where id = d.id offset 0) own
        cross join lateral unnest(contact_points(own.tenant_id, own.id, own.email_key, own.phone)) as p(point)
        cross join lateral (select because from closed_points where point = p.point offset 0) shut
        where shut.because = 'refused' limit 1) refused on true
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
        where i.debtor_id = d.id and ${isOpenSql('i')}
        order by due_date limit 1) due on true
     left join agendas a on a.tenant_id = $1 and a.debtor_id = d.id
     left join lateral (
       select r.cascade, r.cascade_version, r.step,
              (select c.steps from cascades c where c.name = r.cascade and c.version = r.cascade_version) as cascade_steps
         from recoveries r where r.invoice_id = a.contact_invoice_id) lead on a.plan ->> 'step' is null
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
  contact_step: string | null
  /** Of the invoice that leads it, where no plan is stored: its own step is what is sent. */
  cascade: string | null
  cascade_version: number | null
  step: number | null
  cascade_steps: Step[] | null
  is_unplanned: boolean
  is_stopped: boolean
  score: number | null
  holds: Hold[]
  /** The last formal notice of an open recovery. */
  notice_at: number | null
  promise_broken_at: number | null
  /** When the debtor last paid, answered, promised or disputed. */
  response_at: number | null
  is_address_refused: boolean
}

// More open invoices of one debtor are not added up while somebody waits.
const openMax = 10_000
/** The last day of each bucket but the last one, in days past the due date. */
const bucketEdges = [0, 30, 60, 90]

// What is open by its due date, from the index of open invoices; what waits for a court from the index of lost ones.
const selectSums = sql(
  'debtors.get-sums',
  `with owed as materialized (
     (select id, due_date, open_cents, paid_cents, amount_cents, currency from invoices i
       where debtor_id = $1 and ${isOpenSql('i')}
       order by due_date limit ${openMax + 1})
     union all
     (select id, due_date, open_cents, paid_cents, amount_cents, currency from invoices
       where debtor_id = $1 and (written_off_at is not null or judicial_at is not null) and open_cents > 0 limit ${openMax + 1})),
   shown as (select * from owed where currency = $2 and open_cents > 0)
   select (select count(*) from owed)::integer as n,
          (select coalesce(jsonb_agg(b), '[]') from (
             select width_bucket($3::date - due_date, $4::integer[]) as bucket, count(*) as n, sum(open_cents) as cents
               from shown group by 1) b) as buckets,
          (select min(due_date) from shown where due_date >= $3::date) as next_due_date,
          promised.cents as promised_cents, promised.pay_on as promised_on, disputed.cents as disputed_cents, disputed.n as disputed_n
     from (select coalesce(sum(least(greatest(p.amount_cents - i.paid_cents + p.paid_before_cents, 0), i.open_cents)), 0)::float8 as cents,
                  min(p.pay_on) as pay_on
             from (select invoice_id, pay_on, amount_cents, paid_before_cents, status from promises
                    where debtor_id = $1 order by created_at desc limit ${openMax}) p
             join shown i on i.id = p.invoice_id
            where p.status = 'open') promised,
          (select coalesce(sum(least(coalesce(x.amount_cents, i.amount_cents), i.open_cents)), 0)::float8 as cents, count(*)::integer as n
             from (select invoice_id, amount_cents, status from disputes
                    where debtor_id = $1 order by opened_at desc limit ${openMax}) x
             join shown i on i.id = x.invoice_id
            where x.status = 'open') disputed`,
).as<SumsRow>()

interface SumsRow {
  n: number
  buckets: { bucket: number; n: number; cents: number }[]
  next_due_date: LocalDate | null
  promised_cents: number
  promised_on: LocalDate | null
  disputed_cents: number
  disputed_n: number
}

type Sums = Required<
  Pick<
    z.input<typeof DebtorAccount>,
    | 'dueCents'
    | 'notDueCents'
    | 'nextDueDate'
    | 'promisedCents'
    | 'promisedOn'
    | 'disputedCents'
    | 'disputedInvoices'
    | 'ageing'
  >
>

/** What one debtor owes, by when it was due, and what of it is promised or disputed. */
export async function readSums(
  tx: Tx,
  { currency, today }: { currency: string; today: LocalDate },
  debtorId: string,
): Promise<Sums> {
  const [row] = await tx.rows(selectSums, [debtorId, currency, today, bucketEdges.map(edge => edge + 1)])
  const { n, buckets, next_due_date, promised_cents, promised_on, disputed_cents, disputed_n } = row!
  if (n > openMax)
    return {
      dueCents: null,
      notDueCents: null,
      nextDueDate: null,
      promisedCents: null,
      promisedOn: null,
      disputedCents: null,
      disputedInvoices: null,
      ageing: null,
    }
  const ageing = [null, ...bucketEdges].map((after, i) => {
    const found = buckets.find(({ bucket }) => bucket === i)
    return {
      fromDays: after === null ? null : after + 1,
      toDays: bucketEdges[i] ?? null,
      invoices: found?.n ?? 0,
      openCents: found?.cents ?? 0,
    }
  })
  const [notDue, ...due] = ageing
  return {
    dueCents: due.reduce((sum, { openCents }) => sum + openCents, 0),
    notDueCents: notDue!.openCents,
    nextDueDate: next_due_date,
    promisedCents: promised_cents,
    promisedOn: promised_on,
    disputedCents: disputed_cents,
    disputedInvoices: disputed_n,
    ageing,
  }
}

/** Whether a person should look at it today. */
function attentionOn(
  row: AccountRow,
  { timeZone, today }: { timeZone: string; today: LocalDate },
): z.input<typeof DebtorAccount>['attention'] {
  const daysSince = (at: number | null) =>
    at === null ? null : daysBetween(localTime(timeZone, at).date, today)
  const isAnswered = row.response_at !== null && row.notice_at !== null && row.response_at > row.notice_at
  const { level, reasons } = attentionOf({
    isInsolvent: row.holds.includes('insolvency'),
    hasSituation: row.holds.includes('situation'),
    isWrongPerson: row.holds.includes('wrong_person'),
    isAddressRefused: row.is_address_refused,
    oldestDaysOverdue: row.oldest_due_date === null ? null : daysBetween(row.oldest_due_date, today),
    unansweredNoticeDays: isAnswered ? null : daysSince(row.notice_at),
    brokenPromiseDays: daysSince(row.promise_broken_at),
    riskLevel: row.score === null ? null : riskLevelOf(row.score),
  })
  return { level, reasons }
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
  const { cascade, cascade_version: version, step, cascade_steps: steps } = row
  const own = cascade === null ? undefined : cascadeOf(cascade, version!, steps).steps[step!]
  return {
    at: iso(at),
    channel,
    step: row.contact_step ?? own?.name ?? 'extra_message',
    because,
    invoiceIds: row.contact_invoices ?? [row.contact_invoice_id!],
  }
}

/** What debtors owe and their next contact, by their ids. */
export async function readAccounts(
  tx: Tx,
  context: { tenantId: string; currency: string; timeZone: string; now: number; today: LocalDate },
  debtorIds: readonly string[],
): Promise<Map<string, z.input<typeof DebtorAccount>>> {
  const { tenantId, currency, now, today } = context
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
        attention: attentionOn(row, context),
      },
    ]),
  )
}
