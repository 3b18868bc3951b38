import { situations } from '../../../domain/recovery/told.ts'
import type { Actor } from '../../../kit/actor.ts'
import { countedMax } from '../../../kit/list.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { ofCompany } from '../../access/people/members.ts'
import { isOpenSql } from '../../recovery/case/invoice-facts.ts'
import { decisionCauses, groupOfKind, standingOfCause } from './schema.ts'

const isSituation = (said: string) => `(${said} is not null and ${said} = any ('{${situations}}'))`

/** The standings that a person ends, with the kind of the task. */
const kindOfStanding = {
  ...Object.fromEntries(decisionCauses.map(cause => [standingOfCause[cause], 'decision'])),
  'held:wrong_person': 'wrong_person',
  'held:address_refused': 'address_refused',
}
// The index `recoveries_to_settle` has this condition.
const isToSettle = `r.standing in ('decide', 'held:upheld', 'held:reopened', 'held:wrong_person', 'held:address_refused')`

/** SQL: since when a recovery waits for a person. */
export const settledSince = (r: string) => `coalesce(${r}.paused_at, ${r}.last_executed_at, ${r}.created_at)`

const cases = (column: string, values: Readonly<Record<string, string>>) =>
  `case ${column} ${Object.entries(values)
    .map(([when, then]) => `when '${when}' then '${then}'`)
    .join(' ')} end`

/**
 * SQL: the debtors with something that waits for a person, as `work`, for the parameters tenant, currency, today and whose: `none`,
 * the id of a person, or null for everybody's. The list and its counts are made of it, so they cannot differ.
 *
 * Each kind is read from an index that has nothing else in it, up to 10,000 rows. The conditions on the lowest id and the orders keep
 * the planner on these indexes. Of the standings every debtor is found by a step in the index, so that one with 100,000 such invoices
 * is one row.
 *
 * `open` is materialized: with the `coalesce` of a full join in its condition, the id of a debtor would be no condition of an index.
 * Of more than 10,000 debtors some are left out, so that no request reads more. A debtor with a day to come back is later until that day, or until something arose after the note.
 */
