import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const foldedMax = 500
/** The mail and its page name this many; the rest are only counted. */
const namedMax = 10

/** The alerts of one kind that wait in a tenant. */
export interface AlertBatch {
  tenant_id: string
  kind: string
}

// The first alert of a kind is mailed at once. While more of it come, a mail follows every ten minutes, or a day later where only
// the provider can do something about it.
const foldAlerts = sql(
  'events.fold-alerts',
  `with taken as (
     delete from alerts where ctid = any (array(
       select ctid from alerts order by recorded_at limit ${foldedMax} for update skip locked))
     returning tenant_id, kind, subject_id),
   batches as (
     insert into alert_batches as b (tenant_id, kind, event_ids, waiting, due_at)
     select tenant_id, kind, (array_agg(subject_id order by subject_id))[1:${namedMax}], count(*)::integer, $1
       from taken group by tenant_id, kind order by tenant_id, kind
     on conflict (tenant_id, kind) do update
       set event_ids = (b.event_ids || excluded.event_ids)[1:${namedMax}], waiting = b.waiting + excluded.waiting,
           due_at = coalesce(b.due_at, greatest(excluded.due_at, b.mailed_at
             + case when b.kind like 'provider\\_away.%' then interval '1 day' else interval '10 minutes' end)))
   select count(*)::integer as taken from taken`,
).as<{ taken: number }>()
const listDueBatches = sql(
  'events.list-due-alerts',
  'select tenant_id, kind from alert_batches where due_at <= $1 order by due_at limit 20',
)
const claimBatch = sql(
  'events.claim-alerts',
  `with due as (
     select tenant_id, kind, event_ids, waiting from alert_batches
      where tenant_id = $1 and kind = $2 and due_at <= $3 for update skip locked)
   update alert_batches b set due_at = null, event_ids = '{}', waiting = 0, mailed_at = $3
     from due where b.tenant_id = due.tenant_id and b.kind = due.kind
   returning due.event_ids, due.waiting`,
)

/** Moves alerts into the batches of their tenants, and lists the batches that may be mailed now. */
export async function takeDueAlerts(
  query: Query,
  wall: number,
): Promise<{ due: AlertBatch[]; hasMore: boolean }> {
  const [folded] = await query(foldAlerts, [iso(wall)])
  return { due: await query(listDueBatches, [iso(wall)]), hasMore: folded!.taken === foldedMax }
}

/** Empties a batch in the transaction that queues its mails; undefined if another worker did. */
export const claimAlertBatch = async (
  tx: Tx,
  { tenant_id, kind }: AlertBatch,
  wall: number,
): Promise<{ event_ids: readonly string[]; waiting: number } | undefined> =>
  (await tx.rows(claimBatch, [tenant_id, kind, iso(wall)]))[0]
