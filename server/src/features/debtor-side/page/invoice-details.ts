import { type Html, html } from '../../../kit/http/html.ts'
import { amountsOwed, type DebtorView, isAsked, isInsolvent, totalsOf } from './debtor-view.ts'
import { latePaymentBreakdown } from './late-payment-breakdown.ts'
import { isolatedText } from './layout.ts'
import { stateOf } from './next-contact-summary.ts'
import { type PageLocale, timeElement } from './page-locale.ts'
import type { ShownInvoice } from './view-store.ts'

function lateRows(locale: PageLocale, debtorView: DebtorView, invoice: ShownInvoice): Html | null {
  const { details } = locale.texts
  const breakdown = latePaymentBreakdown(debtorView, invoice)
  if (!breakdown) return null
  const sum = (cents: number) => locale.money(cents, invoice.currency)
  const basis = debtorView.debtor.type === 'public_body' ? 'public_body' : 'business'
  return html`${breakdown.indemnityCents > 0 && html`<div class="row"><dt>${details.indemnity} <small>${details.indemnityBasis[basis]}</small></dt><dd class="figures">${sum(breakdown.indemnityCents)}</dd></div>`}
${
  breakdown.interestCents > 0 &&
  html`<div class="row"><dt>${details.interest[basis]} <small>${details.interestBasis[basis]}${breakdown.periods.map(
    ({ days, base, rateBps, from, to }) =>
      html`<br>${details.interestLine(days, sum(base), locale.percent(rateBps), locale.day(from), locale.day(to))}`,
  )}${breakdown.asOf && html`<br>${details.asOf(locale.day(breakdown.asOf))}`}</small></dt><dd class="figures">${sum(breakdown.interestCents)}</dd></div>`
}`
}

function invoiceCard(locale: PageLocale, debtorView: DebtorView, invoice: ShownInvoice): Html {
  const { details } = locale.texts
  const sum = (cents: number) => locale.money(cents, invoice.currency)
  const { balance, accessories, total, paidAccessories } = amountsOwed(invoice)
  return html`<li class="bill">
<h3>${details.invoice} <bdi class="number">${invoice.number}</bdi> <span class="tag">${details.states[stateOf(invoice)]}</span></h3>
<dl class="sheet sums">
${invoice.description && html`<div class="row"><dt>${details.subject}</dt><dd>${isolatedText(invoice.description)}</dd></div>`}
<div class="row"><dt>${details.issued}</dt><dd>${timeElement(locale, invoice.issueDate)}</dd></div>
<div class="row"><dt>${details.due}</dt><dd>${timeElement(locale, invoice.dueDate)}</dd></div>
<div class="row"><dt>${details.amount}</dt><dd class="figures">${sum(invoice.amountCents)}</dd></div>
${invoice.dispute !== null && html`<div class="row"><dt>${locale.texts.dispute.sum}</dt><dd class="figures">${sum(invoice.dispute.amountCents)}</dd></div>`}
${paidAccessories > 0 && html`<div class="row"><dt>${details.accessories}</dt><dd class="figures">${sum(paidAccessories)}</dd></div>`}
${invoice.paidCents > 0 && html`<div class="row"><dt>${details.paid}</dt><dd class="figures">${sum(-invoice.paidCents)}</dd></div>`}
${invoice.creditedCents > 0 && html`<div class="row"><dt>${details.credited}</dt><dd class="figures">${sum(-invoice.creditedCents)}</dd></div>`}
${
  (isAsked(invoice) || (invoice.status === 'paid' && accessories > 0)) &&
  html`<div class="row sum"><dt>${details.balance}</dt><dd class="figures">${sum(balance)}</dd></div>
${accessories > 0 && !isInsolvent(debtorView) && html`${lateRows(locale, debtorView, invoice)}<div class="row sum"><dt>${details.toPay}</dt><dd class="figures">${sum(total)}</dd></div>`}`
}
</dl>
</li>`
}

/** Each invoice of the message with its sums, and the total. */
export function detailsSection(locale: PageLocale, debtorView: DebtorView): Html {
  const { details } = locale.texts
  const { invoices } = debtorView
  const open = invoices.filter(isAsked)
  return html`<section id="details" aria-labelledby="details-title">
<h2 id="details-title">${details.title}</h2>
<ul class="bills">${invoices.map(invoice => invoiceCard(locale, debtorView, invoice))}</ul>
${open.length > 1 && !isInsolvent(debtorView) && totalsOf(open).map(({ currency, cents }) => html`<p class="total"><span>${details.total}</span> <span class="figures">${locale.money(cents, currency)}</span></p>`)}
</section>`
}
