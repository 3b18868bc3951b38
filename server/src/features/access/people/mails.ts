import { iso } from '../../../kit/clock.ts'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Letter, MailKind, Words } from '../../platform/notices/notice.ts'
import type { Role } from '../roles.ts'
import { linkLifeMs } from './link-life.ts'
import { englishMails } from './texts/english-mails.ts'
import { frenchMails } from './texts/french-mails.ts'
import { type Language, words } from './texts/words.ts'

const mails = { fr: frenchMails, en: englishMails }

interface Desk {
  ask: Ask
  wall: number
  publicUrl: string
}

const readPerson = sql('people.get-mail-recipient', 'select email, language from people where id = $1').as<{
  email: string
  language: Language
}>()
const readInvitation = sql(
  'people.get-invitation-recipient',
  `select i.email, i.language, i.role, c.name as company_name from invitations i join companies c on c.id = i.company_id
    where i.id = $1 and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > $2`,
).as<{ email: string; language: Language; role: Role; company_name: string }>()

// A name is whatever a stranger typed into a form about this address: no stranger's words are sent to it.
const unnamed = (address: string) => ({ name: '', address })

const linkTo = ({ publicUrl }: Desk, path: string, token: string) => `${publicUrl}${path}?token=${token}`

/** Null when the link would not work any more. */
export async function writeToPerson(
  desk: Desk,
  kind: Exclude<MailKind, 'invitation'>,
  given: { personId: string; token: string | null; since: number },
): Promise<Letter | null> {
  const [person] = await desk.ask(readPerson, [given.personId])
  if (!person) return null
  const { language, email } = person
  const letter = (text: Words) => ({ to: unnamed(email), language, words: text })
  const at = (path: string) => desk.publicUrl + path
  const ways = { signIn: at('/sign-in'), forgot: at('/forgot'), passkeys: at('/account#passkeys') }
  if (kind === 'account_exists') return letter(mails[language].accountExists(ways))
  if (kind === 'passkey_added') return letter(mails[language].passkeyAdded(ways))
  if (kind === 'password_changed') return letter(mails[language].passwordChanged(ways))
  if (given.token === null || given.since + linkLifeMs[kind] <= desk.wall) return null
  return kind === 'verify_email'
    ? letter(mails[language].verify(linkTo(desk, '/verify', given.token)))
    : letter(mails[language].reset(linkTo(desk, '/reset', given.token)))
}

const longestName = 60
const looksLikeAddress = /:\/\/|\bwww[.。]|@|[\p{L}\d][.。]\p{L}{2}|\d+(?:\.\d+){3}/iu

/** A company's name goes to strangers in our name: shortened, and null where a mail program would make a link of it. */
export function tellable(name: string): string | null {
  if (looksLikeAddress.test(name.normalize('NFKC'))) return null
  const letters = [...name]
  return letters.length > longestName ? `${letters.slice(0, longestName - 1).join('')}…` : name
}

/** Null when it was accepted, withdrawn or ran out meanwhile. */
export async function writeInvitation(
  desk: Desk,
  invitationId: string,
  token: string | null,
): Promise<Letter | null> {
  const [invitation] = await desk.ask(readInvitation, [invitationId, iso(desk.wall)])
  if (!invitation || token === null) return null
  const { language, email, role, company_name } = invitation
  const text = mails[language].invitation({
    company: tellable(company_name),
    role: words[language].roles[role],
    link: linkTo(desk, '/invitation', token),
  })
  return { to: unnamed(email), language, words: text }
}
