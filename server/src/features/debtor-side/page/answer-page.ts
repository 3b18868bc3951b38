import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/pages.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { aboutMessage } from '../../recovery/receipts/record-receipt.ts'
import { type DebtorView, isAsked } from './debtor-view.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { type DebtorPage, inDebtorTransaction, loadDebtorView, localeFor, type Visit } from './visit.ts'

/** What a debtor can say with one button. It is a reply, not a dispute: the claim itself is not contested. */
export const pageAnswers = ['payment_sent', 'invoice_not_received'] as const
type PageAnswer = (typeof pageAnswers)[number]

const paths: Record<PageAnswer, string> = {
  payment_sent: '/already-paid',
  invoice_not_received: '/not-received',
}
export const pathOfAnswer = (said: PageAnswer): string => paths[said]

export const mayAnswer = ({ invoices }: DebtorView): boolean => invoices.some(isAsked)
const isHeld = ({ invoices }: DebtorView) => invoices.some(({ holds }) => holds.includes('reply'))

function answerPage(locale: PageLocale, debtorView: DebtorView, said: PageAnswer): Html {
  const { answers: texts } = locale.texts
  const { creditor, coded } = debtorView
  const isPossible = mayAnswer(debtorView)
  const isDone = isPossible && isHeld(debtorView)
  const title = isDone ? texts.done : texts.title[said]
  return layout(locale, {
    title,
    isSandbox: coded.environment === 'sandbox',
    body: html`<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${texts.doneText(creditor.name)}</p>`
    : html`<p>${isPossible ? texts.intro(creditor.name) : texts.nothing}</p>
${
  isPossible &&
  html`<form method="post" action="${locale.pathTo(paths[said])}" novalidate><button>${texts.submit[said]}</button></form>`
}`
}
${backLink(locale)}`,
  })
}

async function getAnswer(visit: Visit, said: PageAnswer): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  return sendDebtorPage(visit.reply, 200, answerPage(localeFor(visit, debtorView), debtorView, said))
}

async function postAnswer(visit: Visit, said: PageAnswer): Promise<FastifyReply> {
  const debtorView = await inDebtorTransaction(visit, async ({ context, debtorView }) => {
    if (mayAnswer(debtorView)) await answerMessage(context, debtorView, said)
    return debtorView
  })
  return seeOther(visit.reply, localeFor(visit, debtorView).pathTo(paths[said]))
}

async function answerMessage(
  context: OperationContext,
  { coded, channel }: DebtorView,
  said: PageAnswer,
): Promise<void> {
  const { debtor_id: debtorId, communication_id: communicationId } = coded
  const about = await aboutMessage(context, communicationId)
  if (about)
    await recordReply(context, { debtorId, communicationId, channel, receivedAt: context.now, about, said })
}

export const answerPages: readonly DebtorPage[] = pageAnswers.map(said => ({
  path: paths[said],
  get: visit => getAnswer(visit, said),
  post: visit => postAnswer(visit, said),
}))
