import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { grantsOf } from '../api-keys/caller-grants.ts'
import { type KeyGrants, limitedRefusal } from '../api-keys/key-grants.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import { roleExceedsCaller } from './errors.ts'
import { receivesAlertsSql } from './hear-alerts.ts'
import type { MemberRow } from './schema.ts'

/** Members and open invitations together. All of them are read for every change, so there is a maximum. */
export const membersMax = 500
export const openInvitationsMax = 50
/** Invitations are mails to addresses that the caller chooses, so they are limited per day. */
export const invitationsPerDayMax = 100
/** For a company that the operator has not opened: it is not vetted, and the mail contains its name. */
const unopenedInvitationsPerDayMax = 10
export const invitationLifeMs = 7 * 24 * 3_600_000

// These tables have no row-level policy: each statement filters by the company of the current tenant.
export const ofCompany = `company_id = (select company_id from tenants where id = current_setting('relance.tenant')::uuid)`

/** The lock for changes of a company's members; `company` is an SQL expression for its id. */
export const membersLockSql = (company: string): string =>
  `pg_advisory_xact_lock(hashtextextended('members of ' || ${company}, 0))`
const acquireMembersLock = sql(
  'people.lock-company-members',
  `select ${membersLockSql('company_id')} from tenants
    where id = current_setting('relance.tenant')::uuid`,
)
// Locks the rows too: other code adds and removes members, and a row that changed while we waited is read again.
const selectMembersForUpdate = sql(
  'people.lock-members',
  `select m.person_id, p.name, p.email, m.role, m.created_at, ${receivesAlertsSql} as receives_alerts
     from memberships m join people p on p.id = m.person_id
    where m.${ofCompany} order by m.person_id for update of m`,
).as<MemberRow>()

const countToday = sql(
  'people.count-invitations-of-day',
  `select count(*) as sent,
          coalesce((select t.enabled from tenants t where t.company_id = $1 and t.environment = 'production'), false) as is_opened
     from invitations where company_id = $1 and id >= $2 and created_at > $3`,
).as<{ sent: number; is_opened: boolean }>()

/** The company's daily limit of invitations if it is used up; else null. Called under the members lock. */
export async function invitationsUsedUp(
  query: Query,
  companyId: string,
  wall: number,
): Promise<number | null> {
  const since = wall - 24 * 3_600_000
  const [row] = await query(countToday, [companyId, lowestIdOf(since), iso(since)])
  const max = row!.is_opened ? invitationsPerDayMax : unopenedInvitationsPerDayMax
  return row!.sent >= max ? max : null
}

/** Locks the members of the company for a change, and reads the caller's grants again. */
export async function lockMembers(
  tx: Tx,
  actor: Actor,
): Promise<{ caller: KeyGrants; members: MemberRow[] }> {
  const [, members, caller] = await Promise.all([
    tx.rows(acquireMembersLock, []),
    tx.rows(selectMembersForUpdate, []),
    grantsOf(tx, actor),
  ])
  return { caller, members }
}

/** A caller may only give or take roles that grant no more than it has. */
export function refuseExceeding(caller: KeyGrants, ...affected: Role[]): void {
  const needed = scopes.filter(scope => affected.some(role => scopesOfRole(role, [scope]).length > 0))
  if (!needed.every(scope => caller.scopes.includes(scope))) throw roleExceedsCaller.make(needed)
}

/** Roles have no expiry and no whitelist, so a key with one of them may not give roles. */
export function refuseLimited(caller: KeyGrants): void {
  const refusal = limitedRefusal(caller)
  if (refusal) throw refusal
}
