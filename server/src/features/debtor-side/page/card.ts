import type { FastifyReply } from 'fastify'
import type { OpenedCheckout } from '../../../adapters/payment/payment.ts'
import { uuid } from '../../../kit/fields.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { field, seeOther } from '../../../kit/http/site.ts'
import {
  beginCheckout,
  findCheckout,
  giveUpCheckout,
  keepSession,
} from '../../receivables/payments/checkout.ts'
import { cashierFor } from './cashier.ts'
import { type Dossier, isOpen, owedOf, type ShownInvoice } from './dossier.ts'
import { failurePage } from './failure-pages.ts'
import { type Fault, faultSummary, radios } from './form-parts.ts'
import { back, layout, name, sendDebtorPage } from './layout.ts'
import { transferOf } from './transfer.ts'
import type { View } from './view.ts'
import { look, type Visit, viewFor, within } from './visit.ts'

function cardPage(view: View, visit: Visit, dossier: Dossier, fault: Fault | null): Html {
  const { card: words, details } = view.words
  const cashier = cashierFor(visit, dossier)
  const isSandbox = dossier.coded.environment === 'sandbox'
  const sum = (invoice: ShownInvoice) => view.money(owedOf(invoice).total, invoice.currency)
  const form = (payable: readonly [ShownInvoice, ...ShownInvoice[]]) => {
    const [first] = payable
    return payable.length === 1
      ? html`<p class="claim">${details.invoice} ${name(first.number)} <strong class="figures">${sum(first)}</strong></p>
<input type="hidden" name="invoice" value="${first.id}"><button>${words.submit(sum(first))}</button>`
      : html`${radios({ field: 'invoice', legend: words.which, chosen: first.id, options: payable.map(invoice => ({ value: invoice.id, text: `${invoice.number}, ${sum(invoice)}`, isName: true })) }, fault)}<button>${words.submitPlain}</button>`
  }
  return layout(view, {
    title: words.title,
    hasFaults: fault !== null,
    isSandbox,
    body: html`${faultSummary(view, fault)}<h1>${words.title}</h1>
${
  cashier
    ? html`<p>${words.text(dossier.creditor.name)}</p>
<form method="post" action="${view.to('/card')}" novalidate>${form(cashier.payable)}</form>`
    : html`<p>${words.nothing}</p>`
}
${back(view)}`,
  })
}

export async function showCard(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  return sendDebtorPage(visit.reply, 200, cardPage(viewFor(visit, dossier), visit, dossier, null))
}

const labelMost = 250

type Tried = OpenedCheckout | 'nothing_to_pay' | 'invoice_unknown'

/**
 * The row is there before anybody is asked, and its id is what the provider knows the checkout by: asked again after a lost
 * answer, it is the same one. One taken up again that the provider refuses (asked for in another language, say) makes place
 * for a new one.
 */
async function openCheckout(visit: Visit, isSecondTry = false): Promise<{ dossier: Dossier; tried: Tried }> {
  const begun = await within(visit, async ({ world, dossier }) => {
    const cashier = cashierFor(visit, dossier)
    const invoice = cashier?.payable.find(({ id }) => id === field(visit.form, 'invoice'))
    if (!cashier || !invoice)
      return { dossier, refusal: cashier ? ('invoice_unknown' as const) : ('nothing_to_pay' as const) }
    const { total: amountCents } = owedOf(invoice)
    const { communication_id: communicationId } = dossier.coded
    const { currency } = invoice
    const wanted = { invoiceId: invoice.id, communicationId, amountCents, currency, account: cashier.account }
    const checkout = await beginCheckout(world, wanted)
    return { dossier, cashier, invoice, amountCents, checkout, refusal: null }
  })
  const { dossier } = begun
  if (begun.refusal !== null) return { dossier, tried: begun.refusal }
  const { cashier, invoice, amountCents, checkout } = begun
  const view = viewFor(visit, dossier)
  const tried = await cashier.adapter.open({
    checkoutId: checkout.id,
    code: visit.code,
    account: cashier.account,
    amountCents,
    currency: invoice.currency,
    label: `${dossier.creditor.name}, ${invoice.number}`.slice(0, labelMost),
    payerEmail: dossier.channel === 'email' ? dossier.debtor.email : null,
    language: view.language,
    returnUrl: visit.site.publicUrl + view.to(`/card/${checkout.id}`),
    cancelUrl: visit.site.publicUrl + view.to(''),
  })
  if (tried.outcome === 'failed') {
    const { reason, isRetryable } = tried
    visit.site.log.warn(
      { requestId: visit.request.id, checkoutId: checkout.id, reason, isRetryable },
      'checkout not opened',
    )
    if (isRetryable) return { dossier, tried }
    await within(visit, async ({ world }) => giveUpCheckout(world, checkout.id))
    return checkout.isNew || isSecondTry ? { dossier, tried } : openCheckout(visit, true)
  }
  await within(visit, async ({ world }) => keepSession(world.tx, checkout.id, tried.sessionId))
  return { dossier, tried }
}

