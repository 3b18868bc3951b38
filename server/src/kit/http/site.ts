import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Keyring } from '../crypto.ts'
import type { Pool } from '../db/pool.ts'
import type { Log } from '../log.ts'
import { asApiError } from './answer.ts'
import type { Html } from './html.ts'

/** The world of everything that is shown to a person, or spoken as OAuth, rather than answered as an operation. */
export interface Site {
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: (wall: number) => string
  readonly keyring: Keyring
  readonly log: Log
  /** Where people and applications find us: the issuer of tokens, the origin of our pages. No slash at the end. */
  readonly publicUrl: string
}

/**
 * No scripts but our own, nothing framed, nothing loaded from elsewhere. There is no `form-action`: it would forbid the
 * redirect to the application after consent. `same-origin`, because without a referrer browsers post forms with `Origin: null`.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

export const sendPage = (reply: FastifyReply, status: number, page: Html): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(page.text)

/** After a form, so that going back or reloading posts nothing again. */
export const seeOther = (reply: FastifyReply, where: string): FastifyReply =>
  reply.code(303).headers({ location: where, 'cache-control': 'no-store' }).send()

/** A form was posted by a page of ours: the browser says so itself. */
export function isOwnForm(site: Site, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  if (origin !== new URL(site.publicUrl).origin) return false
  return fetchSite === undefined || fetchSite === 'same-origin'
}

/** A form's fields. One that is repeated is a list; who expects one value sees that it is not. */
export type Form = Record<string, string | string[] | undefined>

export function parseForm(text: string): Form {
  const form: Form = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form[name]
    form[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return form
}

export const field = (form: Form, name: string): string => {
  const value = form[name]
  return typeof value === 'string' ? value : ''
}

export const fieldList = (form: Form, name: string): string[] => {
  const value = form[name]
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

export function readCookie(request: FastifyRequest, name: string): string | null {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}

/** `__Host-`: from this host alone, over https (or loopback), for every path, out of reach of scripts. */
export const cookieHeader = (name: string, value: string, maxAgeSeconds: number): string =>
  `__Host-${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`

type Answer = FastifyReply | Promise<FastifyReply>

interface PageRoute {
  url: string
  isShown: boolean
  isPosted: boolean
  handler: (request: FastifyRequest, reply: FastifyReply) => Answer
}

interface PageRoom {
  pages: readonly PageRoute[]
  /** How large a form may be. */
  formMost: number
  fail: (request: FastifyRequest, reply: FastifyReply, status: number) => FastifyReply
  /** What a page says to a method it does not know. */
  otherMethods: 404 | 405
  /** Whatever else belongs into the room. */
  furnish?: (room: FastifyInstance) => void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Pages of ours, in a room of their own: forms come in, HTML goes out, whatever happens. */
export function addPageRoom(
  app: FastifyInstance,
  { log }: Pick<Site, 'log'>,
  { pages, formMost, fail, otherMethods, furnish }: PageRoom,
): void {
  app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formMost },
      async (_: unknown, body: string | Buffer) => String(body),
    )
    scope.setErrorHandler(async (error, request, reply) => {
      const known = asApiError(error)
      if (!known) log.error({ requestId: request.id, err: error }, 'defect')
      const { retryAfterSeconds } = known?.extras ?? {}
      if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
      return fail(request, reply, known?.status ?? 500)
    })
    for (const { url, isShown, isPosted, handler } of pages) {
      const served = methods.filter(
        method => (method === 'GET' && isShown) || (method === 'POST' && isPosted),
      )
      scope.route({ method: served, url, handler })
      scope.route({
        method: methods.filter(method => !served.includes(method)),
        url,
        handler: (request, reply) => fail(request, reply.header('allow', served.join(', ')), otherMethods),
      })
    }
    furnish?.(scope)
    done()
  })
}
