import { sql } from '../../../kit/db/statement.ts'

/** Debtors of production that wait for a person, up to a limit. */
export const listParked = sql(
  'agenda.list-parked',
  `select tenant_id, debtor_id, parked_because from agendas where parked_because is not null and is_sandbox = false limit $1`,
).as<{ tenant_id: string; debtor_id: string; parked_because: string }>()

/** Messages of production without an outcome: their count, how many were tried three times, and the oldest. */
export const countPending = sql(
  'agenda.count-pending-sends',
  `select count(*) as count, count(*) filter (where attempts >= 3) as stuck, min(communication_id::text) as oldest
     from (select tenant_id, communication_id, attempts from pending_sends order by reclaim_at limit 5000) pending
    where (select environment from tenants where id = pending.tenant_id) = 'production'`,
).as<{ count: number; stuck: number; oldest: string | null }>()

/** The open stops that apply to all companies. */
export const listStopsOfAll = sql(
  'agenda.list-stops-of-all',
  `select reason, since, stopped_by from stops where target = '*' and ended_at is null order by since`,
)

/** The providers that are away. They get only one message at a time, as a probe. */
export const listAwayProviders = sql(
  'agenda.list-away-providers',
  'select channel, provider, since, reason from provider_outages where until is not null order by since',
)
