import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { uuid } from '../../../kit/fields.ts'
import { type Call, operation, withdrawalLockRetryMs } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { mailOwners } from '../owner-mails.ts'
import { memberRemoved, memberRoleChanged } from './audit-events.ts'
import { endConsentsInCompany } from './consent-store.ts'
import { lastOwner, memberNotFound, onlyOwnersMakeOwners, roleExceedsCaller } from './errors.ts'
import { lockMembers, ofCompany, refuseExceeding, refuseLimited } from './members.ts'
import { Member, type MemberRow, roleField, toMember } from './schema.ts'

const memberInPath = z.strictObject({ personId: uuid })

const updateRole = sql(
  'people.update-role',
  `update memberships set role = $2, role_since = $3 where person_id = $1 and ${ofCompany}`,
)
const deleteMembership = sql(
  'people.delete-membership',
  `delete from memberships where person_id = $1 and ${ofCompany}`,
)

const requireMember = (members: readonly MemberRow[], personId: string): MemberRow => {
  const member = members.find(({ person_id }) => person_id === personId)
  if (!member) throw memberNotFound.make()
  return member
}

/** Refuses to remove the last owner. All members are locked, so two owners cannot remove each other at once. */
function requireAnotherOwner(members: readonly MemberRow[], leaving: MemberRow): void {
  const others = members.filter(({ role, person_id }) => role === 'owner' && person_id !== leaving.person_id)
  if (leaving.role === 'owner' && others.length === 0) throw lastOwner.make()
}

/** Only a caller who may add owners may remove one: otherwise a stolen key could remove every owner who would notice. */
function refuseRemovingOwner({ kind, conversationId }: Actor, { role }: MemberRow): void {
  if (role === 'owner' && (kind !== 'person' || conversationId !== undefined))
    throw onlyOwnersMakeOwners.make()
}

const listKeysOf = sql(
  'people.list-keys-of-member',
  `select k.name, k.prefix from api_keys k join tenants t on t.id = k.tenant_id
    where k.made_by = $1 and k.enabled and t.${ofCompany} order by k.id limit 100`,
)

/** Tells the owners which keys remain of a member whose role changes or ends. */
async function mailKeysOf(
  {
    tx,
    actor,
    ...context
  }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'keyring' | 'wall' | 'newId'>,
  { person_id, email }: MemberRow,
): Promise<void> {
  const keys = await tx.rows(listKeysOf, [person_id])
  if (keys.length > 0) await mailOwners(tx.rows, context, actor.companyId, 'keys_remain', { email, keys })
}

export const changeRole = operation({
  id: 'members.update',
  method: 'PUT',
  path: '/api/v1/members/:personId',
  summary: 'Give a member another role',
  description:
    'It holds from the next request on, also for the applications that act for them. Only an owner who has signed in can give an owner another role, on the page /account/company; all owners are told by mail.',
  scopes: ['webhooks:manage'],
  roles: ['owner'],
  fresh: true,
  environment: 'production',
  params: memberInPath,
  body: z
    .strictObject({
      role: roleField.meta({
        description:
          'A role with no more permissions than yours, and not owner: owners are added on the account page',
      }),
    })
    .meta({ id: 'MemberUpdate' }),
  status: 200,
  lockRetryMs: withdrawalLockRetryMs,
  reply: Member,
  errors: [memberNotFound, roleExceedsCaller, limitedCaller, onlyOwnersMakeOwners, lastOwner],
  assistant: 'never',
  audit: [memberRoleChanged],
  example: { body: { role: 'developer' } },
  async run(call) {
    const { tx, actor, wall, params, body } = call
    const { caller, members } = await lockMembers(tx, actor)
    const member = requireMember(members, params.personId)
    refuseExceeding(caller, member.role, body.role)
    refuseLimited(caller)
    if (body.role === member.role) return toMember(member)
    if (body.role === 'owner') throw onlyOwnersMakeOwners.make()
    refuseRemovingOwner(actor, member)
    requireAnotherOwner(members, member)
    if (member.role === 'owner')
      await mailOwners(tx.rows, call, actor.companyId, 'owner_removed', { email: member.email })
    await mailKeysOf(call, member)
    tx.atCommit(updateRole, [member.person_id, body.role, iso(wall)])
    const data = { personId: member.person_id, role: body.role, before: member.role }
    recordAudit(tx, [newEvent(memberRoleChanged, member.person_id, data)], call)
    return toMember({ ...member, role: body.role })
  },
})

export const removeMember = operation({
  id: 'members.remove',
  method: 'DELETE',
  path: '/api/v1/members/:personId',
  summary: 'Remove a member from the company',
  description:
    'At once: no application acts for them in this company any more. The keys they made stay, and all owners get a mail that names them. An owner is removed by an owner who has signed in, on the page /account/company; all owners are told by mail.',
  scopes: ['webhooks:manage'],
  roles: ['owner'],
  fresh: true,
  environment: 'production',
  params: memberInPath,
  status: 204,
  lockRetryMs: withdrawalLockRetryMs,
  reply: z.null(),
  errors: [memberNotFound, roleExceedsCaller, onlyOwnersMakeOwners, lastOwner],
  assistant: 'never',
  audit: [memberRemoved],
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller, members } = await lockMembers(tx, actor)
    const member = requireMember(members, params.personId)
    refuseExceeding(caller, member.role)
    refuseRemovingOwner(actor, member)
    requireAnotherOwner(members, member)
    if (member.role === 'owner')
      await mailOwners(tx.rows, call, actor.companyId, 'owner_removed', { email: member.email })
    await mailKeysOf(call, member)
    tx.atCommit(deleteMembership, [member.person_id])
    tx.atCommit(endConsentsInCompany, [member.person_id, iso(wall)])
    const data = { personId: member.person_id, role: member.role }
    recordAudit(tx, [newEvent(memberRemoved, member.person_id, data)], call)
    return null
  },
})
