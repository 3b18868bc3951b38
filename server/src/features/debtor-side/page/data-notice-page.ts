import type { FastifyReply } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { backLink, layout, sendDebtorPage } from './layout.ts'
import { dataNotice, dataTitle } from './texts/data-notice-texts.ts'
import { loadDebtorView, localeFor, type Visit } from './visit.ts'

export async function getDataNotice(visit: Visit): Promise<FastifyReply> {
  const debtorView = await loadDebtorView(visit)
  const { creditor, debtor, coded } = debtorView
  const locale = localeFor(visit, debtorView)
  const title = dataTitle[locale.language]
  const sections = dataNotice[locale.language]({
    creditor: creditor.name,
    contact: creditor.replyEmail,
    processor: creditor.collector?.name ?? 'Relance',
    type: debtor.type,
  })
  return sendDebtorPage(
    visit.reply,
    200,
    layout(locale, {
      title,
      isSandbox: coded.environment === 'sandbox',
      body: html`<h1>${title}</h1>
${sections.map(([heading, ...paragraphs]) => html`<section><h2>${heading}</h2>${paragraphs.map(text => html`<p>${text}</p>`)}</section>`)}
${backLink(locale)}`,
    }),
  )
}
