import type { Environment } from '../../../kit/actor.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { createKey } from '../api-keys/create-key.ts'
import { listEnabledKeys } from '../api-keys/list-keys.ts'
import type { KeyRow } from '../api-keys/schema.ts'
import { readCompany } from '../companies/company-store.ts'
import { payoutAccess } from '../companies/payout-fields.ts'
import { type CompanyRow, defaultSettings, type Settings } from '../companies/settings.ts'
import { updateCompany } from '../companies/update-company.ts'
import { mayRole } from '../may-role.ts'
import { type Membership, readAsPerson } from '../people/act-as-person.ts'
import { changeRole } from '../people/change-member.ts'
import { receivesAlertsSql } from '../people/hear-alerts.ts'
import { readMembersAndInvitations } from '../people/list-members.ts'
import type { InvitationRow, MemberRow } from '../people/schema.ts'
import type { SignedInVisit } from '../people/visit.ts'
import type { Role } from '../roles.ts'

const selectMemberships = sql(
  'account.list-memberships',
  `select c.id as "companyId", c.name, m.role, ${receivesAlertsSql} as "receivesAlerts",
          jsonb_object_agg(t.environment, t.id) as tenants
     from memberships m join companies c on c.id = m.company_id join tenants t on t.company_id = c.id
    where m.person_id = $1 group by c.id, c.name, m.role, m.receives_alerts order by c.name, c.id limit 200`,
).as<Membership>()

/** The companies of a person, by name. */
export const readMemberships = ({ pool }: PageContext, personId: string): Promise<Membership[]> =>
  queryOn(pool)(selectMemberships, [personId])

/** Who sees and changes what on the page of a company. */
export const mayChangePayout = (role: Role): boolean => mayRole(role, payoutAccess)
export const mayChangeSettings = (role: Role): boolean => mayRole(role, updateCompany)
export const mayChangeMembers = (role: Role): boolean => mayRole(role, changeRole)
export const mayUseKeys = (role: Role): boolean => mayRole(role, createKey)

export interface CompanyFacts {
  company: CompanyRow
  settings: Settings
  /** Null: not for this role. */
  members: { members: MemberRow[]; invitations: InvitationRow[] } | null
  keys: Record<Environment, KeyRow[]> | null
}

/** The data that the company page shows to this member. */
export async function readCompanyFacts(visit: SignedInVisit, membership: Membership): Promise<CompanyFacts> {
  const { role, companyId, tenants } = membership
  const production = readAsPerson(visit, membership, 'production')
  const sandbox = readAsPerson(visit, membership, 'sandbox')
  const [[company], members, keys] = await Promise.all([
    production.rows(readCompany, [companyId, tenants.production]),
    mayChangeMembers(role) ? readMembersAndInvitations(production, visit.context.clock.wall()) : null,
    mayUseKeys(role) ? Promise.all([listEnabledKeys(production), listEnabledKeys(sandbox)]) : null,
  ])
  return {
    company: company!,
    settings: company!.settings ?? defaultSettings,
    members,
    keys: keys && { production: keys[0], sandbox: keys[1] },
  }
}
