import type { FastifyReply } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { field, seeOther } from '../../../kit/http/site.ts'
import { takePaymentNews } from '../../receivables/payments/take-payment-news.ts'
import { checkoutAt } from './card.ts'
import { failurePage } from './failure-pages.ts'
import { layout, sendDebtorPage } from './layout.ts'
import { type Visit, viewFor } from './visit.ts'

/** In production there is no such page. */
async function simulated(visit: Visit) {
  const { dossier, found } = await checkoutAt(visit)
  const view = viewFor(visit, dossier)
  const checkout = dossier.coded.environment === 'sandbox' ? found : null
  return { view, checkout }
}

const nothing = (visit: Visit, view: Awaited<ReturnType<typeof simulated>>['view']): FastifyReply =>
  sendDebtorPage(visit.reply, 404, failurePage(view, 404, visit.request.id))

export async function showSimulatedCard(visit: Visit): Promise<FastifyReply> {
  const { view, checkout } = await simulated(visit)
  if (!checkout) return nothing(visit, view)
  const { simulated: words } = view.words
  const form = (what: string, text: string, style: string) =>
    html`<form method="post" action="${view.to(`/simulated-card/${checkout.id}`)}"><input type="hidden" name="what" value="${what}"><button class="${style}">${text}</button></form>`
  return sendDebtorPage(
    visit.reply,
    200,
    layout(view, {
      title: words.title,
      isSandbox: true,
      body: html`<h1>${words.title}</h1>
<p>${words.text}</p>
<p class="claim"><strong class="figures">${view.money(checkout.amount_cents, checkout.currency)}</strong></p>
${form('paid', words.pay, 'first')}
${form('failed', words.refuse, 'second')}
<p><a href="${view.to('')}">${words.cancel}</a></p>`,
    }),
  )
}

/** What a provider would tell goes the way of a provider: signed, read, and taken like any other. */
export async function takeSimulatedCard(visit: Visit): Promise<FastifyReply> {
  const { view, checkout } = await simulated(visit)
  const what = field(visit.form, 'what')
  if (!checkout || (what !== 'paid' && what !== 'failed')) return nothing(visit, view)
  const { site, simulator, code, request } = visit
  const wall = site.clock.wall()
  const heard = await simulator.read(
    simulator.tell({
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
  if (heard === 'forged') throw new Error('the simulator does not know its own signature')
  for (const news of heard) await takePaymentNews(site, simulator.name, news, request.id)
  return seeOther(visit.reply, view.to(`/card/${checkout.id}`))
}
