import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { sendPage } from '../../../kit/http/site.ts'
import { layout } from './layout.ts'
import type { Purpose } from './link-life.ts'
import type { Visit } from './visit.ts'

/** What everybody sees who asked for a mail, whether there was anybody to write to or not. */
export const showMailSent = ({ view, reply }: Visit): FastifyReply => {
  const { mailSent } = view.words
  return sendPage(
    reply,
    200,
    layout(view, {
      title: mailSent.title,
      body: html`<h1>${mailSent.title}</h1>
<p>${mailSent.text}</p>
<p class="hint">${mailSent.hint}</p>
<p><a href="${view.to('/sign-in')}">${mailSent.back}</a></p>`,
    }),
  )
}

/** A link that was used, ran out, or never was one: which of them is nobody's business. */
export function sendDeadLink({ view, reply }: Visit, purpose: Purpose | 'invitation'): FastifyReply {
  const { linkDead: words } = view.words
  const wayOut: Record<Purpose | 'invitation', Html | null> = {
    verify_email: html`<p><a href="${view.to('/forgot')}">${words.toForgot}</a></p>
<p><a href="${view.to('/sign-in')}">${words.toSignIn}</a></p>`,
    reset_password: html`<p><a href="${view.to('/forgot')}">${words.toForgot}</a></p>`,
    invitation: null,
  }
  return sendPage(
    reply,
    404,
    layout(view, {
      title: words.title,
      body: html`<h1>${words.title}</h1>
<p>${words.text} ${words[purpose]}</p>
${wayOut[purpose]}`,
    }),
  )
}
