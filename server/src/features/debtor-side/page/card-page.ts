import type { FastifyReply } from 'fastify'
import type { ProviderFailure } from '../../../adapters/payment/payment.ts'
import { uuid } from '../../../kit/fields.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import {
  abandonCheckout,
  beginCheckout,
  findCheckout,
  saveSession,
} from '../../receivables/payments/checkout.ts'
import { cardPaymentMethodFor } from './card-payment-method.ts'
import { amountsOwed, type DebtorView, isOpen } from './debtor-view.ts'
import { failurePage } from './failure-pages.ts'
import { type Fault, faultSummary, radios } from './form-parts.ts'
import { backLink, isolatedText, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { transferOf } from './transfer.ts'
import type { ShownInvoice } from './view-store.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

function cardPage(locale: PageLocale, visit: Visit, debtorView: DebtorView, fault: Fault | null): Html {
  const { card: texts, details } = locale.texts
  const paymentMethod = cardPaymentMethodFor(visit, debtorView)
  const isSandbox = debtorView.coded.environment === 'sandbox'
  const sum = (invoice: ShownInvoice) => locale.money(amountsOwed(invoice).total, invoice.currency)
  const form = (payable: readonly [ShownInvoice, ...ShownInvoice[]]) => {
    const [first] = payable
    return payable.length === 1
      ? html`<p class="claim">${details.invoice} ${isolatedText(first.number)} <strong class="figures">${sum(first)}</strong></p>
<input type="hidden" name="invoice" value="${first.id}"><button>${texts.submit(sum(first))}</button>`
      : html`${radios({ field: 'invoice', legend: texts.which, chosen: first.id, options: payable.map(invoice => ({ value: invoice.id, text: `${invoice.number}, ${sum(invoice)}`, isName: true })) }, fault)}<button>${texts.submitPlain}</button>`
  }
  return layout(locale, {
    title: texts.title,
    hasFaults: fault !== null,
    isSandbox,
    body: html`${faultSummary(locale, fault)}<h1>${texts.title}</h1>
${
  paymentMethod
    ? html`<p>${texts.text(debtorView.creditor.name)}</p>
<form method="post" action="${locale.pathTo('/card')}" novalidate>${form(paymentMethod.payable)}</form>`
    : html`<p>${texts.nothing}</p>`
}
${backLink(locale)}`,
  })
}

export async function getCard(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, cardPage(localeFor(visit, debtorView), visit, debtorView, null))
}

const labelMaxChars = 250

type CheckoutAttempt =
  | { outcome: 'opened'; url: string }
  | ProviderFailure
  | 'nothing_to_pay'
  | 'invoice_unknown'

/**
 * The row is inserted before the provider is called, and its id is the idempotency key there: a repeated call after a lost
 * response opens the same checkout. If the provider refuses to reopen one (in another language, for example), a new one is
 * created.
 */
async function openCheckout(
  visit: Visit,
  isSecondTry = false,
): Promise<{ debtorView: DebtorView; attempt: CheckoutAttempt }> {
  const started = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const paymentMethod = cardPaymentMethodFor(visit, debtorView)
    const invoice = paymentMethod?.payable.find(({ id }) => id === field(visit.form, 'invoice'))
    if (!paymentMethod || !invoice)
      return {
        debtorView,
        refusal: paymentMethod ? ('invoice_unknown' as const) : ('nothing_to_pay' as const),
      }
    const { total: amountCents } = amountsOwed(invoice)
    const { communication_id: communicationId } = debtorView.coded
    const { currency } = invoice
    const request = {
      invoiceId: invoice.id,
      communicationId,
      amountCents,
      currency,
      account: paymentMethod.account,
    }
    const checkout = await beginCheckout(context, request)
    return { debtorView, paymentMethod, invoice, amountCents, checkout, refusal: null }
  })
  const { debtorView } = started
  if (started.refusal !== null) return { debtorView, attempt: started.refusal }
  const { paymentMethod, invoice, amountCents, checkout } = started
  if (checkout.url !== null) return { debtorView, attempt: { outcome: 'opened', url: checkout.url } }
  const locale = localeFor(visit, debtorView)
  const attempt = await paymentMethod.adapter.open({
    checkoutId: checkout.id,
    code: visit.code,
    account: paymentMethod.account,
    amountCents,
    currency: invoice.currency,
    label: `${debtorView.creditor.name}, ${invoice.number}`.slice(0, labelMaxChars),
    payerEmail: debtorView.channel === 'email' ? debtorView.debtor.email : null,
    language: locale.language,
    returnUrl: visit.pageContext.publicUrl + locale.pathTo(`/card/${checkout.id}`),
    cancelUrl: visit.pageContext.publicUrl + locale.pathTo(''),
  })
  if (attempt.outcome === 'failed') {
    const { reason, isRetryable } = attempt
    visit.pageContext.log.warn(
      { requestId: visit.request.id, checkoutId: checkout.id, reason, isRetryable },
      'checkout not opened',
    )
    if (isRetryable) return { debtorView, attempt }
    await inDebtorTransaction(visit, async ({ context }) => abandonCheckout(context, checkout.id))
    return checkout.isNew || isSecondTry ? { debtorView, attempt } : openCheckout(visit, true)
  }
  await inDebtorTransaction(visit, async ({ context }) => saveSession(context.tx, checkout.id, attempt))
  return { debtorView, attempt }
}

