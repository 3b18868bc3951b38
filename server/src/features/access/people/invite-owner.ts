import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, type Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { enqueueMail } from '../../platform/notices/enqueue-mail.ts'
import { newToken } from '../new-token.ts'
import { memberInvited } from './member-audit-events.ts'
import { invitationLifeMs } from './members.ts'
import type { OwnerMailContext } from './owner-mails.ts'
import { emailKey } from './person.ts'

const insertOwnerInvitation = sql(
  'people.insert-owner-invitation',
  `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
   select $1, c.id, $3, $4, 'owner', c.language, $5, $6, $7, $8 from companies c where c.id = $2 returning id`,
)
const withdrawOlder = sql(
  'people.withdraw-older-invitations',
  `update invitations set withdrawn_at = $3
    where company_id = $1 and email_key = $2 and accepted_at is null and withdrawn_at is null`,
)

/** Sends the mail with which somebody becomes an owner; null if there is no such company. */
export async function sendOwnerInvitation(
  query: Query,
  { keyring, wall, newId }: OwnerMailContext,
  companyId: string,
  email: string,
  invitedBy: string,
): Promise<string | null> {
  const token = await newToken(query, 'inv')
  const id = newId()
  await query(withdrawOlder, [companyId, emailKey(email), iso(wall)])
  const [sent] = await query(insertOwnerInvitation, [
    id,
    companyId,
    email,
    emailKey(email),
    plainSha256(token),
    invitedBy,
    iso(wall),
    iso(wall + invitationLifeMs),
  ])
  if (!sent) return null
  await enqueueMail(query, { id: newId(), kind: 'invitation', subjectId: id, token, keyring, wall })
  return id
}

/** The operator's way: a company that was made by a command has no owner who could invite one. */
export const inviteOwner = (
  context: OwnerMailContext & { pool: Pool },
  companyId: string,
  email: string,
): Promise<void> =>
  inTransaction(context.pool, async query => {
    const invitationId = await sendOwnerInvitation(query, context, companyId, email, 'operator')
    if (!invitationId) throw new Error(`there is no company ${companyId}`)
    const invited = newEvent(memberInvited, invitationId, { invitationId, role: 'owner' })
    await recordOperatorAudit(query, context, invited, companyId)
  })
