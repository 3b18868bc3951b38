import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

// An agenda with an earlier wake-up keeps it. A parked agenda stays parked until a person releases it. An agenda that waits for
// the end of a stop is woken when the stop ends: its other steps may be due before the new invoice. The plan of a debtor that
// exists is made again, because the new invoice changes it.
const wakesEarlierSql = `(agendas.parked_because is null and agendas.wake_because is distinct from 'sending_stopped'
           and excluded.wake_at is not null and (agendas.wake_at is null or agendas.wake_at > excluded.wake_at))`
const isShownEarlierSql = `agendas.contact_at is null or agendas.contact_at > excluded.contact_at`
const upsertAgendas = sql(
  'agenda.schedule',
  `insert into agendas (tenant_id, debtor_id, wake_at, wake_because, contact_at, contact_slot, contact_channel, contact_because,
     contact_invoice_id, plan_generation, is_sandbox)
   select distinct on (debtor_id) $1::uuid, debtor_id, wake_at, wake_because, due_at, slot_of(due_at), channel, wake_because, invoice_id,
          case when count(*) over (partition by debtor_id) = 1 then 1 else 0 end, $3
     from jsonb_to_recordset($2::jsonb)
       as x(debtor_id uuid, invoice_id uuid, wake_at timestamptz, wake_because text, due_at timestamptz, channel text)
    order by debtor_id, wake_at
   on conflict (tenant_id, debtor_id) do update
     set wake_at = case when ${wakesEarlierSql} then excluded.wake_at else agendas.wake_at end,
         wake_because = case when ${wakesEarlierSql} then excluded.wake_because else agendas.wake_because end,
         wake_generation = agendas.wake_generation + ${wakesEarlierSql}::integer,
         attempts = case when ${wakesEarlierSql} then 0 else agendas.attempts end,
         contact_at = case when excluded.contact_channel is not null and (${isShownEarlierSql}) then excluded.contact_at else agendas.contact_at end,
         contact_slot = case when excluded.contact_channel is not null and (${isShownEarlierSql}) then excluded.contact_slot else agendas.contact_slot end,
         contact_channel = case when excluded.contact_channel is not null and (${isShownEarlierSql}) then excluded.contact_channel else agendas.contact_channel end,
         contact_because = case when excluded.contact_channel is not null and (${isShownEarlierSql}) then excluded.contact_because else agendas.contact_because end,
         contact_invoice_id = case when excluded.contact_channel is not null and (${isShownEarlierSql}) then excluded.contact_invoice_id else agendas.contact_invoice_id end,
         plan_generation = 0`,
)

export interface Wake {
  debtorId: string
  /** Null: an agenda that waits for nothing. */
  invoiceId: string | null
  /** Wall time; null if nothing can be planned (no calendar): the agenda exists without a wake-up. */
  at: number | null
  because: string | null
  /** The same moment by the tenant's clock, and the channel that is planned for it. */
  dueAt: string | null
  channel: string | null
}

/** An agenda that waits for nothing. */
export const idle = { invoiceId: null, at: null, because: null, dueAt: null, channel: null }

/** Runs with the commit, so these are the last locks of the transaction; they are taken in the order of the ids. */
export function scheduleWakes(
  tx: Tx,
  { tenantId, environment }: Pick<Actor, 'tenantId' | 'environment'>,
  wakes: readonly Wake[],
): void {
  if (wakes.length === 0) return
  const rows = wakes.map(wake => ({
    debtor_id: wake.debtorId,
    invoice_id: wake.invoiceId,
    wake_at: wake.at === null ? null : iso(wake.at),
    wake_because: wake.because,
    due_at: wake.dueAt,
    channel: wake.channel,
  }))
  tx.atCommit(upsertAgendas, [tenantId, JSON.stringify(rows), environment === 'sandbox'])
}
