import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { Method } from '../people/session.ts'
import type { Role } from '../roles.ts'

const selectCompanies = sql(
  'people.list-companies',
  `select c.id, c.name, m.role, m.created_at from memberships m join companies c on c.id = m.company_id
    where m.person_id = $1 order by c.name, c.id limit 200`,
).as<{ id: string; name: string; role: Role; created_at: number }>()
const selectPasskeys = sql(
  'people.list-passkeys',
  'select id, name, created_at, last_used_at from passkeys where person_id = $1 order by created_at, id',
)
const selectSessions = sql(
  'people.list-sessions',
  `select token_hash, method, address, agent, created_at, seen_at from sessions
    where person_id = $1 and expires_at > $2 order by created_at desc limit 100`,
).as<{
  token_hash: Buffer
  method: Method
  address: string
  agent: string
  created_at: number
  seen_at: number
}>()
// All grants that are still usable, without a limit, so that each can be withdrawn. There is one per application.
const selectGrants = sql(
  'people.list-grants',
  `select g.id, o.name as client_name, g.environment, g.scopes, g.created_at, g.last_used_at,
          array(select c.name from companies c where c.id = any (g.company_ids) order by c.name) as company_names
     from oauth_grants g join oauth_clients o on o.id = g.client_id
    where g.person_id = $1 and g.revoked_at is null
      and (exists (select from oauth_refresh_tokens r where r.grant_id = g.id and r.used_at is null and r.expires_at > $2)
        or exists (select from oauth_codes c where c.grant_id = g.id and c.used_at is null and c.expires_at > $2))
    order by g.id desc`,
).as<{
  id: string
  client_name: string
  environment: Environment
  scopes: Scope[]
  company_names: string[]
  created_at: number
  last_used_at: number | null
}>()
const selectAuditEvents = sql(
  'people.list-audit-events',
  'select id, type, company_name, actor_kind, actor_name, recorded_at from audit_events_of_owner($1, 50)',
).as<{
  id: string
  type: string
  company_name: string
  actor_kind: string
  actor_name: string | null
  recorded_at: number
}>()

export type AccountFacts = Awaited<ReturnType<typeof readAccount>>

/** The data of the account page. */
export async function readAccount({ pool, clock }: PageContext, personId: string) {
  const query = queryOn(pool)
  const [companyRows, passkeyRows, sessionRows, grantRows, auditRows] = await Promise.all([
    query(selectCompanies, [personId]),
    query(selectPasskeys, [personId]),
    query(selectSessions, [personId, iso(clock.wall())]),
    query(selectGrants, [personId, iso(clock.wall())]),
    query(selectAuditEvents, [personId]),
  ])
  return {
    companies: companyRows,
    passkeys: passkeyRows,
    sessions: sessionRows,
    grants: grantRows,
    auditEvents: auditRows,
  }
}
