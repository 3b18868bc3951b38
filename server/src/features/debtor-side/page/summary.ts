import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { recordReceipt } from '../../recovery/receipts/receipt.ts'
import { cashierFor } from './cashier.ts'
import { type Dossier, isOpen, mayDispute, mayPromise, totalsOf } from './dossier.ts'
import { detailsSection } from './invoice-details.ts'
import { layout, name, sendDebtorPage } from './layout.ts'
import { type NextContact, nextContacts } from './next-contact.ts'
import { type Outlook, outlookOf, stateOf } from './outlook.ts'
import { transferOf, transferSection } from './transfer.ts'
import type { View } from './view.ts'
import { type Visit, viewFor, within } from './visit.ts'

export const sumsOf = (view: View, invoices: Dossier['invoices']): string =>
  totalsOf(invoices)
    .map(({ cents, currency }) => view.money(cents, currency))
    .join(' + ')

function headline(view: View, { invoices, creditor }: Dossier, outlook: Outlook): Html {
  const { title } = view.words
  if (outlook.is === 'paid' || outlook.is === 'closed' || outlook.is === 'disputed')
    return html`<h1>${title[outlook.is]}</h1>`
  return html`<h1 class="claim"><span class="figures">${sumsOf(view, invoices.filter(isOpen))}</span> ${title.toPayTo} ${name(creditor.name)}</h1>`
}

function prospect(view: View, { creditor, zone }: Dossier, outlook: Outlook): string {
  const { outlook: words } = view.words
  switch (outlook.is) {
    case 'running':
      return outlook.next === null ? words.runningLater : words.running(view.dayOf(outlook.next, zone))
    case 'promised':
      return words.promised(
        view.day(outlook.payOn),
        outlook.waitsUntil === null ? null : view.dayOf(outlook.waitsUntil, zone),
      )
    case 'disputed':
    case 'judicial':
      return words[outlook.is](creditor.name)
    default:
      return words[outlook.is]
  }
}

/** About what, to whom, and who writes for whom, in a few lines: what can be done follows on the same screen. */
function introduction(view: View, { invoices, debtor, creditor }: Dossier): Html {
  const { intro } = view.words
  const open = invoices.filter(isOpen)
  const [only] = open
  const about =
    only && open.length === 1
      ? intro.one(only.number, view.day(only.dueDate))
      : open.length > 1
        ? intro.several(open.length)
        : ''
  return html`<p class="about">${about && html`${name(about)}<br>`}${intro.addressedTo} <strong>${name(debtor.name)}</strong></p>${
    open.length > 0 &&
    html`
<p class="hint">${intro.onBehalf(creditor.name)}</p>`
  }`
}

function actions(view: View, dossier: Dossier, hasTransfer: boolean, hasCard: boolean): Html | null {
  const { actions: words } = view.words
  const all = [...dossier.invoices, ...dossier.others]
  const ways = [
    hasTransfer && html`<li><a class="button" href="#transfer">${words.transfer}</a></li>`,
    hasCard && html`<li><a class="button" href="${view.to('/card')}">${words.card}</a></li>`,
    dossier.invoices.some(mayPromise) &&
      html`<li><a class="button second" href="${view.to('/promise')}">${words.promise}</a></li>`,
    all.some(mayDispute) &&
      html`<li><a class="button second" href="${view.to('/dispute')}">${words.dispute}</a></li>`,
  ].filter(way => way !== false)
  return ways.length === 0 ? null : html`<nav aria-label="${words.label}"><ul class="ways">${ways}</ul></nav>`
}

function creditorSection(view: View, { creditor, channel }: Dossier): Html {
  const { who, actions: words } = view.words
  const place = [creditor.postalCode, creditor.city].filter(Boolean).join(' ')
  return html`<section aria-labelledby="who-title">
<h2 id="who-title">${who.title}</h2>
<dl class="sheet">
<div class="row"><dt>${who.creditor}</dt><dd>${name(creditor.name)}${creditor.address && html`<br>${name(creditor.address)}`}${place && html`<br>${name(place)}`}</dd></div>
<div class="row"><dt>${who.contact}</dt><dd><a href="mailto:${creditor.replyEmail}">${creditor.replyEmail}</a></dd></div>
</dl>
<p>${who.relance(creditor.name)}</p>
</section>
<section aria-labelledby="more-title">
<h2 id="more-title">${who.more}</h2>
<ul class="more">
<li><a href="${view.to('/not-me')}">${words.notMe}</a></li>
${channel !== 'lrar' && html`<li><a href="${view.to('/stop')}">${words.stop}</a></li>`}
<li><a href="${view.to('/data')}">${who.data}</a></li>
</ul>
</section>`
}

function summaryPage(
  view: View,
  visit: Visit,
  dossier: Dossier,
  contacts: ReadonlyMap<string, NextContact | null>,
): Html {
  const outlook = outlookOf(dossier, contacts)
  const { invoices, creditor } = dossier
  const isOwed = invoices.some(isOpen)
  const transfer = transferOf(dossier)
  const cashier = cashierFor(visit, dossier)
  const { words } = view
  return layout(view, {
    title: isOwed
      ? `${sumsOf(view, invoices.filter(isOpen))}, ${creditor.name}`
      : words.title[outlook.is === 'paid' ? 'paid' : 'closed'],
    isSandbox: dossier.coded.environment === 'sandbox',
    body: html`${headline(view, dossier, outlook)}
${introduction(view, dossier)}
${actions(view, dossier, transfer !== null, cashier !== null)}
<p class="notice">${prospect(view, dossier, outlook)}</p>
${isOwed && !transfer && !cashier && html`<p>${words.noWayToPay(creditor.name)}</p>`}
${isOwed && html`<p class="aside">${words.outlook.alreadyPaid}</p>`}
${transfer && transferSection(view, dossier, transfer)}
${detailsSection(view, dossier)}
${creditorSection(view, dossier)}`,
  })
}

/**
 * An opened link proves that its message arrived: said of one nobody was sure of, and of no other. Nothing else is kept of a
 * visit.
 */
export async function showSummary(visit: Visit): Promise<FastifyReply> {
  const { dossier, contacts } = await within(visit, async ({ world, dossier }) => {
    const { state, channel, coded } = dossier
    if (state === 'unknown' && (channel === 'email' || channel === 'sms'))
      await recordReceipt(world, {
        communicationId: coded.communication_id,
        outcome: 'delivered',
        at: world.now,
      })
    // Only what goes on has a next message to look for.
    const isRunning = dossier.invoices.some(invoice => stateOf(invoice) === 'running')
    return { dossier, contacts: isRunning ? await nextContacts(world.tx, coded.debtor_id) : new Map() }
  })
  return sendDebtorPage(visit.reply, 200, summaryPage(viewFor(visit, dossier), visit, dossier, contacts))
}
