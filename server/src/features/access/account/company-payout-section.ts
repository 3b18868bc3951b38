import { type Html, html } from '../../../kit/http/html.ts'
import {
  maskPayout,
  type PayoutField,
  payoutColumns,
  payoutFields,
  type WaitingField,
} from '../companies/payout-fields.ts'
import type { PendingRow } from '../companies/settings.ts'
import { waitingValue } from '../companies/waiting-values.ts'
import { input } from '../people/form-parts.ts'
import { timeElement } from '../people/time-element.ts'
import { mayChangePayout } from './company-facts.ts'
import { type CompanyView, companyButton, companyForm, signInAgain } from './company-view.ts'

const inGroups = (field: WaitingField, value: string) =>
  field === 'iban' ? value.replaceAll(/(.{4})(?=.)/g, '$1 ') : value

const isText = (field: WaitingField): field is PayoutField => field in payoutColumns

/** Every member sees names; only owners see accounts and addresses unmasked. */
const toMember = (field: WaitingField, value: string | null) =>
  field === 'legalName' || field === 'accountHolder' ? value : maskPayout(field, value)

function pendingChange(companyView: CompanyView, change: PendingRow): Html {
  const { view, session, texts, membership, facts, isFresh } = companyView
  const { payout: text } = texts
  const { field, value, requestedBy, requestedAt, effectiveAt } = change
  const label = text.fields[field]
  const isOwn = requestedBy.kind === 'person' && requestedBy.id === session.person.id
  const mayChange = mayChangePayout(membership.role)
  const shown = (one: string | null) =>
    (mayChange && one !== null && isText(field) ? inGroups(field, one) : toMember(field, one)) ?? text.empty
  return html`<li><div><strong>${label}</strong>
<p>${text.from} ${shown(waitingValue(facts, field))}; ${text.to} <strong>${shown(value)}</strong></p>
<p class="hint">${text.takesEffect} ${timeElement(view, effectiveAt)}, ${text.requested} ${timeElement(view, requestedAt)}${mayChange && isOwn && html`. ${text.ownHint}`}</p></div>
${mayChange && !isOwn && isFresh && companyButton(companyView, '/account/company/payout/confirm', { field }, text.confirm, label)}
${mayChange && companyButton(companyView, '/account/company/payout/withdraw', { field }, text.withdraw, label)}</li>`
}

/** The account for card payments is opened at the payment provider, on a separate page. */
const typedFields = payoutFields.filter(field => field !== 'paymentAccount')

function payoutForm(companyView: CompanyView): Html {
  const { view, texts, facts, typed, faults } = companyView
  const { payout: text } = texts
  const shownValue = (field: PayoutField) =>
    typed[field] ?? inGroups(field, facts.settings[payoutColumns[field]] ?? '')
  const fields = typedFields.map(field => {
    const hint = text.hints[field]
    const type = field === 'replyEmail' ? ('email' as const) : ('text' as const)
    const given = {
      name: field,
      label: text.fields[field],
      value: shownValue(field),
      type,
      autocomplete: 'off',
    }
    return input(view, { ...given, isOptional: true, ...(hint && { hint }) }, faults)
  })
  return companyForm(companyView, '/account/company/payout', html`${fields}<button>${text.submit}</button>`)
}

export function payoutSection(companyView: CompanyView): Html {
  const { view, texts, membership, facts, isFresh } = companyView
  const { payout: text } = texts
  const { pending } = facts.company
  const values = payoutFields.map(
    field =>
      html`<li><div>${text.fields[field]}${text.colon} <strong>${toMember(field, facts.settings[payoutColumns[field]]) ?? text.empty}</strong></div></li>`,
  )
  const readOnly = html`<ul class="things">${values}</ul>`
  const mayChange = mayChangePayout(membership.role)
  return html`<section aria-labelledby="payout"><h2 id="payout">${text.title}</h2>
<p>${text.intro}</p>
${
  pending.length > 0 &&
  html`<h3 class="subhead">${text.pendingTitle}</h3>
<ul class="things">${pending.map(change => pendingChange(companyView, change))}</ul>`
}
${mayChange && html`<p>${text.fields.paymentAccount}${text.colon} <strong>${maskPayout('paymentAccount', facts.settings.payment_account) ?? text.empty}</strong>. <a href="${view.to(`/account/card-payments?company=${membership.companyId}`)}">${text.cards}</a></p>`}
${mayChange && isFresh ? payoutForm(companyView) : html`${readOnly}${mayChange ? signInAgain(companyView) : html`<p class="hint">${text.ownersOnly}</p>`}`}
</section>`
}
