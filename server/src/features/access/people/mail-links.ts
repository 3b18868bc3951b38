import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { type Ask, asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { Site } from '../../../kit/http/site.ts'
import { planMail } from '../../platform/notices/plan-mail.ts'
import { newToken } from '../new-token.ts'
import { countAttempt } from './attempts.ts'
import { linkLifeMs, type Purpose } from './link-life.ts'
import type { PersonRow } from './person.ts'
import type { Visit } from './visit.ts'

const insert = sql(
  'people.insert-mail-link',
  'insert into mail_links (token_hash, person_id, purpose, created_at, expires_at) values ($1, $2, $3, $4, $5)',
)
const find = sql(
  'people.find-by-mail-link',
  `select p.id, p.email, p.name from mail_links l join people p on p.id = l.person_id
    where l.token_hash = $1 and l.purpose = $2 and l.used_at is null and l.expires_at > $3`,
).as<Pick<PersonRow, 'id' | 'email' | 'name'>>()
const use = sql(
  'people.use-mail-link',
  `update mail_links set used_at = $3 where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
   returning person_id`,
)
const dropAll = sql('people.delete-mail-links', 'delete from mail_links where person_id = $1')

type Receiver = Pick<PersonRow, 'id' | 'email_key'>

/** Whoever asks for mails on somebody's behalf fills no mailbox. */
export const mayWrite = async (
  site: Site,
  ask: Ask,
  person: Receiver,
  kind: Purpose | 'account_exists',
): Promise<boolean> => (await countAttempt(ask, kind, person.email_key, site.clock.wall())).allowed

/** Whoever asks us to write to one stranger after the other is stopped, before it matters whom we know. */
export async function refuseFlood({ site, request }: Pick<Visit, 'site' | 'request'>): Promise<void> {
  const { allowed } = await countAttempt(asking(site.pool), 'postbox', request.ip, site.clock.wall())
  if (!allowed)
    throw new ApiError('RATE_001', 'Too many mails were asked for from this address; come back in an hour.', {
      retryAfterSeconds: 3_600,
    })
}

/** A mail with a link that works once. The token is in the mail; here only its hash is kept. */
export async function sendLink(site: Site, ask: Ask, person: Receiver, purpose: Purpose): Promise<void> {
  if (!(await mayWrite(site, ask, person, purpose))) return
  const wall = site.clock.wall()
  const token = await newToken(ask, 'ml')
  await ask(insert, [plainSha256(token), person.id, purpose, iso(wall), iso(wall + linkLifeMs[purpose])])
  const { keyring } = site
  await planMail(ask, { id: site.newId(wall), kind: purpose, subjectId: person.id, token, keyring, wall })
}

/** Whose link it is, while it works. Looking at it does not use it up: mail scanners open links. */
export const findLink = async (site: Site, ask: Ask, token: string, purpose: Purpose) =>
  (await ask(find, [plainSha256(token), purpose, iso(site.clock.wall())]))[0]

/** Whose link it was; null for everybody but the first who uses it. */
export const useLink = async (site: Site, ask: Ask, token: string, purpose: Purpose) =>
  (await ask(use, [plainSha256(token), purpose, iso(site.clock.wall())]))[0]?.person_id ?? null

export const dropLinks = (ask: Ask, personId: string): Promise<unknown> => ask(dropAll, [personId])
