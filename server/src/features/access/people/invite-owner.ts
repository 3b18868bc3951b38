import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, type Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { email as emailField } from '../../../kit/fields.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { OperatorError, requireCompany } from '../companies/require-company.ts'
import { newToken } from '../new-token.ts'
import type { OwnerMailContext } from '../owner-mails.ts'
import { memberInvited } from './audit-events.ts'
import { invitationLifeMs } from './members.ts'
import { emailKey } from './person.ts'

const insertOwnerInvitation = sql(
  'people.insert-owner-invitation',
  `insert into invitations (id, company_id, email, email_key, role, language, token_hash, invited_by, created_at, expires_at)
   select $1, c.id, $3, $4, 'owner', c.language, $5, $6, $7, $8 from companies c where c.id = $2`,
)
const withdrawOlder = sql(
  'people.withdraw-older-invitations',
  `update invitations set withdrawn_at = $3
    where company_id = $1 and email_key = $2 and accepted_at is null and withdrawn_at is null`,
)

/** Sends the mail that invites a person to become an owner of a company. */
export async function sendOwnerInvitation(
  query: Query,
  { keyring, wall, newId }: OwnerMailContext,
  companyId: string,
  email: string,
  invitedBy: string,
): Promise<string> {
  const token = await newToken(query, 'inv')
  const id = newId()
  await query(withdrawOlder, [companyId, emailKey(email), iso(wall)])
  await query(insertOwnerInvitation, [
    id,
    companyId,
    email,
    emailKey(email),
    plainSha256(token),
    invitedBy,
    iso(wall),
    iso(wall + invitationLifeMs),
  ])
  await enqueueMail(query, { id: newId(), kind: 'invitation', subjectId: id, token, keyring, wall })
  return id
}

/** For the operator: a company that was created by a command has no owner who could invite one. */
export const inviteOwner = (
  context: OwnerMailContext & { pool: Pool },
  companyId: string,
  email: string,
): Promise<void> =>
  inTransaction(context.pool, async query => {
    const { id } = await requireCompany(query, companyId)
    if (!emailField.safeParse(email).success)
      throw new OperatorError('Say --email with an email address, such as accounts@example.com.')
    const invitationId = await sendOwnerInvitation(query, context, id, email, 'operator')
    const invited = newEvent(memberInvited, invitationId, { invitationId, role: 'owner' })
    await recordOperatorAudit(query, context, invited, id)
  })
