import { type Html, html } from '../../../kit/http/html.ts'
import type { Scope } from '../../../kit/operation.ts'
import { consentWords } from '../oauth/consent-words.ts'
import { effects, scopeWords } from '../oauth/scope-words.ts'
import { browserName } from '../people/browser-name.ts'
import {
  csrf,
  type Fault,
  faultSummary,
  hidden,
  input,
  languageSelect,
  notice,
  userName,
} from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import { moment } from '../people/moment.ts'
import { signInAgain } from '../people/next-path.ts'
import type { Session } from '../people/session.ts'
import type { View } from '../people/view.ts'
import type { Facts } from './account-facts.ts'

export interface Shown {
  view: View
  session: Session
  facts: Facts
  /** Signed in so recently that passkeys may be changed. */
  isFresh: boolean
  /** The name as it was typed, where it was refused. */
  name: string
  done: string | undefined
  faults: readonly Fault[]
}

const form = ({ view, session }: Shown, path: string, content: Html, isInline = false) =>
  html`<form method="post" action="${view.to(path)}" novalidate${isInline && html` class="inline"`}>${csrf(session)}${content}</form>`

/** A button that does one thing; its name says to which of several, for who does not see the line it stands in. */
const deed = (shown: Shown, path: string, name: string, value: string, label: string, about: string) =>
  form(
    shown,
    path,
    html`${hidden(name, value)}<button class="second">${label}<span class="unseen"> ${about}</span></button>`,
    true,
  )

function profile(shown: Shown): Html {
  const { view, session, faults, name } = shown
  const { words } = view
  const field = { name: 'name', label: words.fields.name, value: name, autocomplete: 'name' }
  return html`<section aria-labelledby="you"><h2 id="you">${words.account.profile.title}</h2>
${form(shown, '/account/profile', html`${input(view, field, faults)}${languageSelect(view, session.person.language)}<button>${words.account.profile.submit}</button>`)}
</section>`
}

function companies({ view, facts }: Shown): Html {
  const { companies: text } = view.words.account
  const rows = facts.companies.map(
    ({ name, role, created_at }) =>
      html`<li><div><strong>${name}</strong> <span class="tag">${view.words.roles[role]}</span>
<p class="hint">${text.since} ${moment(view, created_at)}</p></div></li>`,
  )
  return html`<section aria-labelledby="companies"><h2 id="companies">${text.title}</h2>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
</section>`
}

function passkeys(shown: Shown): Html {
  const { view, session, facts, isFresh } = shown
  const { passkeys: text } = view.words.account
  const rows = facts.passkeys.map(
    ({ id, name, created_at, last_used_at }) =>
      html`<li><div><strong>${name}</strong><p class="hint">${text.added} ${moment(view, created_at)}${last_used_at !== null && html`, ${text.used} ${moment(view, last_used_at)}`}</p></div>
${isFresh && deed(shown, '/account/passkeys/remove', 'passkey', id, text.remove, name)}</li>`,
  )
  const add = html`<form data-passkey="add" data-csrf="${session.csrf}" data-done="${view.to('/account?done=passkey_added')}" data-unsupported="${text.unsupported}" data-refused="${text.refused}">
${input(view, { name: 'passkey-name', label: text.name, value: text.example, autocomplete: 'off' })}
<button>${text.add}</button>
<p class="passkey-answer" role="status" aria-live="polite"><noscript>${text.needsScript}</noscript></p>
</form>`
  const again = html`<p>${text.again} <a href="${view.to(signInAgain)}">${text.againLink}</a></p>`
  return html`<section aria-labelledby="passkeys"><h2 id="passkeys">${text.title}</h2>
<p>${text.intro}</p>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
${isFresh ? add : again}
</section>`
}

