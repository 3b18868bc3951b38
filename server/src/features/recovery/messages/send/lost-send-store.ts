import { sql } from '../../../../kit/db/statement.ts'
import { livesSql } from '../../../../kit/heartbeat.ts'

// Messages without a sender whose retry time has come.
export const takeLostSends = sql(
  'messages.take-lost-sends',
  `with lost as (
     select ctid as row_at, communication_id, taken_by is not null and not ${livesSql('taken_by')} as is_orphaned
       from pending_sends where reclaim_at <= $1 order by reclaim_at limit $2 for update skip locked)
   update pending_sends p
      set reclaim_at = $1::timestamptz + power(2, least(p.attempts, 6)) * $3::double precision * interval '1 millisecond',
          attempts = p.attempts + 1, taken_by = $4
    where p.ctid = any (array(select row_at from lost))
   returning p.tenant_id, p.debtor_id, p.communication_id,
     (select is_orphaned from lost where lost.communication_id = p.communication_id) as is_orphaned`,
).as<{ tenant_id: string; debtor_id: string; communication_id: string; is_orphaned: boolean }>()

// Messages held by silent workers are retried at once.
export const releaseSendsHeldBy = sql(
  'messages.release-held-by',
  `update pending_sends set reclaim_at = $1 where taken_by = any ($2::uuid[]) and reclaim_at > $1 returning 1 as one`,
)
