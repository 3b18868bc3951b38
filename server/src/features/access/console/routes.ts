import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../../kit/http/html.ts'
import { type PageContext, pageHeaders, sendPage } from '../../../kit/http/pages.ts'
import { unknownPath, unservedPath } from '../../../kit/http/refusals.ts'
import type { Operation } from '../../../kit/operation.ts'
import { layout } from '../people/layout.ts'
import { viewOf } from '../people/view.ts'
import { bestForm, readConsoleFiles } from './files.ts'
import { addMeRoute } from './me.ts'
import { messagePreview } from './message-preview.ts'

const texts = {
  fr: {
    title: 'Console',
    text: 'La console n’est pas construite\u00a0: lancez npm run build -w console, puis redémarrez le serveur.',
  },
  en: {
    title: 'Console',
    text: 'The console is not built: run npm run build -w console, then start the server again.',
  },
}

/** Only our own files, and text never becomes code: the page needs no trusted-types policy, so none is allowed. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The build writes a hash of the content into each name. */
const cacheForever = 'public, max-age=31536000, immutable'

/**
 * The routes of the console: its page, its files, and the signed-in person. The page and the files are the same for every user
 * and are not counted by address: a whole office may share one.
 */
export function addConsoleRoutes(
  app: FastifyInstance,
  context: PageContext,
  operations: readonly Operation[],
): void {
  const files = readConsoleFiles()
  const sendConsole = async (request: FastifyRequest, reply: FastifyReply) => {
    if (files)
      return reply
        .headers({ ...pageHeaders, 'content-security-policy': contentSecurityPolicy })
        .send(files.page)
    const view = viewOf(request, null)
    const { title, text } = texts[view.language]
    return sendPage(reply, 200, layout(view, { title, body: html`<h1>${title}</h1>\n<p>${text}</p>` }))
  }
  app.get('/console', { config: { unlimited: true } }, sendConsole)
  // The console itself knows which of its paths exist.
  app.get('/console/*', { config: { unlimited: true, isFallback: true } }, sendConsole)
  app.get('/console/message-preview', { config: { unlimited: true } }, async (_request, reply) =>
    reply.headers(messagePreview.headers).send(messagePreview.page),
  )
  app.get('/console/api/*', { config: { isFallback: true } }, async request => {
    throw unservedPath(request, app.routeTable)
  })
  app.get('/console/assets/*', { config: { unlimited: true } }, async (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    const file = files?.assets.get(name)
    if (!file) throw unknownPath(request)
    const { bytes, encoding } = bestForm(file, request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    return reply
      .headers({ 'content-type': file.type, 'cache-control': cacheForever, vary: 'accept-encoding' })
      .send(bytes)
  })
  addMeRoute(app, context, operations)
}
