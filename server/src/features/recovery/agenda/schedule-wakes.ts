import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

// An agenda with an earlier wake-up is not changed. A parked agenda stays parked until a person releases it. An agenda that
// waits for the end of a stop is woken when the stop ends: its other steps may be due before the new invoice.
const upsertAgendas = sql(
  'agenda.schedule',
  `insert into agendas (tenant_id, debtor_id, wake_at, wake_because, wake_slot, wake_channel, is_sandbox)
   select distinct on (debtor_id) $1::uuid, debtor_id, wake_at, wake_because, slot_of(due_at), channel, $3
     from jsonb_to_recordset($2::jsonb) as x(debtor_id uuid, wake_at timestamptz, wake_because text, due_at timestamptz, channel text)
    order by debtor_id, wake_at
   on conflict (tenant_id, debtor_id) do update
     set wake_at = excluded.wake_at, wake_because = excluded.wake_because, wake_slot = excluded.wake_slot,
         wake_channel = excluded.wake_channel, wake_generation = agendas.wake_generation + 1, attempts = 0
   where agendas.parked_because is null and agendas.wake_because is distinct from 'sending_stopped'
     and (agendas.wake_at is null or agendas.wake_at > excluded.wake_at)`,
)

export interface Wake {
  debtorId: string
  /** Wall time; null if nothing can be planned (no calendar): the agenda exists without a wake-up. */
  at: number | null
  because: string | null
  /** The same moment by the tenant's clock, and the channel that is planned for it. */
  dueAt: string | null
  channel: string | null
}

/** An agenda that waits for nothing. */
export const idle = { at: null, because: null, dueAt: null, channel: null }

/** Runs with the commit, so these are the last locks of the transaction; they are taken in the order of the ids. */
export function scheduleWakes(
  tx: Tx,
  { tenantId, environment }: Pick<Actor, 'tenantId' | 'environment'>,
  wakes: readonly Wake[],
): void {
  if (wakes.length === 0) return
  const rows = wakes.map(wake => ({
    debtor_id: wake.debtorId,
    wake_at: wake.at === null ? null : iso(wake.at),
    wake_because: wake.because,
    due_at: wake.dueAt,
    channel: wake.channel,
  }))
  tx.atCommit(upsertAgendas, [tenantId, JSON.stringify(rows), environment === 'sandbox'])
}
