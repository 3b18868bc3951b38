import { readTogether, writeTogether } from '../../../kit/db/group.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'

/*
 * The agenda of a debtor: the lock that every change takes, and the next wake-up.
 */

/** The debtor's lock: every change to what a debtor is sent takes it first. Lock in one statement, read in the next. */
export type AgendaLock = Pick<
  Tables['agendas'],
  | 'wake_generation'
  | 'wake_at'
  | 'parked_because'
  | 'quiet_until'
  | 'acted_at'
  | 'chain_head'
  | 'chain_length'
> & {
  /** A stored plan says more than the moment of a single message. */
  has_plan: boolean
  is_unplanned: boolean
}
const planStateSql = 'plan is not null as has_plan, plan_generation <> wake_generation as is_unplanned'
export const lockAgenda = sql(
  'case.lock-agenda',
  `select wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length, ${planStateSql}
     from agendas where tenant_id = $1 and debtor_id = $2 for no key update`,
).as<AgendaLock>()

/** The locks of several debtors, in the order of their ids, which prevents deadlocks. */
export const lockAgendas = sql(
  'case.lock-agendas',
  `select debtor_id, wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length, ${planStateSql}
     from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) order by debtor_id for no key update`,
).as<AgendaLock & { debtor_id: string }>()
readTogether(lockAgenda, lockAgendas, 'debtor_id', 1)

/** The locks of several debtors, without those that another transaction holds. */
export const lockFreeAgendas = sql(
  'case.lock-free-agendas',
  `select debtor_id, wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length, ${planStateSql}
     from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) for no key update skip locked`,
).as<AgendaLock & { debtor_id: string }>()

// The planned moment. If an obstacle may be gone since `freedAt`, what waits longer than it wishes is judged again at once.
const momentSql = (freedAt: string) =>
  `case when ${freedAt} < due_at and wish_at < due_at then ${freedAt} else due_at end`

/** The earliest waiting step or extra message of a debtor, whether it is a message, and whether it is the only one. */
const nextMomentSql = (debtorId: string, freedAt: string): string => `
       select moment, due_at, due_because, due_channel, invoice_id, is_message, last_executed_at, count(*) over () = 1 and moment = due_at as is_alone from (
         (select ${momentSql(freedAt)} as moment, due_at, due_because, due_channel, invoice_id, last_executed_at,
                 due_channel is not null and status = 'in_recovery' and not_before is null as is_message from recoveries r
           where r.debtor_id = ${debtorId} and r.ended_at is null and r.due_at is not null and r.communication_id is null order by 1 limit 2)
         union all
         (select ${momentSql(freedAt)}, due_at, due_because, channel, invoice_id, null, true from extra_messages e
           where e.debtor_id = ${debtorId} and e.due_at is not null and e.communication_id is null order by 1 limit 2)) waiting
        order by moment limit 1`

// Until the plan is made, the earliest waiting message is shown in lists.
const planColumnsSql = (isPlanned: string, isOver = 'true'): string => {
  const contact = { at: 'due_at', channel: 'due_channel', because: 'due_because', invoice_id: 'invoice_id' }
  const columns = [
    ...Object.entries(contact).map(([column, from]) => [`contact_${column}`, `next.${from}`]),
    ['contact_slot', 'slot_of(next.due_at)'],
  ]
  return `
          ${columns
            .map(
              ([column, value]) =>
                `${column} = case when not ${isOver} then a.${column} when next.is_message then ${value} end`,
            )
            .join(`,
          `)},
          plan = case when not ${isOver} then a.plan end,
          plan_generation = case when ${isOver} and ${isPlanned} then a.wake_generation + 1 else a.plan_generation end`
}

// The moment of a recovery that waits alone is the whole plan only if its last step was executed just now: only then it was judged
// with everything that is known of the debtor.
const isWholePlanSql = (advancedAt: string) =>
  `(next.moment is null or (next.is_alone and next.is_message and next.last_executed_at = ${advancedAt} and (a.quiet_until is null or a.quiet_until <= next.due_at)))`

// Sets the next wake-up of a debtor. Runs last in the transaction. $5: how the debtor can be reached has changed.
export const refreshAgenda = sql(
  'case.refresh-agenda',
  `update agendas a
      set wake_generation = a.wake_generation + 1, attempts = 0, wake_at = next.moment - $3::double precision * interval '1 millisecond',
          wake_because = next.due_because, ${planColumnsSql('next.moment is null and not $5::boolean')}
     from (select $2::uuid as debtor_id) d
     left join lateral (${nextMomentSql('d.debtor_id', '$4::timestamptz')}) next on true
    where a.tenant_id = $1 and a.debtor_id = d.debtor_id
   returning a.wake_generation, a.wake_at`,
).as<{ wake_generation: number; wake_at: number | null }>()

