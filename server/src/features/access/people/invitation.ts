import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { inTransaction, type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther, sendPage } from '../../../kit/http/pages.ts'
import { hashPassword } from '../../../kit/password-hash.ts'
import { mailOwners } from '../owner-mails.ts'
import type { Role } from '../roles.ts'
import { memberJoined, signedIn } from './audit-events.ts'
import {
  csrf,
  type Fault,
  faultSummary,
  hidden,
  input,
  languageSelect,
  newPasswordInput,
} from './form-parts.ts'
import { layout } from './layout.ts'
import { sendDeadLink } from './link-pages.ts'
import { addMembership, addPerson, emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { isFormOf, signIn } from './session.ts'
import type { Language } from './texts/page-texts.ts'
import { queryValue, type Visit } from './visit.ts'

interface Invitation {
  id: string
  company_id: string
  company_name: string
  email: string
  email_key: string
  role: Role
  language: Language
}
const selectInvitation = sql(
  'people.find-invitation-by-token',
  `select i.id, i.company_id, c.name as company_name, i.email, i.email_key, i.role, i.language
     from invitations i join companies c on c.id = i.company_id
    where i.token_hash = $1 and c.enabled and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > $2`,
).as<Invitation>()
const acceptInvitation = sql(
  'people.accept-invitation',
  `update invitations set accepted_at = $2
    where token_hash = $1 and accepted_at is null and withdrawn_at is null and expires_at > $2 returning id`,
)

const findInvitation = async ({ context }: Visit, token: string): Promise<Invitation | undefined> =>
  (await queryOn(context.pool)(selectInvitation, [plainSha256(token), iso(context.clock.wall())]))[0]

interface NewcomerInput {
  name: string
  language: Language
}

/** The page with the right next step: join, sign out first, sign in, or create an account. */
async function invitationPage(
  visit: Visit,
  invitation: Invitation,
  token: string,
  newcomer: NewcomerInput,
  faults: readonly Fault[],
): Promise<Html> {
  const { context, view, session } = visit
  const { texts, to } = view
  const { invitation: text } = texts
  const { company_name: company, email, email_key } = invitation
  const here = `/invitation?token=${encodeURIComponent(token)}`
  const invitationForm = (content: Html) =>
    html`<form method="post" action="${to('/invitation')}" novalidate>${hidden('token', token)}${content}</form>`

  let action: Html
  if (session && emailKey(session.person.email) === email_key)
    action = invitationForm(html`${csrf(session)}<button>${text.accept}</button>`)
  else if (session)
    action = html`<p>${text.wrongPerson(session.person.email)}</p>
<form method="post" action="${to('/sign-out')}">${csrf(session)}${hidden('next', here)}<button>${texts.layout.signOut}</button></form>`
  else if (await findPersonByEmail(queryOn(context.pool), email))
    action = html`<p>${text.hasAccount}</p>
<p><a class="button" href="${to(`/sign-in?next=${encodeURIComponent(here)}`)}">${text.signIn}</a></p>`
  else
    action = html`<p>${text.newHere}</p>${invitationForm(html`
${input(view, { name: 'email', label: texts.fields.email, type: 'email', value: email, autocomplete: 'username', isReadOnly: true })}
${input(view, { name: 'name', label: texts.fields.name, value: newcomer.name, autocomplete: 'name' }, faults)}
${languageSelect(view, newcomer.language)}
${newPasswordInput(view, texts.fields.password, faults)}
<button>${text.submit}</button>`)}`
  return layout(view, {
    title: text.title(company),
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${text.title(company)}</h1>
<p>${text.intro(company, texts.roles[invitation.role])} ${text.for(email)}</p>
${action}`,
  })
}

export async function getInvitation(visit: Visit): Promise<FastifyReply> {
  const token = queryValue(visit, 'token')
  const invitation = await findInvitation(visit, token)
  if (!invitation) return sendDeadLink(visit, 'invitation')
  const newcomer = { name: '', language: invitation.language }
  return sendPage(visit.reply, 200, await invitationPage(visit, invitation, token, newcomer, []))
}

/** Accepts the invitation once and adds the membership. */
async function joinCompany(
  { context, request }: Visit,
  query: Query,
  token: string,
  invitation: Invitation,
  personId: string,
) {
  const at = iso(context.clock.wall())
  if ((await query(acceptInvitation, [plainSha256(token), at])).length === 0) return false
  await addMembership(query, personId, invitation.company_id, invitation.role, at)
  const data = { personId, invitationId: invitation.id, role: invitation.role }
  await recordPersonAudit(context, query, request, personId, newEvent(memberJoined, personId, data), [
    invitation.company_id,
  ])
  if (invitation.role === 'owner') {
    const wall = context.clock.wall()
    const mail = { keyring: context.keyring, wall, newId: () => context.newId(wall) }
    await mailOwners(query, mail, invitation.company_id, 'owner_added', { email: invitation.email })
  }
  return true
}

/** The link proves that the mailbox is theirs, so the email address counts as verified. */
async function joinAsNewcomer(visit: Visit, token: string, invitation: Invitation): Promise<FastifyReply> {
  const { context, view, request, reply, form } = visit
  const read = formReader(form)
  const name = read.text('name', 'name_missing')
  const language = read.language('language')
  const password = read.newPassword('password', invitation.email)
  const again = async (status: number) =>
    sendPage(reply, status, await invitationPage(visit, invitation, token, { name, language }, read.faults))
  if (read.faults.length > 0) return again(400)
  const passwordHash = await hashPassword(password, context.passwordCost)
  const wall = context.clock.wall()
  const id = context.newId(wall)
  const at = iso(wall)
  const outcome = await inTransaction(context.pool, async query => {
    const { email } = invitation
    const isNew = await addPerson(query, {
      id,
      email,
      name,
      language,
      passwordHash,
      verifiedAt: at,
      createdAt: at,
    })
    if (!isNew) return 'known'
    if (!(await joinCompany(visit, query, token, invitation, id))) throw new DeadInvitation()
    await signIn(context, query, request, reply, id, 'link')
    await recordPersonAudit(
      context,
      query,
      request,
      id,
      newEvent(signedIn, id, { personId: id, method: 'link' }),
    )
    return 'joined'
  }).catch(error => {
    if (error instanceof DeadInvitation) return 'dead'
    throw error
  })
  if (outcome === 'dead') return sendDeadLink(visit, 'invitation')
  // An account with this address exists now: the page asks to sign in.
  return outcome === 'known' ? again(200) : seeOther(reply, view.to('/account?done=joined'))
}

/** Thrown to roll back the new person. */
class DeadInvitation extends Error {}

export async function postInvitation(visit: Visit): Promise<FastifyReply> {
  const { context, view, reply, session, form } = visit
  const token = field(form, 'token')
  const invitation = await findInvitation(visit, token)
  if (!invitation) return sendDeadLink(visit, 'invitation')
  if (!session) return joinAsNewcomer(visit, token, invitation)
  const isTheirs = emailKey(session.person.email) === invitation.email_key
  // Signed in as another person, or the form is not from this session: show the page again.
  if (!isTheirs || !isFormOf(session, form))
    return sendPage(
      reply,
      403,
      await invitationPage(visit, invitation, token, { name: '', language: invitation.language }, []),
    )
  const hasJoined = await inTransaction(context.pool, query =>
    joinCompany(visit, query, token, invitation, session.person.id),
  )
  return hasJoined ? seeOther(reply, view.to('/account?done=joined')) : sendDeadLink(visit, 'invitation')
}
