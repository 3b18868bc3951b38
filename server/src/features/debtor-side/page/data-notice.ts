import type { FastifyReply } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { back, layout, sendDebtorPage } from './layout.ts'
import { dataNotice, dataTitle } from './texts/notice.ts'
import { look, type Visit, viewFor } from './visit.ts'

export async function showDataNotice(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  const { creditor, debtor, coded } = dossier
  const view = viewFor(visit, dossier)
  const title = dataTitle[view.language]
  const sections = dataNotice[view.language]({
    creditor: creditor.name,
    contact: creditor.replyEmail,
    type: debtor.type,
  })
  return sendDebtorPage(
    visit.reply,
    200,
    layout(view, {
      title,
      isSandbox: coded.environment === 'sandbox',
      body: html`<h1>${title}</h1>
${sections.map(([heading, ...paragraphs]) => html`<section><h2>${heading}</h2>${paragraphs.map(text => html`<p>${text}</p>`)}</section>`)}
${back(view)}`,
    }),
  )
}
