import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import type { DebtorView } from './debtor-view.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

const isClosed = ({ channel, closed }: DebtorView) =>
  closed.some(one => one.channel === channel && one.because !== 'refused')

function stopPage(locale: PageLocale, debtorView: DebtorView): Html {
  const { stop: texts } = locale.texts
  const { channel, coded, creditor, isIdentified } = debtorView
  const isSandbox = coded.environment === 'sandbox'
  const isDiscreet = !isIdentified
  if (channel === 'lrar')
    return layout(locale, {
      title: locale.texts.actions.stop,
      isSandbox,
      isDiscreet,
      body: html`<h1>${locale.texts.actions.stop}</h1>\n<p>${texts.letter(creditor.name)}</p>\n${backLink(locale)}`,
    })
  const isDone = isClosed(debtorView)
  // A collector owes a receipt for every payment: art. R124-6 C. pr. civ. d'exécution.
  const receipts =
    channel === 'email' && isIdentified && creditor.collector !== null ? ` ${texts.receipts}` : ''
  const text = `${texts.text[channel]}${receipts} ${isIdentified ? texts.remains : texts.otherWays(creditor.name)}`
  const title = isDone ? texts.done[channel] : texts.title[channel]
  return layout(locale, {
    title,
    isSandbox,
    isDiscreet,
    body: html`<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${text} ${texts.inFlight}</p>`
    : html`<p>${text}</p>
<form method="post" action="${locale.pathTo('/stop')}"><button>${texts.submit[channel]}</button></form>`
}
${backLink(locale)}`,
  })
}

export async function getStop(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, stopPage(localeFor(visit, debtorView), debtorView))
}

export async function postStop(visit: Visit): Promise<FastifyReply> {
  const debtorView = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    const { channel, coded } = debtorView
    if (channel !== 'lrar' && !isClosed(debtorView)) await optOut(context, coded.debtor_id, { channel })
    return debtorView
  })
  return seeOther(visit.reply, localeFor(visit, debtorView).pathTo('/stop'))
}
