import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { caseReference } from '../../recovery/messages/compose/case-reference.ts'
import { hardship } from '../../recovery/messages/compose/texts/hardship.ts'
import { shownTelephone } from '../../recovery/messages/compose/texts/template-writer.ts'
import { recordReceipt } from '../../recovery/receipts/record-receipt.ts'
import { cardPaymentMethodFor } from './card-payment-method.ts'
import { type DebtorView, isOpen, mayDispute, mayPromise, paidIn, totalsOf } from './debtor-view.ts'
import { detailsSection } from './invoice-details.ts'
import { isolatedText, layout, sendDebtorPage } from './layout.ts'
import { nextContactAt } from './next-contact.ts'
import { type NextContactSummary, nextContactSummary, stateOf } from './next-contact-summary.ts'
import type { PageLocale } from './page-locale.ts'
import { paymentSection } from './payment-section.ts'
import { transferOf } from './transfer.ts'
import { inDebtorTransaction, localeFor, type Visit } from './visit.ts'

export const sumsOf = (locale: PageLocale, invoices: DebtorView['invoices']): string =>
  totalsOf(invoices)
    .map(({ cents, currency }) => locale.money(cents, currency))
    .join(' + ')

function headline(
  locale: PageLocale,
  { invoices, creditor }: DebtorView,
  nextContact: NextContactSummary,
): Html {
  const { title } = locale.texts
  const paid = paidIn(invoices).map(({ cents, currency }) => locale.money(cents, currency))
  if (nextContact.kind === 'paid' && paid.length > 0)
    return html`<h1 class="claim"><span class="figures paid">${title.paidSum(paid.join(' + '))}</span> ${title.paidTo} ${isolatedText(creditor.name)}</h1>
<p class="about">${title.paid}.</p>`
  if (nextContact.kind === 'paid' || nextContact.kind === 'closed' || nextContact.kind === 'disputed')
    return html`<h1>${title[nextContact.kind]}</h1>`
  return html`<h1 class="claim"><span class="figures">${sumsOf(locale, invoices.filter(isOpen))}</span> ${title.toPayTo} ${isolatedText(creditor.name)}</h1>`
}

function nextContactText(
  locale: PageLocale,
  { creditor, zone }: DebtorView,
  nextContact: NextContactSummary,
): string {
  const { nextContact: texts } = locale.texts
  switch (nextContact.kind) {
    case 'running':
      return texts.running(locale.dayOf(nextContact.next, zone))
    case 'promised':
      return texts.promised(
        locale.day(nextContact.payOn),
        nextContact.waitsUntil === null ? null : locale.dayOf(nextContact.waitsUntil, zone),
      )
    case 'disputed':
    case 'judicial':
      return texts[nextContact.kind](creditor.name)
    default:
      return texts[nextContact.kind]
  }
}

/** How many invoices the introduction names; the full list is below. */
const namedMax = 3

/** The open invoices of the message; a number is not broken across lines. */
function aboutInvoices(locale: PageLocale, open: DebtorView['invoices']): Html | null {
  const { intro } = locale.texts
  const [first] = open
  if (!first) return null
  const numbers = open.slice(0, namedMax).map(({ number }) => html`<bdi class="number">${number}</bdi>`)
  return open.length === 1
    ? html`${intro.one} ${numbers}${intro.dueOn(locale.day(first.dueDate))}<br>`
    : html`${intro.several(open.length)} ${numbers.map((number, i) => html`${i > 0 && ', '}${number}`)}${open.length > namedMax && intro.andOthers}.<br>`
}

/** Invoice, addressee and creditor in a few lines; the possible actions follow on the same screen. */
function introduction(locale: PageLocale, { invoices, debtor, creditor }: DebtorView): Html {
  const { intro } = locale.texts
  const open = invoices.filter(isOpen)
  return html`<p class="about">${aboutInvoices(locale, open)}${intro.addressedTo} <strong>${isolatedText(debtor.name)}</strong></p>${
    open.length > 0 &&
    creditor.collector &&
    html`
<p class="hint">${intro.onBehalf(creditor.collector.name, creditor.name)}</p>`
  }`
}

function actions(
  locale: PageLocale,
  debtorView: DebtorView,
  hasTransfer: boolean,
  hasCard: boolean,
): Html | null {
  const { actions: texts } = locale.texts
  const links = [
    (hasTransfer || hasCard) &&
      html`<li><a class="button" href="${hasTransfer ? '#pay' : locale.pathTo('/card')}">${texts.pay}</a></li>`,
    debtorView.invoices.some(mayPromise) &&
      html`<li><a class="button second" href="${locale.pathTo('/promise')}">${texts.promise}</a></li>`,
    debtorView.invoices.some(mayDispute) &&
      html`<li><a class="button second" href="${locale.pathTo('/dispute')}">${texts.dispute}</a></li>`,
  ].filter(link => link !== false)
  return links.length === 0
    ? null
    : html`<nav aria-label="${texts.label}"><ul class="ways">${links}</ul></nav>`
}

/** Who helps a consumer that cannot pay. */
const helpSection = ({ language }: PageLocale): Html => html`<section aria-labelledby="help-title">
<h2 id="help-title">${hardship[language].question}</h2>
<p>${hardship[language].help}</p>
</section>`

