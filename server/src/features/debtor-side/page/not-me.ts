import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/site.ts'
import { wrongPerson } from '../../receivables/debtors/report-wrong-person.ts'
import { addressOf } from '../../recovery/holds/closed-channels.ts'
import type { Dossier } from './dossier.ts'
import { back, layout, sendDebtorPage } from './layout.ts'
import type { View } from './view.ts'
import { look, type Visit, viewFor, within } from './visit.ts'

function notMePage(view: View, { channel, creditor, coded }: Dossier): Html {
  const { notMe: words } = view.words
  const point = addressOf[channel]
  return layout(view, {
    title: words.title,
    isSandbox: coded.environment === 'sandbox',
    body: html`<h1>${words.title}</h1>
${
  point === null
    ? html`<p>${words.letter(creditor.name, creditor.replyEmail)}</p>`
    : html`<p>${words[point]} ${words.consequence}</p>
<p class="aside">${words.ifYours}</p>
<form method="post" action="${view.to('/not-me')}"><button>${words.submit}</button></form>`
}
${back(view)}`,
  })
}

export async function showNotMe(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  return sendDebtorPage(visit.reply, 200, notMePage(viewFor(visit, dossier), dossier))
}

/** Whoever is at an address says whose it is not; what a letter was put into belongs to a house, and nothing is blocked. */
export async function takeNotMe(visit: Visit): Promise<FastifyReply> {
  const dossier = await within(visit, async ({ world, dossier }) => {
    const point = addressOf[dossier.channel]
    if (point !== null) await wrongPerson(world, dossier.coded.debtor_id, { point })
    return dossier
  })
  const view = viewFor(visit, dossier)
  return seeOther(visit.reply, view.to(addressOf[dossier.channel] === null ? '/not-me' : ''))
}
