import { type Html, html } from '../../../kit/http/html.ts'
import { hidden, input, postForm, select } from '../people/form-parts.ts'
import type { InvitationRow, MemberRow } from '../people/schema.ts'
import { timeElement } from '../people/time-element.ts'
import { type Role, roles } from '../roles.ts'
import { type CompanyView, companyButton, companyForm, signInAgain } from './company-view.ts'

/** Owners are made on the account page; here an owner can only get another role. */
const roleOptions = ({ view }: CompanyView, current?: Role) =>
  roles
    .filter(role => role !== 'owner' || current === 'owner')
    .map(role => ({ value: role, text: view.texts.roles[role] }))

function roleForm(companyView: CompanyView, { person_id, name, role }: MemberRow): Html {
  const { view, session, texts, membership } = companyView
  const id = `role-${person_id}`
  const options = roleOptions(companyView, role).map(
    option =>
      html`<option value="${option.value}"${option.value === role && html` selected`}>${option.text}</option>`,
  )
  return postForm(
    view,
    session,
    '/account/company/members/role',
    html`${hidden('company', membership.companyId)}${hidden('person', person_id)}<label class="unseen" for="${id}">${texts.members.role(name)}</label>
<select id="${id}" name="role">${options}</select>
<button class="second">${texts.members.changeRole}<span class="unseen"> ${name}</span></button>`,
    true,
  )
}

/** Switches the mails about debtors on or off for a member. */
const alertsButton = (companyView: CompanyView, person: string, hears: boolean, name: string): Html => {
  const { members: text } = companyView.texts
  const [value, label] = hears ? ['0', text.alertsOff] : ['1', text.alertsOn]
  return companyButton(companyView, '/account/company/members/alerts', { person, hears: value }, label, name)
}

/** For a member who may not see the members: the switch for their own mails. */
export function ownAlertsSection(companyView: CompanyView): Html | null {
  const { texts, facts, membership, session } = companyView
  if (facts.members) return null
  return html`<section aria-labelledby="alerts"><h2 id="alerts">${texts.members.alertsTitle}</h2>
<p>${membership.receivesAlerts ? texts.members.alertsAreOn : texts.members.alertsAreOff}</p>
${alertsButton(companyView, session.person.id, membership.receivesAlerts, '')}
</section>`
}

function memberItem(companyView: CompanyView, member: MemberRow): Html {
  const { view, session, texts, isFresh } = companyView
  const { person_id, name, email, role, created_at } = member
  const isYou = person_id === session.person.id
  return html`<li><div><strong>${name}</strong> <span class="tag">${view.texts.roles[role]}</span>${isYou && html` <span class="tag">${texts.members.you}</span>`}
<p class="hint">${email}, ${texts.members.since} ${timeElement(view, created_at)}</p></div>
${alertsButton(companyView, person_id, member.receives_alerts, name)}${isFresh && html`${roleForm(companyView, member)}${companyButton(companyView, '/account/company/members/remove', { person: person_id }, texts.members.remove, name)}`}</li>`
}

function invitationItem(companyView: CompanyView, { id, email, role, expires_at }: InvitationRow): Html {
  const { view, texts } = companyView
  return html`<li><div><strong>${email}</strong> <span class="tag">${view.texts.roles[role]}</span>
<p class="hint">${texts.members.expires} ${timeElement(view, expires_at)}</p></div>
${companyButton(companyView, '/account/company/invitations/withdraw', { invitation: id }, texts.members.withdraw, email)}</li>`
}

function invitationForm(companyView: CompanyView): Html {
  const { view, texts, typed, faults } = companyView
  const { members: text } = texts
  const email = {
    name: 'email',
    label: text.email,
    type: 'email',
    value: typed.email ?? '',
    autocomplete: 'off',
  } as const
  const role = { name: 'role', label: text.inviteRole, value: (typed.role ?? 'viewer') as Role }
  return html`<h3 class="subhead">${text.inviteTitle}</h3>
${companyForm(
  companyView,
  '/account/company/members/invite',
  html`${input(view, email, faults)}${select(view, { ...role, options: roleOptions(companyView) }, faults)}<button>${text.invite}</button>`,
)}`
}

/** Null if the member may not see the members. */
export function membersSection(companyView: CompanyView): Html | null {
  const { texts, facts, isFresh } = companyView
  if (!facts.members) return null
  const { members, invitations } = facts.members
  const { members: text } = texts
  return html`<section aria-labelledby="members"><h2 id="members">${text.title}</h2>
<ul class="things">${members.map(member => memberItem(companyView, member))}</ul>
${
  invitations.length > 0 &&
  html`<h3 class="subhead">${text.invitations}</h3>
<ul class="things">${invitations.map(invitation => invitationItem(companyView, invitation))}</ul>`
}
${isFresh ? invitationForm(companyView) : signInAgain(companyView)}
</section>`
}
