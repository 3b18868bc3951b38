import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther } from '../../../kit/http/site.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import type { Dossier } from './dossier.ts'
import { back, layout, sendDebtorPage } from './layout.ts'
import type { View } from './view.ts'
import { look, type Visit, viewFor, within } from './visit.ts'

const isClosed = ({ channel, closed }: Dossier) => closed.some(one => one.channel === channel)

function stopPage(view: View, dossier: Dossier): Html {
  const { stop: words } = view.words
  const { channel, coded } = dossier
  const isSandbox = coded.environment === 'sandbox'
  if (channel === 'lrar')
    return layout(view, {
      title: view.words.actions.stop,
      isSandbox,
      body: html`<h1>${view.words.actions.stop}</h1>\n<p>${words.letter}</p>\n${back(view)}`,
    })
  const isDone = isClosed(dossier)
  const title = isDone ? words.done[channel] : words.title[channel]
  return layout(view, {
    title,
    isSandbox,
    body: html`<h1>${title}</h1>
${
  isDone
    ? html`<p class="notice" role="status">${words.text[channel]} ${words.inFlight}</p>`
    : html`<p>${words.text[channel]}</p>
<form method="post" action="${view.to('/stop')}"><button>${words.submit[channel]}</button></form>`
}
${back(view)}`,
  })
}

export async function showStop(visit: Visit): Promise<FastifyReply> {
  const dossier = await look(visit)
  return sendDebtorPage(visit.reply, 200, stopPage(viewFor(visit, dossier), dossier))
}

export async function takeStop(visit: Visit): Promise<FastifyReply> {
  const dossier = await within(visit, async ({ world, dossier }) => {
    const { channel, coded } = dossier
    if (channel !== 'lrar' && !isClosed(dossier)) await optOut(world, coded.debtor_id, { channel })
    return dossier
  })
  return seeOther(visit.reply, viewFor(visit, dossier).to('/stop'))
}
