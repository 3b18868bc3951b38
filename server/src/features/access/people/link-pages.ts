import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { sendPage } from '../../../kit/http/pages.ts'
import { layout } from './layout.ts'
import type { LinkPurpose } from './link-life.ts'
import type { Visit } from './visit.ts'

/** The page after a mail was requested. It is the same whether or not the account exists. */
export const getMailSent = ({ view, reply }: Visit): FastifyReply => {
  const { mailSent } = view.texts
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

/** The page for a link that was used, has expired or never existed. It does not say which. */
export function sendDeadLink({ view, reply }: Visit, purpose: LinkPurpose | 'invitation'): FastifyReply {
  const { linkDead: texts } = view.texts
  const nextSteps: Record<LinkPurpose | 'invitation', Html | null> = {
    verify_email: html`<p><a href="${view.to('/forgot')}">${texts.toForgot}</a></p>
<p><a href="${view.to('/sign-in')}">${texts.toSignIn}</a></p>`,
    reset_password: html`<p><a href="${view.to('/forgot')}">${texts.toForgot}</a></p>`,
    invitation: null,
  }
  return sendPage(
    reply,
    404,
    layout(view, {
      title: texts.title,
      body: html`<h1>${texts.title}</h1>
<p>${texts.text} ${texts[purpose]}</p>
${nextSteps[purpose]}`,
    }),
  )
}
