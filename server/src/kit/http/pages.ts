import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import { defectMessages, type Log } from '../log.ts'
import type { PasswordCost } from '../password-hash.ts'
import { asApiError } from './envelope.ts'
import { acceptForms } from './form.ts'
import type { Html } from './html.ts'

/** The dependencies of HTML pages and OAuth endpoints, which are not operations of the API. */
export interface PageContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: (wall: number) => string
  readonly keyring: Keyring
  readonly log: Log
  /** The public base URL: the issuer of tokens and the origin of our pages. No slash at the end. */
  readonly publicUrl: string
  readonly passwordCost: PasswordCost
}

const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * No scripts but our own, nothing framed, nothing loaded from elsewhere, forms to us only. `same-origin`, because without a
 * referrer browsers post forms with `Origin: null`.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `${contentPolicy}; form-action 'self'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export const sendPage = (reply: FastifyReply, status: number, page: Html): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(page.text)

/**
 * A page whose form leads to another site. Without `form-action`: browsers apply it to every redirect after the form, also to
 * those of the other site, which we do not know.
 */
export const sendForwardingPage = (reply: FastifyReply, status: number, page: Html): FastifyReply =>
  reply
    .code(status)
    .headers({ ...pageHeaders, 'content-security-policy': contentPolicy })
    .send(page.text)

/** Redirects after a form, so that going back or reloading does not post it again. */
export const seeOther = (reply: FastifyReply, location: string): FastifyReply =>
  reply.code(303).headers({ location, 'cache-control': 'no-store' }).send()

/** True when the form was posted by one of our pages, by the headers the browser sets. */
export function isOwnForm(context: PageContext, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  if (origin !== new URL(context.publicUrl).origin) return false
  return fetchSite === undefined || fetchSite === 'same-origin'
}

/** Spaces and tabs only (RFC 6265). A name after a no-break space is a different one, which a neighbouring host may set. */
const withoutSpaces = (text: string) => text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '')

export function readCookie(request: FastifyRequest, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && withoutSpaces(part.slice(0, at)) === name) return withoutSpaces(part.slice(at + 1))
  }
  return null
}

/** A `__Host-` cookie: for this host only, over https (or loopback), for every path, not readable by scripts. */
export const cookieHeader = (name: string, value: string, maxAgeSeconds: number): string =>
  `__Host-${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`

type PageReply = FastifyReply | Promise<FastifyReply>

interface PageRoute {
  url: string
  hasGet: boolean
  hasPost: boolean
  handler: (request: FastifyRequest, reply: FastifyReply) => PageReply
}

interface PageGroup {
  pages: readonly PageRoute[]
  fail: (request: FastifyRequest, reply: FastifyReply, status: number) => FastifyReply
  /** The status for a method that a page does not support. */
  otherMethods: 404 | 405
  /** Adds further routes to the same scope. */
  addRoutes?: (room: FastifyInstance) => void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/**
 * Registers pages in their own Fastify scope: forms are parsed, and errors are answered as HTML. A form that was not posted by
 * one of our pages is refused before it is read.
 */
export function addPageGroup(
  app: FastifyInstance,
  context: PageContext,
  { pages, fail, otherMethods, addRoutes }: PageGroup,
): void {
  const { log } = context
  app.register((scope, _options, done) => {
    acceptForms(scope)
    const refuseForeignForm = async (request: FastifyRequest, reply: FastifyReply) => {
      if (request.method === 'POST' && !isOwnForm(context, request)) return fail(request, reply, 403)
    }
    scope.setErrorHandler(async (error, request, reply) => {
      const known = asApiError(error)
      if (!known) log.error({ requestId: request.id, err: error }, defectMessages.request)
      const { retryAfterSeconds } = known?.extras ?? {}
      if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
      return fail(request, reply, known?.status ?? 500)
    })
    for (const { url, hasGet, hasPost, handler } of pages) {
      const allowed = methods.filter(method => (method === 'GET' && hasGet) || (method === 'POST' && hasPost))
      scope.route({ method: allowed, url, handler, onRequest: refuseForeignForm })
      scope.route({
        method: methods.filter(method => !allowed.includes(method)),
        url,
        handler: (request, reply) => fail(request, reply.header('allow', allowed.join(', ')), otherMethods),
      })
    }
    addRoutes?.(scope)
    done()
  })
}
