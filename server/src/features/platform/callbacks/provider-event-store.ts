import { sql } from '../../../kit/db/statement.ts'

/** An event of a provider, handled once: no row comes back for one that was handled before. */
export const insertProviderEvent = sql(
  'provider-events.insert',
  `insert into provider_events (provider, event_id, received_at) values ($1, $2, $3) on conflict do nothing returning event_id`,
)
export const findProviderEvent = sql(
  'provider-events.find',
  'select 1 from provider_events where provider = $1 and event_id = $2',
)
