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
>
export const lockAgenda = sql(
  'case.lock-agenda',
  `select wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length
     from agendas where tenant_id = $1 and debtor_id = $2 for no key update`,
).as<AgendaLock>()

/** The locks of several debtors, in the order of their ids, which prevents deadlocks. */
export const lockAgendas = sql(
  'case.lock-agendas',
  `select debtor_id, wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length
     from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) order by debtor_id for no key update`,
).as<AgendaLock & { debtor_id: string }>()
readTogether(lockAgenda, lockAgendas, 'debtor_id', 1)

/** The locks of several debtors, without those that another transaction holds. */
export const lockFreeAgendas = sql(
  'case.lock-free-agendas',
  `select debtor_id, wake_generation, wake_at, parked_because, quiet_until, acted_at, chain_head, chain_length
     from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) for no key update skip locked`,
).as<AgendaLock & { debtor_id: string }>()

// The planned moment. If an obstacle may be gone since `freedAt`, a later step is judged again then, but not before its wish.
const momentSql = (freedAt: string) =>
  `case when ${freedAt} is null or due_at <= ${freedAt} then due_at else greatest(wish_at, ${freedAt}) end`

/** The earliest waiting step or extra message of a debtor, and the channel it is planned for. */
const nextMomentSql = (debtorId: string, freedAt: string): string => `
       select moment, due_because, due_channel from (
         (select ${momentSql(freedAt)} as moment, due_because, due_channel from recoveries r
           where r.debtor_id = ${debtorId} and r.ended_at is null and r.due_at is not null and r.communication_id is null order by 1 limit 1)
         union all
         (select ${momentSql(freedAt)}, due_because, channel from extra_messages e
           where e.debtor_id = ${debtorId} and e.due_at is not null and e.communication_id is null order by 1 limit 1)) waiting
        order by moment limit 1`

// Sets the next wake-up of a debtor. Runs last in the transaction.
export const refreshAgenda = sql(
  'case.refresh-agenda',
  `update agendas a
      set wake_generation = a.wake_generation + 1, attempts = 0, wake_at = next.moment - $3::double precision * interval '1 millisecond',
          wake_because = next.due_because, wake_slot = slot_of(next.moment), wake_channel = next.due_channel
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
  /** The new length and head of its chain of contacts; null if there was no contact. */
  position: number | null
  head: string | null
}
export const refreshAgendas = sql(
  'case.refresh-agendas',
  `with x as (select * from jsonb_to_recordset($2::jsonb) as given(debtor_id uuid, is_over boolean, freed_at timestamptz,
     position integer, head text))
   update agendas a
      set chain_head = coalesce(decode(x.head, 'hex'), a.chain_head), chain_length = coalesce(x.position, a.chain_length),
          wake_generation = a.wake_generation + x.is_over::integer,
          attempts = case when x.is_over then 0 else a.attempts end,
          wake_at = case when x.is_over then next.moment - $3::double precision * interval '1 millisecond' else a.wake_at end,
          wake_because = case when x.is_over then next.due_because else a.wake_because end,
          wake_slot = case when x.is_over then slot_of(next.moment) else a.wake_slot end,
          wake_channel = case when x.is_over then next.due_channel else a.wake_channel end
     from x left join lateral (${nextMomentSql('x.debtor_id', 'x.freed_at')}) next on true
    where a.tenant_id = $1 and a.debtor_id = x.debtor_id and a.debtor_id = any (array(select debtor_id from x))
   returning a.debtor_id, a.wake_generation, a.wake_at`,
).as<{ debtor_id: string; wake_generation: number; wake_at: number | null }>()

/** If one of the joined calls has a `freedAt`, it applies to the debtor. */
writeTogether(refreshAgenda, {
  statement: refreshAgendas,
  join: calls => {
    const freed = new Map<string, string | null>()
    for (const [, debtorId, , freedAt] of calls as readonly (readonly [
      string,
      string,
      number,
      string | null,
    ])[])
      freed.set(debtorId, freedAt ?? freed.get(debtorId) ?? null)
    const updates = [...freed].map(
      ([debtor_id, freed_at]): AgendaUpdate => ({
        debtor_id,
        is_over: true,
        freed_at,
        position: null,
        head: null,
      }),
    )
    return [calls[0]![0]!, JSON.stringify(updates), calls[0]![2]!]
  },
})
