import type { FastifyReply } from 'fastify'
import { field } from '../../../kit/http/form.ts'
import { html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { handlePaymentEvent } from '../../receivables/payments/handle-payment-event.ts'
import { findCheckoutOfVisit } from './card-page.ts'
import { failurePage } from './failure-pages.ts'
import { layout, sendDebtorPage } from './layout.ts'
import { localeFor, type Visit } from './visit.ts'

/** `checkout` is null outside the sandbox, because the page does not exist in production, and when it has ended. */
async function simulatedCheckout(visit: Visit) {
  const { debtorView, found } = await findCheckoutOfVisit(visit)
  const locale = localeFor(visit, debtorView)
  // A checkout that has ended cannot be paid any more, as at a real provider.
  const checkout = debtorView.coded.environment === 'sandbox' && found?.status !== 'expired' ? found : null
  return { view: locale, checkout }
}

const sendNotFound = (
  visit: Visit,
  locale: Awaited<ReturnType<typeof simulatedCheckout>>['view'],
): FastifyReply => sendDebtorPage(visit.reply, 404, failurePage(locale, 404, visit.request.id))

export async function getSimulatedCard(visit: Visit): Promise<FastifyReply> {
  const { view: locale, checkout } = await simulatedCheckout(visit)
  if (!checkout) return sendNotFound(visit, locale)
  const { simulated: texts } = locale.texts
  const form = (what: string, text: string, style: string) =>
    html`<form method="post" action="${locale.pathTo(`/simulated-card/${checkout.id}`)}"><input type="hidden" name="what" value="${what}"><button class="${style}">${text}</button></form>`
  return sendDebtorPage(
    visit.reply,
    200,
    layout(locale, {
      title: texts.title,
      isSandbox: true,
      body: html`<h1>${texts.title}</h1>
<p>${texts.text}</p>
<p class="claim"><strong class="figures">${locale.money(checkout.amount_cents, checkout.currency)}</strong></p>
${form('paid', texts.pay, 'first')}
${form('failed', texts.refuse, 'second')}
<p><a href="${locale.pathTo('')}">${texts.cancel}</a></p>`,
    }),
  )
}

/** The simulated event is processed like a real one: signed, read and handled by the same code. */
export async function postSimulatedCard(visit: Visit): Promise<FastifyReply> {
  const { view: locale, checkout } = await simulatedCheckout(visit)
  const what = field(visit.form, 'what')
  if (!checkout || (what !== 'paid' && what !== 'failed')) return sendNotFound(visit, locale)
  const { pageContext, simulator, code, request } = visit
  const wall = pageContext.clock.wall()
  const events = await simulator.read(
    simulator.signedCallback({
      eventId: `${checkout.id}:${what}`,
      code,
      checkoutId: checkout.id,
      reference: checkout.id,
      what,
      amountCents: checkout.amount_cents,
      currency: checkout.currency,
      at: wall,
      account: checkout.account,
    }),
  )
  if (events === 'forged') throw new Error('the simulator rejected its own signature')
  for (const event of events) await handlePaymentEvent(pageContext, simulator.name, event, request.id)
  return seeOther(visit.reply, locale.pathTo(`/card/${checkout.id}`))
}