/** A hint at bank transfer, where it is possible. */
const transferHint = (locale: PageLocale, debtorView: DebtorView): string =>
  transferOf(debtorView) ? locale.texts.card.orTransfer : ''

export async function postCard(visit: Visit): Promise<FastifyReply> {
  const { debtorView, attempt } = await openCheckout(visit)
  const locale = localeFor(visit, debtorView)
  const { card: texts } = locale.texts
  if (attempt === 'nothing_to_pay') return seeOther(visit.reply, locale.pathTo(''))
  if (attempt === 'invoice_unknown') {
    const fault = { field: 'invoice', text: texts.faults.invoice_unknown }
    return sendDebtorPage(visit.reply, 400, cardPage(locale, visit, debtorView, fault))
  }
  if (attempt.outcome === 'opened') return seeOther(visit.reply, attempt.url)
  const body = html`<h1>${texts.failed}</h1>\n<p role="alert">${texts.failedText(transferHint(locale, debtorView))}</p>\n${backLink(locale)}`
  const isSandbox = debtorView.coded.environment === 'sandbox'
  return sendDebtorPage(visit.reply, 503, layout(locale, { title: texts.failed, isSandbox, body }))
}

/** The checkout in the URL, if it belongs to this message. */
export async function findCheckoutOfVisit(visit: Visit) {
  const { checkout = '' } = visit.request.params as Record<string, string>
  return inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const { communication_id } = debtorView.coded
    const found = uuid.safeParse(checkout).success
      ? await findCheckout(context.tx, checkout, communication_id)
      : null
    return { debtorView, found }
  })
}

/** The page the provider redirects back to. Only its signed events say whether the debtor paid, never the URL. */
export async function getCheckout(visit: Visit): Promise<FastifyReply> {
  const { debtorView, found } = await findCheckoutOfVisit(visit)
  const locale = localeFor(visit, debtorView)
  if (!found) return sendDebtorPage(visit.reply, 404, failurePage(locale, 404, visit.request.id))
  const { card: texts } = locale.texts
  const invoice = debtorView.invoices.find(({ id }) => id === found.invoice_id)
  const [title, text] = {
    completed: [texts.received, texts.receivedText] as const,
    open: [texts.waiting, texts.waitingText] as const,
    failed: [texts.notPaid, texts.notPaidText(transferHint(locale, debtorView))] as const,
    expired: [texts.notPaid, texts.notPaidText(transferHint(locale, debtorView))] as const,
  }[found.status]
  const isSettled = found.status === 'completed' && invoice !== undefined && !isOpen(invoice)
  return sendDebtorPage(
    visit.reply,
    200,
    layout(locale, {
      title,
      isSandbox: debtorView.coded.environment === 'sandbox',
      body: html`${
        found.status === 'completed'
          ? html`<h1 class="claim"><span class="figures paid">${locale.texts.title.paidSum(locale.money(found.amount_cents, found.currency))}</span> ${title}</h1>`
          : html`<h1>${title}</h1>`
      }
<p class="notice" role="status">${text}${isSettled && ` ${texts.settled}`}</p>
${found.status === 'open' && html`<p><a class="button" href="${locale.pathTo(`/card/${found.id}`)}">${texts.refresh}</a></p>`}
${backLink(locale)}`,
    }),
  )
}
