import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import type { Actor } from '../../../kit/operation.ts'
import { powerOf } from '../api-keys/caller.ts'
import { isLimited, type Power } from '../api-keys/power.ts'
import { type Role, roles, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import { roleBeyondCaller } from './members-errors.ts'

/** Members and those invited, together: each of them is looked at by whoever changes one. */
export const membersMost = 500
export const openInvitationsMost = 50
/** They are mails to whomever somebody names. */
export const invitationsADayMost = 100
export const invitationLifeMs = 7 * 24 * 3_600_000

export const roleField = z.enum(roles)

export const Member = z
  .object({
    personId: outputUuid,
    name: z.string(),
    email: z.string(),
    role: roleField,
    joinedAt: dateTime,
  })
  .meta({ id: 'Member' })

export const Invitation = z
  .object({
    id: outputUuid,
    email: z.string(),
    role: roleField,
    language: z.enum(['fr', 'en']),
    createdAt: dateTime,
    expiresAt: dateTime,
  })
  .meta({ id: 'Invitation' })

// These tables have no policy of their own: each statement says which company it means, the one whose tenant was entered.
export const ofCompany = `company_id = (select company_id from tenants where id = current_setting('relance.tenant')::uuid)`

export interface MemberRow {
  person_id: string
  name: string
  email: string
  role: Role
  created_at: number
}
export interface InvitationRow {
  id: string
  email: string
  role: Role
  language: 'fr' | 'en'
  created_at: number
  expires_at: number
}

export const toMember = (row: MemberRow): z.input<typeof Member> => ({
  personId: row.person_id,
  name: row.name,
  email: row.email,
  role: row.role,
  joinedAt: iso(row.created_at),
})

export const toInvitation = (row: InvitationRow): z.input<typeof Invitation> => ({
  id: row.id,
  email: row.email,
  role: row.role,
  language: row.language,
  createdAt: iso(row.created_at),
  expiresAt: iso(row.expires_at),
})

const lock = sql(
  'people.lock-company-members',
  `select pg_advisory_xact_lock(hashtextextended('members of ' || company_id, 0)) from tenants
    where id = current_setting('relance.tenant')::uuid`,
)
// Also from those who join and leave elsewhere: a row that was changed while we waited is read as it is now.
const lockMembers = sql(
  'people.lock-members',
  `select m.person_id, p.name, p.email, m.role, m.created_at from memberships m join people p on p.id = m.person_id
    where m.${ofCompany} order by m.person_id for update of m`,
).as<MemberRow>()

/** Whoever changes who belongs to a company has its members alone, and is looked at again once it has. */
export async function aloneWithMembers(
  tx: Tx,
  actor: Actor,
): Promise<{ caller: Power; members: MemberRow[] }> {
  const [, members, caller] = await Promise.all([
    tx.rows(lock, []),
    tx.rows(lockMembers, []),
    powerOf(tx, actor),
  ])
  return { caller, members }
}

/** Nobody gives or takes a role that can do more than they can. */
export function refuseBeyond(caller: Power, ...concerned: Role[]): void {
  const needed = scopes.filter(scope => concerned.some(role => scopesOfRole(role, [scope]).length > 0))
  if (!needed.every(scope => caller.scopes.includes(scope))) throw roleBeyondCaller.make(needed)
}

/** A role neither ends nor has an address: it is not for a key that does. */
export function refuseLimited(caller: Power): void {
  const refusal = isLimited(caller)
  if (refusal) throw refusal
}
