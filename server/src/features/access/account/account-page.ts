import type { Scope } from '../../../kit/actor.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { consentTexts } from '../oauth/consent-texts.ts'
import { effects, scopeTexts } from '../oauth/scope-texts.ts'
import { browserName } from '../people/browser-name.ts'
import {
  actionButton,
  type Fault,
  faultSummary,
  hidden,
  input,
  languageSelect,
  postForm,
  statusMessage,
  userName,
} from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import { companyPath, signInAgainPath } from '../people/next-path.ts'
import type { Session } from '../people/session.ts'
import { timeElement } from '../people/time-element.ts'
import type { View } from '../people/view.ts'
import type { AccountFacts } from './account-facts.ts'

export interface AccountView {
  view: View
  session: Session
  facts: AccountFacts
  /** The sign-in is recent enough to change passkeys. */
  isFresh: boolean
  /** The submitted name, if it was refused. */
  name: string
  done: string | undefined
  faults: readonly Fault[]
}

const form = ({ view, session }: AccountView, path: string, content: Html) =>
  postForm(view, session, path, content)

function profile(accountView: AccountView): Html {
  const { view, session, faults, name } = accountView
  const { texts } = view
  const field = { name: 'name', label: texts.fields.name, value: name, autocomplete: 'name' }
  return html`<section aria-labelledby="you"><h2 id="you">${texts.account.profile.title}</h2>
${form(accountView, '/account/profile', html`${input(view, field, faults)}${languageSelect(view, session.person.language)}<button>${texts.account.profile.submit}</button>`)}
</section>`
}

function ownerForm(accountView: AccountView, companyId: string, companyName: string): Html {
  const { view } = accountView
  const { companies: text } = view.texts.account
  // The company is in the name, which is also the id on the page.
  const field = {
    name: `owner-${companyId}`,
    label: text.ownerEmail,
    type: 'email',
    autocomplete: 'off',
  } as const
  return html`<details><summary>${text.addOwner}<span class="unseen"> ${companyName}</span></summary>
<p>${text.ownerHint}</p>
${form(accountView, '/account/owners', html`${hidden('company', companyId)}${input(view, field)}<button>${text.addOwner}</button>`)}
</details>`
}

function companies(accountView: AccountView): Html {
  const { view, facts, isFresh } = accountView
  const { companies: text } = view.texts.account
  const rows = facts.companies.map(
    ({ id, name, role, created_at }) =>
      html`<li><div><strong>${name}</strong> <span class="tag">${view.texts.roles[role]}</span>
<p class="hint">${text.since} ${timeElement(view, created_at)}</p>
${role === 'owner' && isFresh && ownerForm(accountView, id, name)}</div>
<a href="${view.to(companyPath(id))}">${text.open}<span class="unseen"> ${name}</span></a></li>`,
  )
  return html`<section aria-labelledby="companies"><h2 id="companies">${text.title}</h2>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
${facts.companies.some(({ role }) => role === 'owner') && html`<p><a href="${view.to('/account/card-payments')}">${text.cardPayments}</a></p>`}
</section>`
}

