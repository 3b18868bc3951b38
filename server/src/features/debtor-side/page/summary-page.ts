import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { caseReference } from '../../recovery/messages/compose/case-reference.ts'
import { hardship } from '../../recovery/messages/compose/texts/hardship.ts'
import { shownTelephone } from '../../recovery/messages/compose/texts/template-writer.ts'
import { recordReceipt } from '../../recovery/receipts/record-receipt.ts'
import { mayAnswer, pageAnswers, pathOfAnswer } from './answer-page.ts'
import { cardPaymentMethodFor } from './card-payment-method.ts'
import {
  amountsOwed,
  type DebtorView,
  isAsked,
  isInsolvent,
  isOpen,
  isUpheld,
  mayDispute,
  mayPromise,
  paidIn,
  totalsOf,
} from './debtor-view.ts'
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

function headline(locale: PageLocale, debtorView: DebtorView, nextContact: NextContactSummary): Html {
  const { invoices, creditor } = debtorView
  const { title } = locale.texts
  const paid = paidIn(invoices).map(({ cents, currency }) => locale.money(cents, currency))
  if (nextContact.kind === 'paid' && paid.length > 0)
    return html`<h1 class="claim"><span class="figures paid">${title.paidSum(paid.join(' + '))}</span> ${title.paidTo} ${isolatedText(creditor.name)}</h1>
<p class="about">${title.paid}.</p>`
  const { kind } = nextContact
  if (
    kind === 'paid' ||
    kind === 'closed' ||
    kind === 'disputed' ||
    kind === 'upheld' ||
    kind === 'time_barred'
  )
    return html`<h1>${title[kind]}</h1>`
  if (isInsolvent(debtorView)) return html`<h1>${insolvencyTitle(locale, debtorView)}</h1>`
  return html`<h1 class="claim"><span class="figures">${sumsOf(locale, invoices.filter(isAsked))}</span> ${title.toPayTo} ${isolatedText(creditor.name)}</h1>`
}

const insolvencyTitle = ({ texts }: PageLocale, { debtor }: DebtorView): string =>
  texts.insolvency.title[debtor.insolvencyKind ?? 'other'](debtor.name)

function nextContactText(
  locale: PageLocale,
  { creditor, zone, invoices }: DebtorView,
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
    case 'time_barred':
      return texts.time_barred(invoices.filter(({ isNothingAsked }) => isNothingAsked).length > 1)
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

/** What the creditor decided about a dispute: shown here in any case, because an email may not be allowed to leave. */
function decisionNotices(locale: PageLocale, debtorView: DebtorView): Html[] {
  const { invoices, creditor, zone } = debtorView
  const { decision: texts } = locale.texts
  return invoices.flatMap(invoice => {
    const { decision, dispute, number, currency } = invoice
    if (decision === null || dispute !== null || !isOpen(invoice)) return []
    const sum = (cents: number) => locale.money(cents, currency)
    const { outcome, creditedCents, answer, at } = decision
    const { isNothingAsked } = invoice
    // Past the time bar a consumer reads neither what is left to pay nor that it is claimed again.
    if (isNothingAsked && outcome === 'upheld' && !isUpheld(invoice)) return []
    const text =
      outcome === 'partly'
        ? texts.partly(
            creditor.name,
            sum(creditedCents ?? 0),
            isNothingAsked || isInsolvent(debtorView) ? null : sum(amountsOwed(invoice).total),
          )
        : outcome === 'upheld' && !isUpheld(invoice)
          ? texts.resumed(creditor.name)
          : outcome === 'rejected' && isNothingAsked
            ? texts.refused
            : texts[outcome](creditor.name)
    return [
      html`<div class="notice"><p><strong>${texts.title}</strong> ${texts.about(locale.dayOf(at, zone))} <bdi class="number">${number}</bdi></p>
<p>${text}${answer !== null && html` ${texts.reason} ${isolatedText(answer)}`}</p></div>`,
    ]
  })
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
    !isInsolvent(debtorView) &&
      debtorView.invoices.some(mayPromise) &&
      html`<li><a class="button second" href="${locale.pathTo('/promise')}">${texts.promise}</a></li>`,
    debtorView.invoices.some(mayDispute) &&
      html`<li><a class="button second" href="${locale.pathTo('/dispute')}">${texts.dispute}</a></li>`,
    ...pageAnswers.map(
      said =>
        mayAnswer(debtorView) &&
        html`<li><a class="button second" href="${locale.pathTo(pathOfAnswer(said))}">${texts[said]}</a></li>`,
    ),
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
`
}${collector?.letters.map(
  ({ id, at }) =>
    html`<div class="row"><dt>${who.letter}</dt><dd>${who.letterOf(caseReference(id), locale.dayOf(at, zone))}</dd></div>
`,
)}<div class="row"><dt>${who.contact}</dt><dd><a href="mailto:${creditor.replyEmail}">${creditor.replyEmail}</a>${telephone && html`<br><a href="tel:${telephone}">${shownTelephone(telephone)}</a>`}</dd></div>
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
  const isOwed = invoices.some(isAsked)
  const transfer = transferOf(debtorView)
  const paymentMethod = cardPaymentMethodFor(visit, debtorView)
  const { texts } = locale
  const notice = !isOwed
    ? nextContactText(locale, debtorView, nextContact)
    : isInsolvent(debtorView)
      ? texts.insolvency.doNotPay[debtorView.debtor.insolvencyKind ?? 'other']
      : creditor.isClosed
        ? texts.creditorClosed(creditor.name)
        : nextContactText(locale, debtorView, nextContact)
  return layout(locale, {
    title:
      isOwed && isInsolvent(debtorView)
        ? insolvencyTitle(locale, debtorView)
        : isOwed
          ? `${sumsOf(locale, invoices.filter(isAsked))}, ${creditor.name}`
          : texts.title[
              nextContact.kind === 'paid' ||
              nextContact.kind === 'upheld' ||
              nextContact.kind === 'time_barred'
                ? nextContact.kind
                : 'closed'
            ],
    isSandbox: debtorView.coded.environment === 'sandbox',
    body: html`${headline(locale, debtorView, nextContact)}
${introduction(locale, debtorView)}
${decisionNotices(locale, debtorView)}
${actions(locale, debtorView, transfer !== null, paymentMethod !== null)}
<p class="notice">${notice}</p>
${isOwed && !isInsolvent(debtorView) && !transfer && !paymentMethod && !creditor.isClosed && html`<p>${texts.noWayToPay(creditor.name)}</p>`}
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
