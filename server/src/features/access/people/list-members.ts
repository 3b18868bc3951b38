import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { operation } from '../../../kit/operation.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { receivesAlertsSql } from './hear-alerts.ts'
import { invitationLifeMs, membersMax, ofCompany, openInvitationsMax } from './members.ts'
import { Invitation, type InvitationRow, Member, type MemberRow, toInvitation, toMember } from './schema.ts'

const readMembers = sql(
  'people.list-members',
  `select m.person_id, p.name, p.email, m.role, m.created_at, ${receivesAlertsSql} as receives_alerts
     from memberships m join people p on p.id = m.person_id
    where m.${ofCompany} order by m.created_at, m.person_id limit ${membersMax}`,
).as<MemberRow>()
const readInvitations = sql(
  'people.list-open-invitations',
  `select id, email, role, language, created_at, expires_at from invitations
    where ${ofCompany} and id >= $1 and accepted_at is null and withdrawn_at is null and expires_at > $2
    order by id desc limit ${openInvitationsMax}`,
).as<InvitationRow>()

export async function readMembersAndInvitations(
  tx: Tx,
  wall: number,
): Promise<{ members: MemberRow[]; invitations: InvitationRow[] }> {
  const [members, invitations] = await Promise.all([
    tx.rows(readMembers, []),
    tx.rows(readInvitations, [lowestIdOf(wall - invitationLifeMs), iso(wall)]),
  ])
  return { members, invitations }
}

export const listMembers = operation({
  id: 'members.list',
  method: 'GET',
  path: '/api/v1/members',
  summary: 'Who belongs to the company, and who is invited to it',
  description: `Members in the order they joined, open invitations with the newest first: ${membersMax} and ${openInvitationsMax} at most.`,
  scopes: ['webhooks:manage'],
  roles: ['owner'],
  environment: 'production',
  status: 200,
  reply: z
    .object({ members: z.array(Member), invitations: z.array(Invitation) })
    .meta({ id: 'Members', description: 'People have a role in the company, whatever the environment' }),
  errors: [],
  assistant: 'read',
  async run({ tx, wall }) {
    const { members, invitations } = await readMembersAndInvitations(tx, wall)
    return { members: members.map(toMember), invitations: invitations.map(toInvitation) }
  },
})
