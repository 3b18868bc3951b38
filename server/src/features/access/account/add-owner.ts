import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, type Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { field } from '../../../kit/http/form.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { mailOwners } from '../owner-mails.ts'
import { countAttempt } from '../people/attempts.ts'
import { memberInvited, memberRoleChanged } from '../people/audit-events.ts'
import { sendOwnerInvitation } from '../people/invite-owner.ts'
import { invitationsUsedUp, membersLockSql } from '../people/members.ts'
import { signInAgainPath } from '../people/next-path.ts'
import { emailKey, makeOwner } from '../people/person.ts'
import { formReader } from '../people/read-form.ts'
import { recordPersonAudit } from '../people/record-person-audit.ts'
import { isFresh } from '../people/session.ts'
import type { SignedInVisit } from '../people/visit.ts'
import type { Role } from '../roles.ts'

const uuid = /^[0-9a-f-]{36}$/

const lockMembers = sql('account.lock-company-members', `select ${membersLockSql('$1::uuid')}`)
const selectMember = sql(
  'account.find-member',
  `select m.person_id, m.role, p.email from memberships m join people p on p.id = m.person_id
    where m.company_id = $1 and (m.person_id = $2 or p.email_key = $3) for update of m`,
).as<{ person_id: string; role: Role; email: string }>()

type Outcome = 'owner_added' | 'owner_invited' | 'owner_refused'

async function addOwner(
  visit: SignedInVisit,
  query: Query,
  companyId: string,
  email: string,
): Promise<Outcome> {
  const { context, request, session } = visit
  const wall = context.clock.wall()
  const mail = { keyring: context.keyring, wall, newId: () => context.newId(wall) }
  const personId = session.person.id
  const key = emailKey(email)
  await query(lockMembers, [companyId])
  const found = await query(selectMember, [companyId, personId, key])
  if (found.find(member => member.person_id === personId)?.role !== 'owner') return 'owner_refused'
  const record = (event: ReturnType<typeof newEvent>) =>
    recordPersonAudit(context, query, request, personId, event, [companyId])
  const member = found.find(one => emailKey(one.email) === key)
  if (member) {
    if (member.role === 'owner') return 'owner_refused'
    await makeOwner(query, member.person_id, companyId, iso(wall))
    const about = { personId: member.person_id, role: 'owner' as const, before: member.role }
    await record(newEvent(memberRoleChanged, member.person_id, about))
    await mailOwners(query, mail, companyId, 'owner_added', { email: member.email })
    return 'owner_added'
  }
  if ((await invitationsUsedUp(query, companyId, wall)) !== null) return 'owner_refused'
  if (!(await countAttempt(query, 'invitation', key, wall)).allowed) return 'owner_refused'
  const invitationId = await sendOwnerInvitation(query, mail, companyId, email, `person ${personId}`)
  await record(newEvent(memberInvited, invitationId, { invitationId, role: 'owner' }))
  return 'owner_invited'
}

/** Only an owner with a recent sign-in can add an owner; keys and applications cannot. */
export async function postAddOwner(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, view, session, reply, form } = visit
  if (!isFresh(context, session)) return seeOther(reply, view.to(signInAgainPath))
  const read = formReader(form)
  const companyId = field(form, 'company')
  const email = read.email(`owner-${companyId}`)
  const outcome =
    read.faults.length > 0 || !uuid.test(companyId)
      ? 'owner_refused'
      : await inTransaction(context.pool, query => addOwner(visit, query, companyId, email))
  return seeOther(reply, view.to(`/account?done=${outcome}`))
}
