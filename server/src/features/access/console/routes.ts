import type { FastifyInstance } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { type PageContext, sendPage } from '../../../kit/http/pages.ts'
import { unknownPath } from '../../../kit/http/refusals.ts'
import type { Operation } from '../../../kit/operation.ts'
import { layout } from '../people/layout.ts'
import { viewOf } from '../people/view.ts'
import { addMeRoute } from './me.ts'

const texts = {
  fr: {
    title: 'Console',
    text: 'La console n’est pas encore disponible. Votre compte et votre société se gèrent ici :',
    link: 'Mon compte',
  },
  en: {
    title: 'Console',
    text: 'The console is not available yet. Your account and your company are managed here:',
    link: 'My account',
  },
}

/**
 * What the console is made of: its page, its files, and who is signed in. The page and the files are the same for everybody and
 * are not counted by address: a whole office may share one.
 */
export function addConsoleRoutes(
  app: FastifyInstance,
  context: PageContext,
  operations: readonly Operation[],
): void {
  const config = { unlimited: true }
  app.get('/console', { config }, async (request, reply) => {
    const view = viewOf(request, null)
    const { title, text, link } = texts[view.language]
    const body = html`<h1>${title}</h1>
<p>${text} <a href="${view.to('/account')}">${link}</a></p>`
    return sendPage(reply, 200, layout(view, { title, body }))
  })
  app.get('/console/assets/*', { config }, async request => {
    throw unknownPath(request)
  })
  addMeRoute(app, context, operations)
}
