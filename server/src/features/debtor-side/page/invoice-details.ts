import { type Html, html } from '../../../kit/http/html.ts'
import { type Dossier, isOpen, owedOf, type ShownInvoice, totalsOf } from './dossier.ts'
import { lateStatement } from './late-statement.ts'
import { name } from './layout.ts'
import { stateOf } from './outlook.ts'
import { time, type View } from './view.ts'

function lateRows(view: View, dossier: Dossier, invoice: ShownInvoice): Html | null {
  const { details } = view.words
  const statement = lateStatement(dossier, invoice)
  if (!statement) return null
  const sum = (cents: number) => view.money(cents, invoice.currency)
  return html`${statement.indemnityCents > 0 && html`<div class="row"><dt>${details.indemnity} <small>${details.indemnityBasis}</small></dt><dd class="figures">${sum(statement.indemnityCents)}</dd></div>`}
${
  statement.interestCents > 0 &&
  html`<div class="row"><dt>${details.interest} <small>${details.interestBasis}${statement.periods.map(
    ({ days, base, rateBps, from, to }) =>
      html`<br>${details.interestLine(days, sum(base), view.percent(rateBps), view.day(from), view.day(to))}`,
  )}${statement.asOf && html`<br>${details.asOf(view.day(statement.asOf))}`}</small></dt><dd class="figures">${sum(statement.interestCents)}</dd></div>`
}`
}

function card(view: View, dossier: Dossier, invoice: ShownInvoice): Html {
  const { details } = view.words
  const sum = (cents: number) => view.money(cents, invoice.currency)
  const { balance, accessories, total, paidAccessories } = owedOf(invoice)
  return html`<li class="bill">
<h3>${details.invoice} ${name(invoice.number)} <span class="tag">${details.states[stateOf(invoice)]}</span></h3>
<dl class="sheet sums">
${invoice.description && html`<div class="row"><dt>${details.subject}</dt><dd>${name(invoice.description)}</dd></div>`}
<div class="row"><dt>${details.issued}</dt><dd>${time(view, invoice.issueDate)}</dd></div>
<div class="row"><dt>${details.due}</dt><dd>${time(view, invoice.dueDate)}</dd></div>
<div class="row"><dt>${details.amount}</dt><dd class="figures">${sum(invoice.amountCents)}</dd></div>
${paidAccessories > 0 && html`<div class="row"><dt>${details.accessories}</dt><dd class="figures">${sum(paidAccessories)}</dd></div>`}
${invoice.paidCents > 0 && html`<div class="row"><dt>${details.paid}</dt><dd class="figures">${sum(-invoice.paidCents)}</dd></div>`}
${invoice.creditedCents > 0 && html`<div class="row"><dt>${details.credited}</dt><dd class="figures">${sum(-invoice.creditedCents)}</dd></div>`}
${
  isOpen(invoice) &&
  html`<div class="row sum"><dt>${details.balance}</dt><dd class="figures">${sum(balance)}</dd></div>
${accessories > 0 && html`${lateRows(view, dossier, invoice)}<div class="row sum"><dt>${details.toPay}</dt><dd class="figures">${sum(total)}</dd></div>`}`
}
</dl>
</li>`
}

const others = (view: View, { others }: Dossier): Html | null => {
  const { details } = view.words
  return others.length === 0
    ? null
    : html`<h3>${details.others}</h3>
<p class="hint">${details.othersHint}</p>
<ul class="things">${others.map(
        invoice => html`<li><div><p>${details.invoice} ${name(invoice.number)} <span class="tag">${details.states[stateOf(invoice)]}</span></p>
<p class="hint">${details.due} ${time(view, invoice.dueDate)}</p></div><span class="figures">${view.money(owedOf(invoice).total, invoice.currency)}</span></li>`,
      )}</ul>`
}

/** Each invoice of the message with its sums apart, and the total; then what else is open. */
export function detailsSection(view: View, dossier: Dossier): Html {
  const { details } = view.words
  const { invoices } = dossier
  const open = invoices.filter(isOpen)
  return html`<section id="details" aria-labelledby="details-title">
<h2 id="details-title">${details.title}</h2>
<ul class="bills">${invoices.map(invoice => card(view, dossier, invoice))}</ul>
${open.length > 1 && totalsOf(open).map(({ currency, cents }) => html`<p class="total"><span>${details.total}</span> <span class="figures">${view.money(cents, currency)}</span></p>`)}
${others(view, dossier)}
</section>`
}
