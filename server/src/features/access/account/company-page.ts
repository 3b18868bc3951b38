import { type Html, html } from '../../../kit/http/html.ts'
import { faultSummary, input, statusMessage } from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import { companyPath } from '../people/next-path.ts'
import type { View } from '../people/view.ts'
import { mayChangePayout, mayChangeSettings } from './company-facts.ts'
import { keysSection } from './company-keys-section.ts'
import { membersSection, ownAlertsSection } from './company-members-section.ts'
import { payoutSection } from './company-payout-section.ts'
import { companyTexts } from './company-texts.ts'
import { type CompanyView, companyForm } from './company-view.ts'

function addressSection(companyView: CompanyView): Html {
  const { view, texts, membership, facts, typed, faults } = companyView
  const { address: text } = texts
  const { address, postal_code, city, siren, legal_form, rcs, ...settings } = facts.settings
  const lines = [
    address,
    [postal_code, city].filter(Boolean).join(' '),
    legal_form,
    siren && `SIREN ${siren}`,
    rcs && `RCS ${rcs}`,
    settings.mediator_name && `${text['mediator.name']} ${settings.mediator_name}`,
  ]
    .filter(Boolean)
    .join(', ')
  const field = (
    name: Exclude<keyof typeof text, 'title' | 'intro' | 'mediatorIntro' | 'submit'>,
    value: string | null,
    autocomplete = 'off',
  ) =>
    input(
      view,
      { name, label: text[name], value: typed[name] ?? value ?? '', autocomplete, isOptional: true },
      faults,
    )
  return html`<section aria-labelledby="postal"><h2 id="postal">${text.title}</h2>
<p>${text.intro}</p>
${
  mayChangeSettings(membership.role)
    ? companyForm(
        companyView,
        '/account/company/address',
        html`${field('address', address, 'street-address')}${field('postalCode', postal_code, 'postal-code')}${field('city', city, 'address-level2')}${field('siren', siren)}${field('legalForm', legal_form)}${field('rcs', rcs)}
${mayChangePayout(membership.role) && html`<p class="hint">${text.mediatorIntro}</p>${field('mediator.name', settings.mediator_name)}${field('mediator.address', settings.mediator_address)}${field('mediator.website', settings.mediator_website)}`}
<button>${text.submit}</button>`,
      )
    : html`<p>${lines || texts.payout.empty}</p>`
}
</section>`
}

export const companyPage = (companyView: CompanyView): Html => {
  const { view, texts, membership, others, faults, done } = companyView
  const title = texts.title(membership.name)
  return layout(view, {
    title,
    hasFaults: faults.length > 0,
    isWide: true,
    body: html`${faultSummary(view, faults)}<h1>${title}</h1>
${statusMessage(done)}
<p>${texts.intro(view.texts.roles[membership.role])}</p>
${others.length > 0 && html`<p>${texts.others} ${others.map((other, at) => html`${at > 0 && ', '}<a href="${view.to(companyPath(other.companyId))}">${other.name}</a>`)}</p>`}
${payoutSection(companyView)}${addressSection(companyView)}${membersSection(companyView)}${ownAlertsSection(companyView)}${keysSection(companyView)}
<p><a href="${view.to('/account')}">${texts.back}</a></p>`,
  })
}

/** For a person without a company, or whose company is closed. */
export const noCompanyPage = (view: View, because: 'none' | 'closed'): Html => {
  const texts = companyTexts[view.language]
  const title = view.texts.account.companies.title
  return layout(view, {
    title,
    body: html`<h1>${title}</h1>
<p>${texts[because]}</p>
<p><a href="${view.to('/account')}">${texts.back}</a></p>`,
  })
}
