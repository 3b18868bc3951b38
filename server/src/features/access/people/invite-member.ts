import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { email, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { randomWord } from '../../../kit/random-word.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { recordActs } from '../../platform/events/record-events.ts'
import { planMail } from '../../platform/notices/plan-mail.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { countAttempt } from './attempts.ts'
import {
  aloneWithMembers,
  Invitation,
  type InvitationRow,
  invitationLifeMs,
  invitationsADayMost,
  membersMost,
  ofCompany,
  openInvitationsMost,
  refuseBeyond,
  refuseLimited,
  roleField,
  toInvitation,
} from './members.ts'
import { invitationWithdrawn, memberInvited } from './members-acts.ts'
import {
  alreadyAccepted,
  alreadyMember,
  invitationNotFound,
  roleBeyondCaller,
  tooManyInvitations,
  tooManyMembers,
  tooManyToAddress,
  tooManyToday,
} from './members-errors.ts'
import { emailKey } from './person.ts'

const InvitationInput = z
  .strictObject({
    email,
    role: roleField.meta({ description: 'One that can do no more than you' }),
    language: optional(z.enum(['fr', 'en'])).meta({
      description: 'Of the mail; default that of the company',
    }),
  })
  .meta({ id: 'InvitationInput' })

type Sent = InvitationRow & { email_key: string; is_open: boolean }
const findRecent = sql(
  'people.list-recent-invitations',
  `select id, email, email_key, role, language, created_at, expires_at,
          accepted_at is null and withdrawn_at is null and expires_at > $2 as is_open
     from invitations where ${ofCompany} and id >= $1 order by id limit 2000`,
).as<Sent>()
const readPlace = sql(
  'people.get-cell-and-language',
  `select i.cell, c.language from installation i cross join companies c where c.id = $1`,
).as<{ cell: string; language: 'fr' | 'en' }>()
const insert = sql(
  'people.insert-invitation',
  `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
   values ($1, (select company_id from tenants where id = current_setting('relance.tenant')::uuid), $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const withdraw = sql(
  'people.withdraw-invitations',
  `update invitations set withdrawn_at = $2 where id = any ($1::uuid[]) and ${ofCompany} and accepted_at is null and withdrawn_at is null`,
)

export const inviteMember = operation({
  id: 'members.invite',
  method: 'POST',
  path: '/api/v1/members/invitations',
  summary: 'Invite somebody to the company by mail',
  description: `The link in the mail is good for seven days and for once. A new invitation withdraws the older one to the same address. ${openInvitationsMost} may be open, and ${invitationsADayMost} be sent within a day; one address is sent five within an hour, by all companies together.`,
  scopes: ['webhooks:manage'],
  environment: 'production',
  body: InvitationInput,
  status: 201,
  reply: Invitation,
  errors: [
    roleBeyondCaller,
    limitedCaller,
    alreadyMember,
    tooManyInvitations,
    tooManyToday,
    tooManyToAddress,
    tooManyMembers,
  ],
  assistant: 'never',
  example: { body: { email: 'camille@example.com', role: 'viewer', language: 'fr' } },
  async run(call) {
    const { tx, actor, wall, newId, keyring, body } = call
    const { caller, members } = await aloneWithMembers(tx, actor)
    refuseBeyond(caller, body.role)
    refuseLimited(caller)
    const key = emailKey(body.email)
    if (members.some(member => emailKey(member.email) === key)) throw alreadyMember.make()
    const [recent, [place]] = await Promise.all([
      tx.rows(findRecent, [lowestIdOf(wall - invitationLifeMs), iso(wall)]),
      tx.rows(readPlace, [actor.companyId]),
    ])
    const open = recent.filter(sent => sent.is_open)
    const older = open.filter(sent => sent.email_key === key)
    refuseBeyond(caller, ...older.map(sent => sent.role))
    const others = open.length - older.length
    if (others >= openInvitationsMost) throw tooManyInvitations.make(openInvitationsMost)
    if (members.length + others >= membersMost) throw tooManyMembers.make(membersMost)
    if (recent.filter(sent => sent.created_at > wall - 24 * 3_600_000).length >= invitationsADayMost)
      throw tooManyToday.make(invitationsADayMost)
    if (!(await countAttempt(tx.rows, 'invitation', key, wall)).allowed) throw tooManyToAddress.make()
    const token = `inv_${place!.cell}${randomWord(43)}`
    const row: InvitationRow = {
      id: newId(),
      email: body.email,
      role: body.role,
      language: body.language ?? place!.language,
      created_at: wall,
      expires_at: wall + invitationLifeMs,
    }
    const { kind, id, onBehalfOf } = actor
    const by = onBehalfOf === undefined ? `${kind} ${id}` : `person ${onBehalfOf}`
    await Promise.all([
      tx.rows(withdraw, [older.map(sent => sent.id), iso(wall)]),
      tx.rows(insert, [
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
      planMail(tx.rows, { id: newId(), kind: 'invitation', subjectId: row.id, token, keyring, wall }),
    ])
    const acts = [
      ...older.map(({ id: invitationId, role: was }) =>
        newEvent(invitationWithdrawn, invitationId, { invitationId, role: was, because: 'replaced' }),
      ),
      newEvent(memberInvited, row.id, { invitationId: row.id, role: row.role }),
    ]
    recordActs(tx, acts, call)
    return toInvitation(row)
  },
})

const find = sql(
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
  summary: 'Withdraw an invitation: its link works no more',
  description: 'Again answers the same.',
  scopes: ['webhooks:manage'],
  environment: 'production',
  params: z.strictObject({ id: uuid }),
  status: 204,
  reply: z.null(),
  errors: [invitationNotFound, roleBeyondCaller, alreadyAccepted],
  assistant: 'never',
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller } = await aloneWithMembers(tx, actor)
    const [found] = await tx.rows(find, [params.id])
    if (!found) throw invitationNotFound.make()
    refuseBeyond(caller, found.role)
    if (found.accepted_at !== null) throw alreadyAccepted.make()
    if (found.withdrawn_at !== null) return null
    tx.atCommit(withdraw, [[params.id], iso(wall)])
    const about = { invitationId: params.id, role: found.role, because: 'withdrawn' as const }
    recordActs(tx, [newEvent(invitationWithdrawn, params.id, about)], call)
    return null
  },
})