function passkeys(accountView: AccountView): Html {
  const { view, session, facts, isFresh } = accountView
  const { passkeys: text } = view.texts.account
  const rows = facts.passkeys.map(
    ({ id, name, created_at, last_used_at }) =>
      html`<li><div><strong>${name}</strong><p class="hint">${text.added} ${timeElement(view, created_at)}${last_used_at !== null && html`, ${text.used} ${timeElement(view, last_used_at)}`}</p></div>
${isFresh && actionButton(view, session, '/account/passkeys/remove', { passkey: id }, text.remove, name)}</li>`,
  )
  const add = html`<form data-passkey="add" data-csrf="${session.csrf}" data-done="${view.to('/account?done=passkey_added')}" data-unsupported="${text.unsupported}" data-refused="${text.refused}">
${input(view, { name: 'passkey-name', label: text.name, value: text.example, autocomplete: 'off' })}
<button>${text.add}</button>
<p class="passkey-answer" role="status" aria-live="polite"><noscript>${text.needsScript}</noscript></p>
</form>`
  const again = html`<p>${text.again} <a href="${view.to(signInAgainPath)}">${text.againLink}</a></p>`
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">${text.title}</h2>
<p>${text.intro}</p>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
${isFresh ? add : again}
</section>`
}

function sessions(accountView: AccountView): Html {
  const { view, session, facts } = accountView
  const { sessions: text } = view.texts.account
  const rows = facts.sessions.map(({ token_hash, method, address, agent, created_at, seen_at }) => {
    const isHere = token_hash.equals(session.tokenHash)
    const browser = browserName(agent) ?? text.unknownBrowser
    return html`<li><div><strong>${browser}</strong>${isHere && html` <span class="tag">${text.here}</span>`}
<p class="hint">${address}, ${text.methods[method]}, ${text.since} ${timeElement(view, created_at)}, ${text.seen} ${timeElement(view, seen_at)}</p></div>
${actionButton(view, session, '/account/sessions/end', { session: token_hash.toString('base64url') }, text.end, `${browser}, ${address}`)}</li>`
  })
  return html`<section aria-labelledby="sessions"><h2 id="sessions">${text.title}</h2>
<p>${text.intro}</p>
<ul class="things">${rows}</ul>
${form(accountView, '/account/sessions/end-all', html`<button class="second">${text.everywhere}</button>`)}
</section>`
}

function password(accountView: AccountView): Html {
  const { view, session, faults } = accountView
  const { texts } = view
  const { password: text } = texts.account
  const field = (name: string, label: string, autocomplete: string, hint?: string) =>
    input(view, { name, label, type: 'password', autocomplete, ...(hint && { hint }) }, faults)
  return html`<section aria-labelledby="passwords"><h2 id="passwords">${text.title}</h2>
${form(
  accountView,
  '/account/password',
  html`${userName(session.person.email)}
${field('current', text.current, 'current-password')}
${field('password', texts.fields.newPassword, 'new-password', texts.fields.passwordHint)}
<button>${text.submit}</button>`,
)}
</section>`
}

/** The granted scopes, with the texts of the consent page. */
const scopeTextsOf = ({ language }: View, scopes: readonly Scope[]): Html[] =>
  effects.map(effect => {
    const found = scopes.filter(scope => scopeTexts[scope].effect === effect)
    if (found.length === 0) return html``
    return html`<p>${consentTexts[language].effects[effect]}</p>
<ul>${found.map(scope => html`<li>${scopeTexts[scope][language].does}</li>`)}</ul>`
  })

function applications(accountView: AccountView): Html {
  const { view, session, facts } = accountView
  const { applications: text } = view.texts.account
  const rows = facts.grants.map(
    grant =>
      html`<li><div><strong>${grant.client_name}</strong>${grant.environment === 'sandbox' && html` <span class="tag">${text.sandbox}</span>`}
<p>${text.companies} ${grant.company_names.join(', ')}</p>
${scopeTextsOf(view, grant.scopes)}
<p class="hint">${text.since} ${timeElement(view, grant.created_at)}, ${grant.last_used_at === null ? text.never : html`${text.used} ${timeElement(view, grant.last_used_at)}`}</p></div>
${actionButton(view, session, '/account/applications/withdraw', { grant: grant.id }, text.withdraw, grant.client_name)}</li>`,
  )
  return html`<section aria-labelledby="applications"><h2 id="applications">${text.title}</h2>
<p>${text.intro}</p>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
</section>`
}

function auditEvents({ view, facts }: AccountView): Html | null {
  const { texts } = view
  const { auditEvents: text } = texts.account
  if (!facts.companies.some(company => company.role === 'owner')) return null
  const rows = facts.auditEvents.map(
    ({ actor_kind, actor_name, type, company_name, recorded_at }) =>
      html`<li><div><strong>${texts.actors[actor_kind]?.(actor_name)}</strong> ${texts.auditEvents[type] ?? type}
<p class="hint">${company_name}, ${timeElement(view, recorded_at)}</p></div></li>`,
  )
  return html`<section aria-labelledby="acts"><h2 id="acts">${text.title}</h2>
${rows.length > 0 ? html`<ol class="things">${rows}</ol>` : html`<p>${text.none}</p>`}
</section>`
}

export const accountPage = (accountView: AccountView): Html => {
  const { view, session, faults, done } = accountView
  const { account } = view.texts
  return layout(view, {
    title: account.title,
    hasFaults: faults.length > 0,
    hasPasskeys: true,
    isWide: true,
    body: html`${faultSummary(view, faults)}<h1>${account.title}</h1>
${statusMessage(done)}
<p>${account.intro(session.person.email)}</p>
${profile(accountView)}${companies(accountView)}${passkeys(accountView)}${sessions(accountView)}${password(accountView)}${applications(accountView)}${auditEvents(accountView)}`,
  })
}
