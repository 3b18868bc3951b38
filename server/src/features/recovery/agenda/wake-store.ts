import { sql } from '../../../kit/db/statement.ts'
import { noContactSql } from './plan-columns.ts'

/*
 * Wake-ups that workers take from the table: which are due, which worker took them, and when they are due again.
 */

const isDueSql =
  'taken_generation <> wake_generation and wake_at is not null and is_sandbox = $2 and wake_at <= $1'

// Everything due before $4 is served. The lower bound skips its dead index entries, which stay while an old snapshot is held.
export const listOldest = sql(
  'agenda.list-oldest-due',
  `select tenant_id, debtor_id, wake_generation, wake_at from agendas where ${isDueSql} and wake_at > $4 order by wake_at limit $3`,
).as<{ tenant_id: string; debtor_id: string; wake_generation: number; wake_at: number }>()
// One index lookup per tenant with a wake-up, due or not.
export const listDueTenants = sql(
  'agenda.list-due-tenants',
  `with recursive t as (
     (select tenant_id, wake_at from agendas
       where taken_generation <> wake_generation and wake_at is not null and is_sandbox = $2 order by tenant_id, wake_at limit 1)
     union all
     select n.tenant_id, n.wake_at from t cross join lateral (
       select tenant_id, wake_at from agendas
        where taken_generation <> wake_generation and wake_at is not null and is_sandbox = $2 and tenant_id > t.tenant_id
        order by tenant_id, wake_at limit 1) n)
   select tenant_id from t where wake_at <= $1`,
).as<{ tenant_id: string }>()
export const listDueOfTenants = sql(
  'agenda.list-due-of-tenants',
  `select a.tenant_id, a.debtor_id, a.wake_generation
     from unnest($3::uuid[]) as chosen(tenant_id)
    cross join lateral (
      select tenant_id, debtor_id, wake_generation from agendas
       where ${isDueSql} and tenant_id = chosen.tenant_id order by wake_at limit $4) a`,
)
// A locked agenda is being changed at this moment: it is skipped, and is found again if it is still due.
export const takeAgendas = sql(
  'agenda.take',
  `with free as (
     select a.row_at
       from jsonb_to_recordset($1::jsonb) as x(tenant_id uuid, debtor_id uuid, wake_generation bigint)
      cross join lateral (
        select ctid as row_at from agendas
         where tenant_id = x.tenant_id and debtor_id = x.debtor_id and wake_generation = x.wake_generation and taken_generation <> wake_generation
           for no key update skip locked) a)
   update agendas set taken_generation = wake_generation, taken_at = $2, taken_by = $3
    where ctid = any (array(select row_at from free))
   returning tenant_id, debtor_id, wake_generation`,
)
export const giveBackAgenda = sql(
  'agenda.give-back',
  `update agendas set taken_generation = wake_generation - 1
    where tenant_id = $1 and debtor_id = $2 and wake_generation = $3 and taken_generation = wake_generation and taken_by = $4`,
)
const isTakenSql = `taken_generation = wake_generation and wake_at is not null and is_sandbox = any ('{false,true}')`
// Agendas that silent workers had taken are due again.
export const releaseTakenBy = sql(
  'agenda.release-taken-by',
  `update agendas set taken_generation = wake_generation - 1, taken_by = null where ${isTakenSql} and taken_by = any ($1::uuid[]) returning 1 as one`,
)
// A failed task is retried with an exponential delay. After eight failures the agenda is parked for a person.
export const releaseLate = sql(
  'agenda.release-late',
  `with late as (
     select tenant_id, debtor_id from agendas
      where ${isTakenSql} and taken_by is not null and taken_at <= $1
        and taken_at + power(2, least(attempts, 6)) * $2::double precision * interval '1 millisecond' <= $3
      order by taken_at limit 500 for no key update skip locked)
   update agendas a
      set taken_generation = a.wake_generation - 1, taken_by = null, attempts = a.attempts + 1,
          wake_at = case when a.attempts < 7 then a.wake_at end,
          wake_because = case when a.attempts < 7 then a.wake_because else 'task_failed' end,
          contact_at = case when a.attempts < 7 then a.contact_at end,
          contact_slot = case when a.attempts < 7 then a.contact_slot end,
          contact_channel = case when a.attempts < 7 then a.contact_channel end,
          contact_because = case when a.attempts < 7 then a.contact_because end,
          contact_invoice_id = case when a.attempts < 7 then a.contact_invoice_id end,
          parked_because = case when a.attempts < 7 then a.parked_because else 'task_failed' end
     from late where a.tenant_id = late.tenant_id and a.debtor_id = late.debtor_id
   returning a.tenant_id, a.debtor_id, a.parked_because`,
)

/**
 * The debtor waits without a wake-up time, whatever the reason of the stop. `release_stopped` wakes it when its tenant has no
 * stop any more. The reason is read with `stop_reason`.
 */
export const waitForStop = sql(
  'agenda.wait-for-stop',
  `update agendas set wake_generation = wake_generation + 1, attempts = 0, wake_at = null, wake_because = 'sending_stopped',
          plan_generation = wake_generation + 1, ${noContactSql}
    where tenant_id = $1 and debtor_id = $2`,
)
