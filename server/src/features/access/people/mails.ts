import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type {
  AccountMail,
  MailContent,
  MailKind,
  OwnerMailKind,
} from '../../platform/account-mail/enqueue-notice.ts'
import { OwnerMailFacts } from '../owner-mails.ts'
import type { Role } from '../roles.ts'
import { linkLifeMs } from './link-life.ts'
import { AccessMailFacts } from './security-mails.ts'
import { englishMails } from './texts/english-mails.ts'
import { frenchMails } from './texts/french-mails.ts'
import { type Language, pageTexts } from './texts/page-texts.ts'

const mails = { fr: frenchMails, en: englishMails }
const ownerMails = {
  owner_added: 'ownerAdded',
  owner_removed: 'ownerRemoved',
  key_created: 'keyCreated',
  keys_remain: 'keysRemain',
} as const satisfies Record<OwnerMailKind, keyof typeof englishMails>
const isOwnerMail = (kind: MailKind): kind is OwnerMailKind => kind in ownerMails

interface MailContext {
  query: Query
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

// The name may have been typed by a stranger, so it is not put into the mail.
const withoutName = (address: string) => ({ name: '', address })

const linkTo = ({ publicUrl }: MailContext, path: string, token: string) =>
  `${publicUrl}${path}?token=${token}`

/** Null when the link would not work any more. */
export async function composePersonMail(
  context: MailContext,
  kind: Exclude<MailKind, 'invitation' | 'alert' | 'reply_copy'>,
  given: { personId: string; token: string | null; since: number },
): Promise<AccountMail | null> {
  const [person] = await context.query(readPerson, [given.personId])
  if (!person) return null
  const { language, email } = person
  const toMail = (text: MailContent) => ({ to: withoutName(email), language, content: text })
  const at = (path: string) => context.publicUrl + path
  const links = { signIn: at('/sign-in'), forgot: at('/forgot'), passkeys: at('/account#passkeys') }
  if (kind === 'account_exists') return toMail(mails[language].accountExists(links))
  if (kind === 'passkey_added') return toMail(mails[language].passkeyAdded(links))
  if (kind === 'password_changed') return toMail(mails[language].passwordChanged(links))
  if (kind === 'access_granted') {
    const { application, companies } = AccessMailFacts.parse(JSON.parse(given.token ?? 'null'))
    return toMail(
      mails[language].accessGranted({
        application: safeName(application) ?? '-',
        companies: companies.map(name => safeName(name) ?? '-').join(', '),
        account: at('/account'),
        forgot: links.forgot,
      }),
    )
  }
  if (isOwnerMail(kind)) {
    const { company, email, keys } = OwnerMailFacts.parse(JSON.parse(given.token ?? 'null'))
    return toMail(
      mails[language][ownerMails[kind]]({
        company: safeName(company) ?? '-',
        email,
        keys: keys.map(({ name, prefix }) => `  ${safeName(name) ?? '-'} (${prefix})`).join('\n'),
        account: at('/account'),
      }),
    )
  }
  if (given.token === null || given.since + linkLifeMs[kind] <= context.wall) return null
  return kind === 'verify_email'
    ? toMail(mails[language].verify(linkTo(context, '/verify', given.token)))
    : toMail(mails[language].reset(linkTo(context, '/reset', given.token)))
}

const nameLengthMax = 60
const looksLikeAddress = /:\/\/|\bwww[.。]|@|[\p{L}\d][.。]\p{L}{2}|(?<!\d)\d+(?:\.\d+){3}/iu

/** A name that somebody chose, for a mail: shortened, and null when a mail program would turn it into a link. */
export function safeName(name: string): string | null {
  if (looksLikeAddress.test(name.normalize('NFKC'))) return null
  const letters = [...name]
  return letters.length > nameLengthMax ? `${letters.slice(0, nameLengthMax - 1).join('')}…` : name
}

/** Null when the invitation was accepted or withdrawn or has expired. */
export async function composeInvitation(
  context: MailContext,
  invitationId: string,
  token: string | null,
): Promise<AccountMail | null> {
  const [invitation] = await context.query(readInvitation, [invitationId, iso(context.wall)])
  if (!invitation || token === null) return null
  const { language, email, role, company_name } = invitation
  const text = mails[language].invitation({
    company: safeName(company_name),
    role: pageTexts[language].roles[role],
    link: linkTo(context, '/invitation', token),
  })
  return { to: withoutName(email), language, content: text }
}
