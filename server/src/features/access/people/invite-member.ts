import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { email, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { randomAlphanumeric } from '../../../kit/random-alphanumeric.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { countAttempt } from './attempts.ts'
import { invitationWithdrawn, memberInvited } from './audit-events.ts'
import {
  alreadyAccepted,
  alreadyMember,
  invitationNotFound,
  onlyOwnersMakeOwners,
  roleExceedsCaller,
  tooManyInvitations,
  tooManyMembers,
  tooManyToAddress,
  tooManyToday,
} from './errors.ts'
import {
  invitationLifeMs,
  invitationsPerDayMax,
  invitationsUsedUp,
  lockMembers,
  membersMax,
  ofCompany,
  openInvitationsMax,
  refuseExceeding,
  refuseLimited,
} from './members.ts'
import { emailKey } from './person.ts'
import { Invitation, type InvitationRow, roleField, toInvitation } from './schema.ts'

const InvitationInput = z
  .strictObject({
    email,
    role: roleField.meta({
      description:
        'A role with no more permissions than yours, and not owner: owners are added on the account page',
    }),
    language: optional(z.enum(['fr', 'en'])).meta({
      description: 'Language of the mail; default that of the company',
    }),
  })
  .meta({ id: 'InvitationInput' })

type SentInvitation = InvitationRow & { email_key: string; is_open: boolean }
const findRecent = sql(
  'people.list-recent-invitations',
  `select id, email, email_key, role, language, created_at, expires_at,
          accepted_at is null and withdrawn_at is null and expires_at > $2 as is_open
     from invitations where ${ofCompany} and id >= $1 order by id limit 2000`,
).as<SentInvitation>()
const readCompanyDefaults = sql(
  'people.get-cell-and-language',
  `select i.cell, c.language from installation i cross join companies c where c.id = $1`,
).as<{ cell: string; language: 'fr' | 'en' }>()
const insertInvitation = sql(
  'people.insert-invitation',
  `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
   values ($1, (select company_id from tenants where id = current_setting('relance.tenant')::uuid), $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const withdrawInvitations = sql(
  'people.withdraw-invitations',
  `update invitations set withdrawn_at = $2 where id = any ($1::uuid[]) and ${ofCompany} and accepted_at is null and withdrawn_at is null`,
)

export const inviteMember = operation({
  id: 'members.invite',
  method: 'POST',
  path: '/api/v1/members/invitations',
  summary: 'Invite somebody to the company by mail',
  description: `The link in the mail is valid for seven days and works once. A new invitation withdraws the older one to the same address. ${openInvitationsMax} may be open, and ${invitationsPerDayMax} be sent within a day; one address is sent five within an hour, by all companies together.`,
  scopes: ['webhooks:manage'],
  roles: ['owner'],
  fresh: true,
  environment: 'production',
  body: InvitationInput,
  status: 201,
  reply: Invitation,
  errors: [
    roleExceedsCaller,
    onlyOwnersMakeOwners,
    limitedCaller,
    alreadyMember,
    tooManyInvitations,
    tooManyToday,
    tooManyToAddress,
    tooManyMembers,
  ],
  assistant: 'never',
  audit: [memberInvited, invitationWithdrawn],
  example: { body: { email: 'camille@example.com', role: 'viewer', language: 'fr' } },
  async run(call) {
    const { tx, actor, wall, newId, keyring, body } = call
    const { caller, members } = await lockMembers(tx, actor)
    refuseExceeding(caller, body.role)
    refuseLimited(caller)
    if (body.role === 'owner') throw onlyOwnersMakeOwners.make()
    const key = emailKey(body.email)
    if (members.some(member => emailKey(member.email) === key)) throw alreadyMember.make()
    const [recent, [defaults]] = await Promise.all([
      tx.rows(findRecent, [lowestIdOf(wall - invitationLifeMs), iso(wall)]),
      tx.rows(readCompanyDefaults, [actor.companyId]),
    ])
    const open = recent.filter(sent => sent.is_open)
    const older = open.filter(sent => sent.email_key === key)
    refuseExceeding(caller, ...older.map(sent => sent.role))
    const others = open.length - older.length
    if (others >= openInvitationsMax) throw tooManyInvitations.make(openInvitationsMax)
    if (members.length + others >= membersMax) throw tooManyMembers.make(membersMax)
    const usedUp = await invitationsUsedUp(tx.rows, actor.companyId, wall)
    if (usedUp !== null) throw tooManyToday.make(usedUp)
    if (!(await countAttempt(tx.rows, 'invitation', key, wall)).allowed) throw tooManyToAddress.make()
    const token = `inv_${defaults!.cell}${randomAlphanumeric(43)}`
    const row: InvitationRow = {
      id: newId(),
      email: body.email,
      role: body.role,
      language: body.language ?? defaults!.language,
      created_at: wall,
      expires_at: wall + invitationLifeMs,
    }
    const { kind, id, onBehalfOf } = actor
    const by = onBehalfOf === undefined ? `${kind} ${id}` : `person ${onBehalfOf}`
    await Promise.all([
      tx.rows(withdrawInvitations, [older.map(sent => sent.id), iso(wall)]),
      tx.rows(insertInvitation, [
        row.id,
        row.email,
        key,
        row.role,
        row.language,
        plainSha256(token),
        by,
        iso(wall),
        iso(row.expires_at),
      ]),
      enqueueMail(tx.rows, { id: newId(), kind: 'invitation', subjectId: row.id, token, keyring, wall }),
    ])
    const auditEvents = [
      ...older.map(({ id: invitationId, role: was }) =>
        newEvent(invitationWithdrawn, invitationId, { invitationId, role: was, because: 'replaced' }),
      ),
      newEvent(memberInvited, row.id, { invitationId: row.id, role: row.role }),
    ]
    recordAudit(tx, auditEvents, call)
    return toInvitation(row)
  },
})

const lockInvitation = sql(
  'people.lock-invitation',
  `select role, accepted_at, withdrawn_at from invitations where id = $1 and ${ofCompany} for update`,
).as<{
  role: z.output<typeof roleField>
  accepted_at: number | null
  withdrawn_at: number | null
}>()

export const withdrawInvitation = operation({
  id: 'members.withdrawInvitation',
  method: 'DELETE',
  path: '/api/v1/members/invitations/:id',
  summary: 'Withdraw an invitation: its link stops working',
  description: 'Repeating it gives the same answer.',
  scopes: ['webhooks:manage'],
  roles: ['owner'],
  environment: 'production',
  params: z.strictObject({ id: uuid }),
  status: 204,
  reply: z.null(),
  errors: [invitationNotFound, roleExceedsCaller, alreadyAccepted],
  assistant: 'never',
  audit: [invitationWithdrawn],
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller } = await lockMembers(tx, actor)
    const [found] = await tx.rows(lockInvitation, [params.id])
    if (!found) throw invitationNotFound.make()
    refuseExceeding(caller, found.role)
    if (found.accepted_at !== null) throw alreadyAccepted.make()
    if (found.withdrawn_at !== null) return null
    tx.atCommit(withdrawInvitations, [[params.id], iso(wall)])
    const about = { invitationId: params.id, role: found.role, because: 'withdrawn' as const }
    recordAudit(tx, [newEvent(invitationWithdrawn, params.id, about)], call)
    return null
  },
})
