import type { FastifyReply } from 'fastify'
import { keptMonths } from '../../../domain/retention.ts'
import { html } from '../../../kit/http/html.ts'
import { codeDays } from '../../recovery/messages/compose/message-code.ts'
import { onOneLine } from '../../recovery/messages/compose/write-message.ts'
import type { DebtorView } from './debtor-view.ts'
import { isGated, passMinutes } from './gate.ts'
import { backLink, isolatedText, layout, sendDebtorPage } from './layout.ts'
import { type NoticeFacts, recipientsOf } from './notice-facts.ts'
import { englishNotice } from './texts/english-data-notice.ts'
import { frenchNotice } from './texts/french-data-notice.ts'
import { loadDebtorView, localeFor, type PageProviders, type Visit } from './visit.ts'

const noticeFacts = (
  { payment, modelProvider, publisher }: PageProviders,
  { creditor, debtor, providers, channel }: DebtorView,
): NoticeFacts => ({
  creditor: creditor.name,
  address: onOneLine(creditor),
  contact: creditor.replyEmail,
  telephone: creditor.telephone,
  collector: creditor.collector?.name ?? null,
  type: debtor.type,
  recipients: recipientsOf({ ...providers, payment: payment?.name ?? null, model: modelProvider }),
  operator: `${publisher.operator.name}, ${publisher.operator.address}`,
  host: `${publisher.host.name}, ${publisher.host.address}`,
  keepMonths: keptMonths(debtor.type, creditor.keepMonths),
  keepReplyDays: creditor.keepReplyDays,
  linkDays: codeDays,
  passMinutes: isGated({ channel, debtor }) ? passMinutes : null,
})

/** The information required by art. 13 and 14 of the GDPR. */
export async function getDataNotice(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  const locale = localeFor(visit, debtorView)
  const title = locale.texts.who.data
  const facts = noticeFacts(visit, debtorView)
  const sections = locale.language === 'fr' ? frenchNotice(facts) : englishNotice(facts)
  return sendDebtorPage(
    visit.reply,
    200,
    layout(locale, {
      title,
      isSandbox: debtorView.coded.environment === 'sandbox',
      body: html`<h1>${title}</h1>
${sections.map(
  section => html`<section><h2>${section.title}</h2>${section.paragraphs.map(text => html`<p>${isolatedText(text)}</p>`)}
${section.points && html`<dl class="sheet named">${section.points.map(([name, text]) => html`<div class="row"><dt>${name}</dt><dd>${isolatedText(text)}</dd></div>`)}</dl>`}</section>`,
)}
${backLink(locale)}`,
    }),
  )
}
