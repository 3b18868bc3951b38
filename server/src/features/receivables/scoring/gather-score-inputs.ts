import { answers } from '../../../domain/recovery/cascade.ts'
import { type ScoreInputs, scoreWindowDays } from '../../../domain/score/score.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { balanceColumn, isOpenSql } from '../../recovery/case/invoice-facts.ts'

export interface GatheredInputs {
  debtor_id: string
  inputs: ScoreInputs
  today: LocalDate
  stale_on: LocalDate | null
}

// Limits per debtor: beyond them only the oldest open and the latest settled invoices count.
const openMax = 10_000
const settledMax = 1_000
const messagesMax = 1_000

/** A moment as a day of the company. */
const day = (moment: string) => `(${moment} at time zone clock.zone)::date`

// Today, and the moment at which the time window begins.
const clock = `clock as (
  select x.zone, x.today, (x.today - ${scoreWindowDays - 1})::timestamp at time zone x.zone as since, x.today - ${scoreWindowDays} as before
    from (select c.time_zone as zone, ($2::timestamptz at time zone c.time_zone)::date as today
            from tenants t join companies c on c.id = t.company_id
           where t.id = current_setting('relance.tenant')::uuid) x)`

// From the stored histogram, folded and not yet folded: the middle of the step that contains the median.
const medians = `medians as materialized (
  select distinct on (currency) currency, round(power(2, (magnitude + 0.5) / 12))::bigint as median_cents
    from (select currency, magnitude, sum(sum(n)) over (partition by currency order by magnitude) as up_to,
                 sum(sum(n)) over (partition by currency) as total
            from ((select currency, magnitude, n from count_magnitudes limit 10000)
                  union all
                  select currency, magnitude, n from count_deltas where kind = 'invoice' and magnitude is not null) counted
           group by currency, magnitude having sum(n) > 0) steps
   where 2 * up_to >= total order by currency, magnitude)`

const open = `
  select coalesce(sum(overdue), 0) as overdue, coalesce(sum(overdue_cents), 0) as overdue_cents,
         coalesce(sum(overdue_cent_days), 0) as overdue_cent_days, coalesce(sum(part_cents), 0) as part_cents,
         coalesce(sum(part_amount_cents), 0) as part_amount_cents, min(falls_due_on) as falls_due_on,
         coalesce(jsonb_agg(jsonb_build_object('openCents', open_cents, 'medianCents', median_cents) order by currency)
           filter (where open_cents > 0 and median_cents is not null), '[]') as exposures
    from (select i.currency, count(*) filter (where i.due_date < clock.today) as overdue,
                 sum(i.balance) filter (where i.due_date < clock.today) as overdue_cents,
                 sum(i.balance::numeric * (clock.today - i.due_date)) filter (where i.due_date < clock.today) as overdue_cent_days,
                 sum(i.balance) as open_cents,
                 sum(i.balance) filter (where i.paid_cents > 0) as part_cents,
                 sum(i.amount_cents) filter (where i.paid_cents > 0) as part_amount_cents,
                 min(i.due_date) filter (where i.due_date >= clock.today) + 1 as falls_due_on
            from (select currency, due_date, amount_cents, paid_cents, ${balanceColumn} as balance
                    from invoices i where debtor_id = d.id and ${isOpenSql('i')} order by due_date limit ${openMax}) i
           group by i.currency) per_currency
    left join medians using (currency)`

// The day of the last payment, which may be recorded later than it happened.
const settled = `
  select count(*) as n, coalesce(sum(delay), 0) as delay_days, coalesce(sum(delay) filter (where place <= 3), 0) as last_delay_days,
         min(paid_on) as first_on
    from (select i.paid_on, i.paid_on - i.due_date as delay, row_number() over (order by i.paid_on desc, i.id desc) as place
            from (select i.id, i.due_date, coalesce(
                           (select max(p.day) from payments p where p.invoice_id = i.id and p.status = 'completed'),
                           ${day('i.paid_at')}) as paid_on
                    from invoices i where i.debtor_id = d.id and i.paid_at >= clock.since
                   order by i.paid_at desc limit ${settledMax}) i
           where i.paid_on > clock.before) delays`

const lost = `
  select count(*) as n, coalesce(bool_or(i.judicial), false) as is_judicial, min(i.on_day) as first_on
    from (select status = 'judicial' as judicial, ${day('coalesce(written_off_at, judicial_at, updated_at)')} as on_day
            from invoices where debtor_id = d.id and (written_off_at is not null or judicial_at is not null)
             and status in ('written_off', 'judicial') limit 100) i
   where i.on_day > clock.before`

const paid = `
  select max(p.paid_at) as at, max(p.day) as on_day
    from (select paid_at, day from payments where debtor_id = d.id and status = 'completed' order by paid_at desc limit 1) p`

const incidents = `
  select count(*) filter (where p.reversed_at is null) as failed, count(*) filter (where p.reversed_at is not null) as reversed,
         min(p.day) as first_on
    from (select day, reversed_at from payments where debtor_id = d.id and status = 'failed' limit 1000) p where p.day > clock.before`

