import type { Environment } from '../../../kit/actor.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { environments, type KeyRow } from '../api-keys/schema.ts'
import { input, select } from '../people/form-parts.ts'
import { timeElement } from '../people/time-element.ts'
import { type CompanyView, companyButton, companyForm, signInAgain } from './company-view.ts'

export const accesses = ['all', 'read'] as const

function keyItem(companyView: CompanyView, key: KeyRow, environment: Environment): Html {
  const { view, texts } = companyView
  const { keys: text } = texts
  const { id, name, prefix, scopes, created_at, last_used_at } = key
  return html`<li><div><strong>${name}</strong> <span class="tag">${text.environments[environment]}</span>
<p class="hint">${prefix}, ${text.scopes(scopes.length)}, ${text.created} ${timeElement(view, created_at)}, ${last_used_at === null ? text.never : html`${text.used} ${timeElement(view, last_used_at)}`}</p></div>
${companyButton(companyView, '/account/company/keys/delete', { key: id, environment }, text.remove, `${name}, ${prefix}`)}</li>`
}

function keyForm(companyView: CompanyView): Html {
  const { view, texts, typed, faults } = companyView
  const { keys: text } = texts
  const name = {
    name: 'name',
    id: 'key-name',
    label: text.name,
    value: typed['key-name'] ?? '',
    autocomplete: 'off',
  }
  const environment = { name: 'environment', label: text.environment, value: typed.environment ?? 'sandbox' }
  const access = { name: 'access', label: text.access, value: typed.access ?? 'all' }
  return html`<h3 class="subhead">${text.createTitle}</h3>
${companyForm(
  companyView,
  '/account/company/keys/create',
  html`${input(view, name, faults)}
${select(view, { ...environment, options: environments.map(value => ({ value, text: text.environments[value] })) }, faults)}
${select(view, { ...access, options: accesses.map(value => ({ value, text: text.accesses[value] })) }, faults)}
<button>${text.create}</button>`,
)}`
}

/** Null if the member may not use keys. */
export function keysSection(companyView: CompanyView): Html | null {
  const { texts, facts, isFresh, newKey } = companyView
  const { keys } = facts
  if (!keys) return null
  const { keys: text } = texts
  const items = environments.flatMap(environment =>
    keys[environment].map(key => keyItem(companyView, key, environment)),
  )
  return html`<section aria-labelledby="keys"><h2 id="keys">${text.title}</h2>
<p>${text.intro}</p>
${
  newKey &&
  html`<div class="notice" role="status"><p><strong>${text.newKey}</strong></p>
<p><code>${newKey}</code></p>
<p>${text.once}</p></div>`
}
${items.length > 0 ? html`<ul class="things">${items}</ul>` : html`<p>${text.none}</p>`}
${isFresh ? keyForm(companyView) : signInAgain(companyView)}
</section>`
}