/** The other way to pay, where there is one. */
const orTransfer = (view: View, dossier: Dossier): string =>
  transferOf(dossier) ? view.words.card.orTransfer : ''

export async function takeCard(visit: Visit): Promise<FastifyReply> {
  const { dossier, tried } = await openCheckout(visit)
  const view = viewFor(visit, dossier)
  const { card: words } = view.words
  if (tried === 'nothing_to_pay') return seeOther(visit.reply, view.to(''))
  if (tried === 'invoice_unknown') {
    const fault = { field: 'invoice', words: words.faults.invoice_unknown }
    return sendDebtorPage(visit.reply, 400, cardPage(view, visit, dossier, fault))
  }
  if (tried.outcome === 'opened') return seeOther(visit.reply, tried.url)
  const body = html`<h1>${words.failed}</h1>\n<p role="alert">${words.failedText(orTransfer(view, dossier))}</p>\n${back(view)}`
  const isSandbox = dossier.coded.environment === 'sandbox'
  return sendDebtorPage(visit.reply, 503, layout(view, { title: words.failed, isSandbox, body }))
}

/** The checkout the address names, if it is one of this message. */
export async function checkoutAt(visit: Visit) {
  const { checkout = '' } = visit.request.params as Record<string, string>
  return within(visit, async ({ world, dossier }) => {
    const { communication_id } = dossier.coded
    const found = uuid.safeParse(checkout).success
      ? await findCheckout(world.tx, checkout, communication_id)
      : null
    return { dossier, found }
  })
}

/** Where the provider sends people back to. Whether they paid is what its signed news say, and nothing in the address. */
export async function showCheckout(visit: Visit): Promise<FastifyReply> {
  const { dossier, found } = await checkoutAt(visit)
  const view = viewFor(visit, dossier)
  if (!found) return sendDebtorPage(visit.reply, 404, failurePage(view, 404, visit.request.id))
  const { card: words } = view.words
  const invoice = dossier.invoices.find(({ id }) => id === found.invoice_id)
  const [title, text] = {
    completed: [words.received, words.receivedText(view.money(found.amount_cents, found.currency))] as const,
    open: [words.waiting, words.waitingText] as const,
    failed: [words.notPaid, words.notPaidText(orTransfer(view, dossier))] as const,
    expired: [words.notPaid, words.notPaidText(orTransfer(view, dossier))] as const,
  }[found.status]
  const isSettled = found.status === 'completed' && invoice !== undefined && !isOpen(invoice)
  return sendDebtorPage(
    visit.reply,
    200,
    layout(view, {
      title,
      isSandbox: dossier.coded.environment === 'sandbox',
      body: html`<h1>${title}</h1>
<p class="notice" role="status">${text}${isSettled && ` ${words.settled}`}</p>
${found.status === 'open' && html`<p><a class="button" href="${view.to(`/card/${found.id}`)}">${words.refresh}</a></p>`}
${back(view)}`,
    }),
  )
}