// A response of the debtor starts a quiet period of three days: it happened three days before the end of that period.
const debtorResponse = `
  select greatest(paid.at, (select a.quiet_until - interval '3 days' from agendas a
                             where a.tenant_id = current_setting('relance.tenant')::uuid and a.debtor_id = d.id)) as at`

const depthOf = `case channel when 'email' then 1 when 'sms' then 2 when 'voice' then 3 when 'lrar' then 4 end`
// Sent messages count as contacts; a channel whose last message bounced or failed counts as dead.
const messages = `
  select coalesce(sum(m.contacts), 0) as contacts, coalesce(max(m.depth), 0) as depth, min(m.first_on) as first_on,
         coalesce(array_agg(m.channel) filter (where m.last_state in ('bounced', 'failed')), '{}') as dead,
         max(m.letters) as letters
    from (select c.channel, count(*) filter (where c.state in ('sent', 'delivered') and (sign.at is null or c.reserved_at > sign.at)) as contacts,
                 max(${depthOf}) filter (where c.state <> 'failed') as depth, min(${day('c.reserved_at')}) as first_on,
                 (array_agg(c.state order by c.reserved_at desc, c.id desc))[1] as last_state,
                 array_agg(c.id) filter (where c.channel = 'lrar') as letters
            from (select id, channel, state, reserved_at from communications
                   where debtor_id = d.id and reserved_at >= clock.since and state in ('sent', 'delivered', 'bounced', 'failed', 'unknown')
                     and step <> all ('{${answers}}')
                   order by reserved_at desc limit ${messagesMax}) c
           group by c.channel) m`

const points = `contact_points(d.tenant_id, d.id, d.email_key, d.phone)`
const reach = `
  select (select count(distinct channel) from (
            select unnest(messages.dead) as channel
            union all
            select x.channel from unnest(${points}) as own(point) cross join lateral (
              select channel from closed_points where point = own.point and because = 'wrong_person' offset 0) x
             where d.wrong_person) shut)
           as dead_channels,
         exists (select from actions a where a.communication_id = any (messages.letters) and a.status in ('refused', 'unclaimed', 'bounced'))
           as letter_came_back`

const promised = `
  select count(*) filter (where p.status = 'broken') as broken, count(*) filter (where p.status = 'kept') as kept,
         min(${day('p.created_at')}) as first_on
    from (select status, created_at from promises where debtor_id = d.id and created_at >= clock.since limit 1000) p`

const disputed = `
  select count(*) filter (where p.status = 'rejected' and p.opened_at >= clock.since) as rejected,
         count(*) filter (where p.status = 'open') as open,
         min(${day('p.opened_at')}) filter (where p.opened_at >= clock.since) as first_on
    from (select status, opened_at from disputes where debtor_id = d.id limit 1000) p`

const selectScoreInputs = sql(
  'scoring.gather-inputs',
  `with ${clock}, ${medians}
   select d.id as debtor_id, clock.today,
          jsonb_build_object(
            'on', clock.today, 'overdueInvoices', owed.overdue, 'overdueCents', owed.overdue_cents,
            'overdueCentDays', owed.overdue_cent_days, 'exposures', owed.exposures, 'settledInvoices', settled.n,
            'delayDays', settled.delay_days, 'lastDelayDays', settled.last_delay_days, 'badOutcomes', lost.n,
            'contactsSinceSign', messages.contacts, 'deadChannels', reach.dead_channels, 'letterCameBack', reach.letter_came_back,
            'brokenPromises', promised.broken, 'keptPromises', promised.kept, 'rejectedDisputes', disputed.rejected,
            'openDisputes', disputed.open, 'failedPayments', incidents.failed, 'reversedPayments', incidents.reversed,
            'depth', case when lost.is_judicial then 'judicial'
              else (array['none', 'email', 'sms', 'voice', 'lrar'])[1 + messages.depth] end,
            'partCents', owed.part_cents, 'partAmountCents', owed.part_amount_cents, 'lastPaidOn', paid.on_day) as inputs,
          least(owed.falls_due_on, ${scoreWindowDays} + least(settled.first_on, lost.first_on, incidents.first_on, messages.first_on,
            promised.first_on, disputed.first_on)) as stale_on
     from clock cross join debtors d
    cross join lateral (${open}) owed
    cross join lateral (${settled}) settled
    cross join lateral (${lost}) lost
    cross join lateral (${paid}) paid
    cross join lateral (${incidents}) incidents
    cross join lateral (${debtorResponse}) sign
    cross join lateral (${messages}) messages
    cross join lateral (${reach}) reach
    cross join lateral (${promised}) promised
    cross join lateral (${disputed}) disputed
    where d.id = any ($1::uuid[])`,
).as<GatheredInputs>()

/** The current inputs of the score for these debtors of one tenant. */
export const gatherScoreInputs = (
  tx: Tx,
  debtorIds: readonly string[],
  now: number,
): Promise<GatheredInputs[]> => tx.rows(selectScoreInputs, [debtorIds, iso(now)])
