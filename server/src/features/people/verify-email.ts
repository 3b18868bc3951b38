import type { FastifyReply } from 'fastify'
import { iso } from '../../kit/clock.ts'
import { asking, together } from '../../kit/db/plain.ts'
import { newEvent } from '../../kit/events.ts'
import { html } from '../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../kit/http/site.ts'
import { signedIn } from './acts.ts'
import { hidden } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { sendDeadLink } from './link-pages.ts'
import { dropLinks, findLink, useLink } from './mail-links.ts'
import { verifyEmail } from './person.ts'
import { signIn } from './session.ts'
import { queried, type Visit } from './visit.ts'

const purpose = 'verify_email'

export async function showVerify(visit: Visit): Promise<FastifyReply> {
  const { site, view, reply } = visit
  const token = queried(visit, 'token')
  const person = await findLink(site, asking(site.pool), token, purpose)
  if (!person) return sendDeadLink(visit, purpose)
  const { verify } = view.words
  return sendPage(
    reply,
    200,
    layout(view, {
      title: verify.title,
      body: html`<h1>${verify.title}</h1>
<p>${verify.text(person.email)}</p>
<form method="post" action="${view.to('/verify')}">${hidden('token', token)}<button>${verify.submit}</button></form>
<p class="hint">${verify.notYou}</p>`,
    }),
  )
}

export async function takeVerify(visit: Visit): Promise<FastifyReply> {
  const { site, view, request, reply, form } = visit
  const isVerified = await together(site.pool, async ask => {
    const personId = await useLink(site, ask, field(form, 'token'), purpose)
    if (personId === null) return false
    await verifyEmail(ask, personId, iso(site.clock.wall()))
    await dropLinks(ask, personId)
    await signIn(site, ask, request, reply, personId, 'link')
    await keepActs(site, ask, request, personId, newEvent(signedIn, personId, { personId, method: 'link' }))
    return true
  })
  return isVerified ? seeOther(reply, view.to('/account')) : sendDeadLink(visit, purpose)
}
