import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { type Ask, asking, together } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../../kit/http/site.ts'
import type { Role } from '../roles.ts'
import { memberJoined, signedIn } from './acts.ts'
import {
  csrf,
  type Fault,
  faultSummary,
  hidden,
  input,
  languageSelect,
  newPasswordInput,
} from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { sendDeadLink } from './link-pages.ts'
import { hashPassword } from './password-hash.ts'
import { addMembership, addPerson, emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { isFormOf, signIn } from './session.ts'
import type { Language } from './texts/words.ts'
import { queried, type Visit } from './visit.ts'

interface Invitation {
  id: string
  company_id: string
  company_name: string
  email: string
  email_key: string
  role: Role
  language: Language
}
const find = sql(
  'people.find-invitation-by-token',
  `select i.id, i.company_id, c.name as company_name, i.email, i.email_key, i.role, i.language
     from invitations i join companies c on c.id = i.company_id
    where i.token_hash = $1 and c.enabled and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > $2`,
).as<Invitation>()
const accept = sql(
  'people.accept-invitation',
  `update invitations set accepted_at = $2
    where token_hash = $1 and accepted_at is null and withdrawn_at is null and expires_at > $2 returning id`,
)

const findInvitation = async ({ site }: Visit, token: string): Promise<Invitation | undefined> =>
  (await asking(site.pool)(find, [plainSha256(token), iso(site.clock.wall())]))[0]

interface Newcomer {
  name: string
  language: Language
}

/** What there is to do, for whoever stands here: join, change sides, sign in, or begin. */
async function invitationPage(
  visit: Visit,
  invitation: Invitation,
  token: string,
  newcomer: Newcomer,
  faults: readonly Fault[],
): Promise<Html> {
  const { site, view, session } = visit
  const { words, to } = view
  const { invitation: text } = words
  const { company_name: company, email, email_key } = invitation
  const here = `/invitation?token=${encodeURIComponent(token)}`
  const begin = (content: Html) =>
    html`<form method="post" action="${to('/invitation')}" novalidate>${hidden('token', token)}${content}</form>`

  let way: Html
  if (session && emailKey(session.person.email) === email_key)
    way = begin(html`${csrf(session)}<button>${text.accept}</button>`)
  else if (session)
    way = html`<p>${text.wrongPerson(session.person.email)}</p>
<form method="post" action="${to('/sign-out')}">${csrf(session)}${hidden('next', here)}<button>${words.layout.signOut}</button></form>`
  else if (await findPersonByEmail(asking(site.pool), email))
    way = html`<p>${text.hasAccount}</p>
<p><a class="button" href="${to(`/sign-in?next=${encodeURIComponent(here)}`)}">${text.signIn}</a></p>`
  else
    way = html`<p>${text.newHere}</p>${begin(html`
${input(view, { name: 'email', label: words.fields.email, type: 'email', value: email, autocomplete: 'username', isReadOnly: true })}
${input(view, { name: 'name', label: words.fields.name, value: newcomer.name, autocomplete: 'name' }, faults)}
${languageSelect(view, newcomer.language)}
${newPasswordInput(view, words.fields.password, faults)}
<button>${text.submit}</button>`)}`
  return layout(view, {
    title: text.title(company),
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${text.title(company)}</h1>
<p>${text.intro(company, words.roles[invitation.role])} ${text.for(email)}</p>
${way}`,
  })
}

export async function showInvitation(visit: Visit): Promise<FastifyReply> {
  const token = queried(visit, 'token')
  const invitation = await findInvitation(visit, token)
  if (!invitation) return sendDeadLink(visit, 'invitation')
  const newcomer = { name: '', language: invitation.language }
  return sendPage(visit.reply, 200, await invitationPage(visit, invitation, token, newcomer, []))
}

/** Once, and by whoever the address belongs to. */
async function join({ site, request }: Visit, ask: Ask, token: string, of: Invitation, personId: string) {
  const at = iso(site.clock.wall())
  if ((await ask(accept, [plainSha256(token), at])).length === 0) return false
  await addMembership(ask, personId, of.company_id, of.role, at)
  const told = { personId, invitationId: of.id, role: of.role }
  await keepActs(site, ask, request, personId, newEvent(memberJoined, personId, told), [of.company_id])
  return true
}

/** Holding the link shows that the mailbox is theirs: nothing else has to be confirmed. */
async function joinAsNewcomer(visit: Visit, token: string, invitation: Invitation): Promise<FastifyReply> {
  const { site, view, request, reply, form } = visit
  const read = formReader(form)
  const name = read.text('name', 'name_missing')
  const language = read.language('language')
  const password = read.newPassword('password', invitation.email)
  const again = async (status: number) =>
    sendPage(reply, status, await invitationPage(visit, invitation, token, { name, language }, read.faults))
  if (read.faults.length > 0) return again(400)
  const passwordHash = await hashPassword(password)
  const wall = site.clock.wall()
  const id = site.newId(wall)
  const at = iso(wall)
  const outcome = await together(site.pool, async ask => {
    const { email } = invitation
    const isNew = await addPerson(ask, {
      id,
      email,
      name,
      language,
      passwordHash,
      verifiedAt: at,
      createdAt: at,
    })
    if (!isNew) return 'known'
    if (!(await join(visit, ask, token, invitation, id))) throw new DeadInvitation()
    await signIn(site, ask, request, reply, id, 'link')
    await keepActs(site, ask, request, id, newEvent(signedIn, id, { personId: id, method: 'link' }))
    return 'joined'
  }).catch(error => {
    if (error instanceof DeadInvitation) return 'dead'
    throw error
  })
  if (outcome === 'dead') return sendDeadLink(visit, 'invitation')
  // Somebody took the address in the meantime: the page now says that there is an account.
  return outcome === 'known' ? again(200) : seeOther(reply, view.to('/account?done=joined'))
}

/** Thrown so that the person who was made a moment before is unmade. */
class DeadInvitation extends Error {}

export async function takeInvitation(visit: Visit): Promise<FastifyReply> {
  const { site, view, request, reply, session, form } = visit
  const token = field(form, 'token')
  const invitation = await findInvitation(visit, token)
  if (!invitation) return sendDeadLink(visit, 'invitation')
  if (!session) return joinAsNewcomer(visit, token, invitation)
  const isTheirs = emailKey(session.person.email) === invitation.email_key
  // The page knows what to say to somebody else; to a form that is not of this session there is nothing to say.
  if (!isTheirs || !isFormOf(site, request, session, form))
    return sendPage(
      reply,
      403,
      await invitationPage(visit, invitation, token, { name: '', language: invitation.language }, []),
    )
  const hasJoined = await together(site.pool, ask => join(visit, ask, token, invitation, session.person.id))
  return hasJoined ? seeOther(reply, view.to('/account?done=joined')) : sendDeadLink(visit, 'invitation')
}
