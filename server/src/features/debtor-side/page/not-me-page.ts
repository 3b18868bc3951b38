import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { markWrongPerson } from '../../receivables/debtors/report-wrong-person.ts'
import { addressOf } from '../../recovery/holds/closed-channels.ts'
import type { DebtorView } from './debtor-view.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

function notMePage(locale: PageLocale, { channel, creditor, coded, isIdentified }: DebtorView): Html {
  const { notMe: texts } = locale.texts
  const point = addressOf[channel]
  return layout(locale, {
    title: texts.title,
    isSandbox: coded.environment === 'sandbox',
    isDiscreet: !isIdentified,
    body: html`<h1>${texts.title}</h1>
${
  point === null
    ? html`<p>${texts.letter(creditor.name, creditor.replyEmail)}</p>`
    : html`<p>${texts[point]} ${isIdentified && texts.consequence}</p>
${isIdentified && html`<p class="aside">${texts.ifYours}</p>`}
<form method="post" action="${locale.pathTo('/not-me')}"><button>${texts.submit}</button></form>`
}
${backLink(locale)}`,
  })
}

export async function getNotMe(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, notMePage(localeFor(visit, debtorView), debtorView))
}

/** Blocks the email or phone of the message. A postal address is not blocked: other people live there too. */
export async function postNotMe(visit: Visit): Promise<FastifyReply> {
  const debtorView = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const point = addressOf[debtorView.channel]
    if (point !== null) await markWrongPerson(context, debtorView.coded.debtor_id, { point })
    return debtorView
  })
  const locale = localeFor(visit, debtorView)
  return seeOther(visit.reply, locale.pathTo(addressOf[debtorView.channel] === null ? '/not-me' : ''))
}
