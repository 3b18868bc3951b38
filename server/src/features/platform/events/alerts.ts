import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** The events a creditor is mailed about, if the debtor, a provider or a worker caused them. */
export const alertedEvents = [
  'dispute.opened',
  'promise.recorded',
  'promise.broken',
  'debtor.wrong_person',
  'message.bounced',
  'reply.received',
  'debtor.request_due',
  'situation.reported',
  'insolvency.declaration_due',
  'decision.due',
  'limitation.approaching',
] as const

/** Owners get these also after they switched alerts off: what is missed here is lost for good. Kept equal with `alert_recipients`. */
export const unsilencedEvents: readonly string[] = ['insolvency.declaration_due']

/** One CTE over `happened` (EventRow columns): an alert for each event of production that a creditor is mailed about. */
export const insertAlerts = `
  alerted as (
    insert into alerts (tenant_id, kind, subject_id, recorded_at)
    select t.id, happened.type, happened.id, happened.recorded_at
      from happened join tenants t on t.id = current_setting('relance.tenant')::uuid and t.environment = 'production'
     where happened.type = any ('{${alertedEvents}}') and happened.actor ->> 'kind' in ('debtor', 'provider', 'worker'))`

const insertProviderAlert = sql(
  'events.insert-provider-alert',
  `insert into alerts (tenant_id, kind, subject_id, recorded_at)
   values (current_setting('relance.tenant')::uuid, 'provider_away.' || $1, current_setting('relance.tenant')::uuid, $2)
   on conflict do nothing`,
)

/** Messages of this tenant wait because the provider of a channel is away. An alert that is still queued is not repeated. */
export const alertProviderAway = (tx: Tx, channel: string, wall: number): void =>
  tx.atCommit(insertProviderAlert, [channel, iso(wall)])
