import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { newToken } from '../new-token.ts'
import { countAttempt } from './attempts.ts'
import { type LinkPurpose, linkLifeMs } from './link-life.ts'
import type { PersonRow } from './person.ts'
import type { Visit } from './visit.ts'

const insertLink = sql(
  'people.insert-mail-link',
  'insert into mail_links (token_hash, person_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)',
)
const selectLink = sql(
  'people.find-by-mail-link',
  `select p.id, p.email, p.name from mail_links l join people p on p.id = l.person_id
    where l.token_hash = $1 and l.purpose = $2 and l.used_at is null and l.expires_at > $3`,
).as<Pick<PersonRow, 'id' | 'email' | 'name'>>()
const markLinkUsed = sql(
  'people.use-mail-link',
  `update mail_links set used_at = $3 where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
   returning person_id`,
)
const deleteLinksOfPerson = sql('people.delete-mail-links', 'delete from mail_links where person_id = $1')

type Recipient = Pick<PersonRow, 'id' | 'email_key'>

/** Limits the mails to one person, so that a mailbox cannot be flooded. */
export const mayMail = async (
  context: PageContext,
  query: Query,
  person: Recipient,
  kind: LinkPurpose | 'account_exists',
): Promise<boolean> => (await countAttempt(query, kind, person.email_key, context.clock.wall())).allowed

/** Limits the mails requested from one network, before it is checked whether an account exists. */
export async function limitMails({ context, request }: Pick<Visit, 'context' | 'request'>): Promise<void> {
  const { allowed } = await countAttempt(queryOn(context.pool), 'postbox', request.ip, context.clock.wall())
  if (!allowed)
    throw new ApiError('RATE_001', 'Too many mails were asked for from this address; come back in an hour.', {
      retryAfterSeconds: 3_600,
    })
}

/** Queues a mail with a link that works once. The token is only in the mail; the database stores its hash. */
export async function sendLink(
  context: PageContext,
  query: Query,
  person: Recipient,
  purpose: LinkPurpose,
): Promise<void> {
  if (!(await mayMail(context, query, person, purpose))) return
  const wall = context.clock.wall()
  const token = await newToken(query, 'ml')
  await query(insertLink, [
    plainSha256(token),
    person.id,
    purpose,
    iso(wall),
    iso(wall + linkLifeMs[purpose]),
  ])
  const { keyring } = context
  await enqueueMail(query, {
    id: context.newId(wall),
    kind: purpose,
    subjectId: person.id,
    token,
    keyring,
    wall,
  })
}

/** The person of a valid link. Reading does not use it up, because mail scanners open links. */
export const findLink = async (context: PageContext, query: Query, token: string, purpose: LinkPurpose) =>
  (await query(selectLink, [plainSha256(token), purpose, iso(context.clock.wall())]))[0]

/** Uses the link and returns its person; null if it was already used or is invalid. */
export const useLink = async (context: PageContext, query: Query, token: string, purpose: LinkPurpose) =>
  (await query(markLinkUsed, [plainSha256(token), purpose, iso(context.clock.wall())]))[0]?.person_id ?? null

export const deleteLinks = (query: Query, personId: string): Promise<unknown> =>
  query(deleteLinksOfPerson, [personId])