export const workSql = `
  with recursive settled (standing, debtor_id, n) as (
    select s.standing,
           (select r.debtor_id from recoveries r where r.standing = s.standing and ${isToSettle} order by r.debtor_id limit 1), 1
      from unnest('{${Object.keys(kindOfStanding)}}'::text[]) s(standing)
    union all
    select s.standing,
           (select r.debtor_id from recoveries r
             where r.standing = s.standing and ${isToSettle} and r.debtor_id > s.debtor_id order by r.debtor_id limit 1), s.n + 1
      from settled s where s.debtor_id is not null and s.n < ${countedMax}),
  facts (debtor_id, kind, n, latest) as materialized (
    select debtor_id, case when ${isSituation('said')} then 'situation' else 'reply' end, count(*), max(received_at) from (
      select debtor_id, said, received_at from replies where read_at is null and debtor_id > '${lowestId}' order by debtor_id limit ${countedMax}) y
     group by 1, 2
    union all
    select debtor_id, 'dispute', count(*), null from (
      select debtor_id from recoveries where 'dispute' = any (holds) and debtor_id > '${lowestId}' order by debtor_id limit ${countedMax}) x
     group by 1
    union all
    select debtor_id, ${cases('standing', kindOfStanding)}, count(*), null from settled where debtor_id is not null group by 1, 2
    union all
    select debtor_id, 'promise_broken', count(*), max(promise_broken_at) from (
      select debtor_id, promise_broken_at from recoveries where promise_broken_at is not null and debtor_id > '${lowestId}'
       order by debtor_id limit ${countedMax}) p
     group by 1
    union all
    select debtor_id, 'data_request', count(*), max(created_at) from (
      select debtor_id, created_at from data_requests where decision is null and debtor_id > '${lowestId}' order by debtor_id limit ${countedMax}) q
     group by 1
    union all
    (select id, 'claim', 1, insolvency_recorded_at from debtors
      where insolvency_declare_by is not null and insolvency_declared_on is null order by insolvency_declare_by limit ${countedMax})
    union all
    select m.debtor_id, 'unknown_message', count(*), max(u.since) from (
      select communication_id, since from unknown_messages where tenant_id = $1 and seen_at is null and communication_id > '${lowestId}'
       order by communication_id limit ${countedMax}) u
      cross join lateral (select debtor_id from communications where id = u.communication_id offset 0) m
     group by 1),
  team as materialized (select person_id from memberships where ${ofCompany}),
  fresh_sums as materialized (
    select debtor_id, sum(open_cents) as open_cents from (
      (select debtor_id, open_cents from count_deltas where kind = 'invoice' and due_day is not null and currency = $2 limit ${countedMax})
      union all
      (select debtor_id, open_cents from count_deltas where kind = 'open' and currency = $2 limit ${countedMax})) c
     group by 1),
  come_backs as materialized (
    select debtor_id, come_back_on, created_at from debtor_notes
     where come_back_on is not null and come_back_ended_at is null and debtor_id > '${lowestId}' order by debtor_id limit ${countedMax}),
  open as materialized (
    select debtor_id, f.n, f.groups, c.come_back_on,
           c.come_back_on > $3::date and f.latest > c.created_at is not true and not exists (
             select from disputes x where x.debtor_id = c.debtor_id and x.opened_at > c.created_at and x.status = 'open')
           and not exists (
             select from (select ${settledSince('r')} as since from recoveries r where r.debtor_id = c.debtor_id and ${isToSettle} limit 1000) r
              where r.since > c.created_at) as is_later
      from (select debtor_id, sum(n)::integer as n, array_agg(distinct ${cases('kind', groupOfKind)}) as groups, max(latest) as latest
              from facts group by 1) f
      full join come_backs c using (debtor_id)),
  found as materialized (
    select o.debtor_id, d.name, d.in_charge_id, o.come_back_on, o.is_later is true as is_later, b.is_asked as comes_back,
           coalesce(o.n, 0) + b.is_asked::integer as n, o.groups || case when b.is_asked then array['follow_ups'] end as groups
      from (select * from open order by debtor_id limit ${countedMax}) o
      cross join lateral (select o.come_back_on is not null and (o.is_later or o.come_back_on <= $3::date) as is_asked) b
      cross join lateral (
        select name, case when in_charge_id in (select person_id from team) then in_charge_id end as in_charge_id
          from debtors where id = o.debtor_id and erased_at is null offset 0) d),
  work as materialized (
    select f.*, s.open_cents::float8 as open_cents, due.due_date as oldest_due_date,
           coalesce(s.open_cents::float8 * greatest($3::date - due.due_date, 0), 0) as weight
      from found f
      cross join lateral (
        select greatest(coalesce((select o.open_cents from count_debtor_open o where o.debtor_id = f.debtor_id and o.currency = $2), 0)
                 + coalesce((select c.open_cents from fresh_sums c where c.debtor_id = f.debtor_id), 0), 0) as open_cents offset 0) s
      left join lateral (
        select due_date from invoices i
         where i.debtor_id = f.debtor_id and ${isOpenSql('i')}
         order by due_date limit 1) due on true
     where $4::text is null or coalesce(f.in_charge_id::text, 'none') = $4)`

/** The person who asks: themselves, or through an application. */
export const personOf = ({ kind, id, onBehalfOf }: Actor): string | null =>
  onBehalfOf ?? (kind === 'person' ? id : null)

/** The filter by the person in charge, as `work` takes it; a caller that is no person is in charge of nothing. */
export const whoseWork = (inCharge: string | undefined, actor: Actor): string | null =>
  inCharge === 'me' ? (personOf(actor) ?? 'nobody') : (inCharge ?? null)