/** What settled messages change in the agenda of a debtor. */
export interface AgendaUpdate {
  debtor_id: string
  /** The message has no recoveries left to advance: the next wake-up is set. */
  is_over: boolean
  freed_at: string | null
  /** The plan has to be made again, even if a single message waits. */
  is_reach_changed?: boolean
  /** The moment of the settlement. */
  advanced_at: string | null
  /** The new length and head of its chain of contacts; null if there was no contact. */
  position: number | null
  head: string | null
}
export const refreshAgendas = sql(
  'case.refresh-agendas',
  `with x as (select * from jsonb_to_recordset($2::jsonb) as given(debtor_id uuid, is_over boolean, freed_at timestamptz,
     is_reach_changed boolean, advanced_at timestamptz, position integer, head text))
   update agendas a
      set chain_head = coalesce(decode(x.head, 'hex'), a.chain_head), chain_length = coalesce(x.position, a.chain_length),
          wake_generation = a.wake_generation + x.is_over::integer,
          attempts = case when x.is_over then 0 else a.attempts end,
          wake_at = case when x.is_over then next.moment - $3::double precision * interval '1 millisecond' else a.wake_at end,
          wake_because = case when x.is_over then next.due_because else a.wake_because end,${planColumnsSql(`${isWholePlanSql('x.advanced_at')} and x.is_reach_changed is not true`, 'x.is_over')}
     from x left join lateral (${nextMomentSql('x.debtor_id', 'x.freed_at')}) next on true
    where a.tenant_id = $1 and a.debtor_id = x.debtor_id and a.debtor_id = any (array(select debtor_id from x))
   returning a.debtor_id, a.wake_generation, a.wake_at`,
).as<{ debtor_id: string; wake_generation: number; wake_at: number | null }>()

// Only while the plan is not older than the agenda.
export const storePlanned = sql(
  'case.store-plans',
  `with x as (select * from jsonb_to_recordset($2::jsonb) as given(debtor_id uuid, generation bigint, at timestamptz, channel text,
     because text, invoice_id uuid, plan jsonb))
   update agendas a
      set contact_at = x.at, contact_slot = slot_of(x.at), contact_channel = x.channel, contact_because = x.because,
          contact_invoice_id = x.invoice_id, plan = x.plan, plan_generation = a.wake_generation
     from x where a.tenant_id = $1 and a.debtor_id = x.debtor_id and a.debtor_id = any (array(select debtor_id from x))
      and a.wake_generation = x.generation`,
)

const samePersonsSql = `
     select distinct d.id from debtors own
      cross join lateral (
        select id from debtors d where d.tenant_id = own.tenant_id and d.email_key = own.email_key and d.id <> own.id
        union
        select id from debtors d where d.tenant_id = own.tenant_id and d.phone = own.phone and d.id <> own.id limit 500) d
      where own.tenant_id = $1 and own.id = any ($2::uuid[])`
/**
 * A contact takes the day of the person: the plans of other records with the same email or phone are made again. It waits for no
 * lock, because it holds one itself; returns how many records it left out, whose lock another transaction holds.
 */
export const markSamePersons = sql(
  'case.mark-same-persons',
  `with same as (${samePersonsSql}),
   free as (
     select ctid from agendas where tenant_id = $1 and debtor_id = any (array(select id from same)) for no key update skip locked),
   marked as (update agendas set plan_generation = 0 where ctid = any (array(select ctid from free)) returning 1)
   select ((select count(*) from agendas where tenant_id = $1 and debtor_id = any (array(select id from same)))
           - (select count(*) from marked))::integer as left_out`,
).as<{ left_out: number }>()

/** The same in a transaction of its own after the contact: what held a lock may have planned without it. */
export const markAllSamePersons = sql(
  'case.mark-all-same-persons',
  `with same as (${samePersonsSql}),
   locked as (
     select debtor_id from agendas where tenant_id = $1 and debtor_id = any (array(select id from same))
      order by debtor_id for no key update)
   update agendas set plan_generation = 0 where tenant_id = $1 and debtor_id = any (array(select debtor_id from locked))`,
)

/**
 * The address of a channel refused a message, or may be tried again: who has the same one is looked at by `at`, our time, and is planned
 * anew. A record whose lock another transaction holds is left out: its next look finds it.
 */
export const lookAtSharing = sql(
  'case.look-at-sharing',
  `with own as (select id, email_key, phone from debtors where id = $2),
   same as (
     select id from own
     union select d.id from own join debtors d on d.email_key = own.email_key where $3 = 'email'
     union select d.id from own join debtors d on d.phone = own.phone where $3 = any ('{sms,voice}')),
   free as (
     select ctid from agendas
      where tenant_id = $1 and debtor_id = any (array(select id from same)) and wake_at is not null and parked_because is null
        for no key update skip locked)
   update agendas set wake_at = least(wake_at, $4), plan_generation = 0 where ctid = any (array(select ctid from free))`,
)

/** If one of the joined calls has a `freedAt`, or changed how the debtor can be reached, it applies to the debtor. */
writeTogether(refreshAgenda, {
  statement: refreshAgendas,
  join: calls => {
    const updates = new Map<string, AgendaUpdate>()
    for (const [, debtorId, , freedAt, isReachChanged] of calls as readonly RefreshValues[]) {
      const before = updates.get(debtorId)
      updates.set(debtorId, {
        debtor_id: debtorId,
        is_over: true,
        freed_at: freedAt ?? before?.freed_at ?? null,
        is_reach_changed: isReachChanged || before?.is_reach_changed === true,
        advanced_at: null,
        position: null,
        head: null,
      })
    }
    return [calls[0]![0]!, JSON.stringify([...updates.values()]), calls[0]![2]!]
  },
})

type RefreshValues = readonly [
  tenantId: string,
  debtorId: string,
  offsetMs: number,
  freedAt: string | null,
  isReachChanged: boolean,
]