function sessions(shown: Shown): Html {
  const { view, session, facts } = shown
  const { sessions: text } = view.words.account
  const rows = facts.sessions.map(({ token_hash, method, address, agent, created_at, seen_at }) => {
    const isHere = token_hash.equals(session.tokenHash)
    const browser = browserName(agent) ?? text.unknownBrowser
    return html`<li><div><strong>${browser}</strong>${isHere && html` <span class="tag">${text.here}</span>`}
<p class="hint">${address}, ${text.methods[method]}, ${text.since} ${moment(view, created_at)}, ${text.seen} ${moment(view, seen_at)}</p></div>
${deed(shown, '/account/sessions/end', 'session', token_hash.toString('base64url'), text.end, `${browser}, ${address}`)}</li>`
  })
  return html`<section aria-labelledby="sessions"><h2 id="sessions">${text.title}</h2>
<p>${text.intro}</p>
<ul class="things">${rows}</ul>
${form(shown, '/account/sessions/end-all', html`<button class="second">${text.everywhere}</button>`)}
</section>`
}

function password(shown: Shown): Html {
  const { view, session, faults } = shown
  const { words } = view
  const { password: text } = words.account
  const field = (name: string, label: string, autocomplete: string, hint?: string) =>
    input(view, { name, label, type: 'password', autocomplete, ...(hint && { hint }) }, faults)
  return html`<section aria-labelledby="passwords"><h2 id="passwords">${text.title}</h2>
${form(
  shown,
  '/account/password',
  html`${userName(session.person.email)}
${field('current', text.current, 'current-password')}
${field('password', words.fields.newPassword, 'new-password', words.fields.passwordHint)}
<button>${text.submit}</button>`,
)}
</section>`
}

/** In the words of the page on which it was granted. */
const mayDo = ({ language }: View, scopes: readonly Scope[]): Html[] =>
  effects.map(effect => {
    const found = scopes.filter(scope => scopeWords[scope].effect === effect)
    if (found.length === 0) return html``
    return html`<p>${consentWords[language].effects[effect]}</p>
<ul>${found.map(scope => html`<li>${scopeWords[scope][language].does}</li>`)}</ul>`
  })

function applications(shown: Shown): Html {
  const { view, facts } = shown
  const { applications: text } = view.words.account
  const rows = facts.grants.map(
    grant =>
      html`<li><div><strong>${grant.client_name}</strong>${grant.environment === 'sandbox' && html` <span class="tag">${text.sandbox}</span>`}
<p>${text.companies} ${grant.company_names.join(', ')}</p>
${mayDo(view, grant.scopes)}
<p class="hint">${text.since} ${moment(view, grant.created_at)}, ${grant.last_used_at === null ? text.never : html`${text.used} ${moment(view, grant.last_used_at)}`}</p></div>
${deed(shown, '/account/applications/withdraw', 'grant', grant.id, text.withdraw, grant.client_name)}</li>`,
  )
  return html`<section aria-labelledby="applications"><h2 id="applications">${text.title}</h2>
<p>${text.intro}</p>
${rows.length > 0 ? html`<ul class="things">${rows}</ul>` : html`<p>${text.none}</p>`}
</section>`
}

function acts({ view, facts }: Shown): Html | null {
  const { words } = view
  const { acts: text } = words.account
  if (!facts.companies.some(company => company.role === 'owner')) return null
  const rows = facts.acts.map(
    ({ actor_kind, actor_name, type, company_name, recorded_at }) =>
      html`<li><div><strong>${words.actors[actor_kind]?.(actor_name)}</strong> ${words.acts[type] ?? type}
<p class="hint">${company_name}, ${moment(view, recorded_at)}</p></div></li>`,
  )
  return html`<section aria-labelledby="acts"><h2 id="acts">${text.title}</h2>
${rows.length > 0 ? html`<ol class="things">${rows}</ol>` : html`<p>${text.none}</p>`}
</section>`
}

export const accountPage = (shown: Shown): Html => {
  const { view, session, faults, done } = shown
  const { account } = view.words
  return layout(view, {
    title: account.title,
    hasFaults: faults.length > 0,
    hasPasskeys: true,
    isWide: true,
    body: html`${faultSummary(view, faults)}<h1>${account.title}</h1>
${notice(done)}
<p>${account.intro(session.person.email)}</p>
${profile(shown)}${companies(shown)}${passkeys(shown)}${sessions(shown)}${password(shown)}${applications(shown)}${acts(shown)}`,
  })
}