function creditorSection(locale: PageLocale, { creditor, debtor, channel, zone }: DebtorView): Html {
  const { who, actions: texts, stop } = locale.texts
  const { collector, siren, rcs, legalForm, telephone } = creditor
  const mediator = debtor.type === 'consumer' ? creditor.mediator : null
  const place = [creditor.postalCode, creditor.city].filter(Boolean).join(' ')
  return html`<section aria-labelledby="who-title">
<h2 id="who-title">${who.title}</h2>
<dl class="sheet">
<div class="row"><dt>${who.creditor}</dt><dd>${isolatedText(creditor.name)}${legalForm && html`<br>${isolatedText(legalForm)}`}${creditor.address && html`<br>${isolatedText(creditor.address)}`}${place && html`<br>${isolatedText(place)}`}${siren && html`<br>SIREN ${siren.replaceAll(/(\d{3})(?=\d)/g, '$1\u00a0')}`}${rcs && html`<br>RCS ${isolatedText(rcs)}`}</dd></div>
${
  mediator &&
  html`<div class="row"><dt>${who.mediator}</dt><dd>${isolatedText(mediator.name)}${mediator.address && html`<br>${isolatedText(mediator.address)}`}${mediator.website && html`<br>${isolatedText(mediator.website)}`}</dd></div>
`
}${
  collector &&
  html`<div class="row"><dt>${who.collector}</dt><dd>${isolatedText(collector.name)}<br>${isolatedText(collector.address)}<br>SIREN ${collector.siren}<br>${who.collects}</dd></div>
<div class="row"><dt>${who.case}</dt><dd>${who.caseOf(caseReference(collector.first.id), locale.dayOf(collector.first.at, zone))}</dd></div>`
}<div class="row"><dt>${who.contact}</dt><dd><a href="mailto:${creditor.replyEmail}">${creditor.replyEmail}</a>${telephone && html`<br><a href="tel:${telephone}">${shownTelephone(telephone)}</a>`}</dd></div>
</dl>
<p>${who.answers(creditor.name)}</p>
</section>
<section aria-labelledby="more-title">
<h2 id="more-title">${who.more}</h2>
<ul class="more">
<li><a href="${locale.pathTo('/not-me')}">${texts.notMe}</a></li>
<li><a href="${locale.pathTo('/situation')}">${texts.situation}</a></li>
${channel !== 'lrar' && html`<li><a href="${locale.pathTo('/stop')}">${stop.title[channel]}</a></li>`}
<li><a href="${locale.pathTo('/data')}">${who.data}</a></li>
</ul>
</section>`
}

function summaryPage(locale: PageLocale, visit: Visit, debtorView: DebtorView, next: number | null): Html {
  const nextContact = nextContactSummary(debtorView, next)
  const { invoices, creditor } = debtorView
  const isOwed = invoices.some(isOpen)
  const transfer = transferOf(debtorView)
  const paymentMethod = cardPaymentMethodFor(visit, debtorView)
  const { texts } = locale
  return layout(locale, {
    title: isOwed
      ? `${sumsOf(locale, invoices.filter(isOpen))}, ${creditor.name}`
      : texts.title[nextContact.kind === 'paid' ? 'paid' : 'closed'],
    isSandbox: debtorView.coded.environment === 'sandbox',
    body: html`${headline(locale, debtorView, nextContact)}
${introduction(locale, debtorView)}
${actions(locale, debtorView, transfer !== null, paymentMethod !== null)}
<p class="notice">${creditor.isClosed && isOwed ? texts.creditorClosed(creditor.name) : nextContactText(locale, debtorView, nextContact)}</p>
${isOwed && !transfer && !paymentMethod && !creditor.isClosed && html`<p>${texts.noWayToPay(creditor.name)}</p>`}
${isOwed && html`<p class="aside">${texts.nextContact.alreadyPaid}</p>`}
${(transfer || paymentMethod) && paymentSection(locale, debtorView, transfer, paymentMethod !== null)}
${detailsSection(locale, debtorView)}
${isOwed && debtorView.debtor.type === 'consumer' && helpSection(locale)}
${creditorSection(locale, debtorView)}`,
  })
}

/**
 * An opened link proves that its message arrived. This is recorded only for messages in state `unknown`; nothing else of a
 * visit is stored.
 */
export async function getSummary(visit: Visit): Promise<FastifyReply> {
  const { debtorView, next } = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const { state, channel, coded } = debtorView
    if (state === 'unknown' && (channel === 'email' || channel === 'sms'))
      await recordReceipt(context, {
        communicationId: coded.communication_id,
        outcome: 'delivered',
        at: context.now,
      })
    const isAnnounced = debtorView.invoices.some(invoice =>
      ['running', 'promised', 'quiet', 'paused'].includes(stateOf(invoice)),
    )
    return {
      debtorView,
      next: isAnnounced
        ? await nextContactAt(context.tx, context.actor.tenantId, coded.debtor_id, context.now)
        : null,
    }
  })
  return sendDebtorPage(visit.reply, 200, summaryPage(localeFor(visit, debtorView), visit, debtorView, next))
}
