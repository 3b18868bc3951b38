import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  addPageRoom,
  type Form,
  isOwnForm,
  parseForm,
  type Site,
  seeOther,
  sendPage,
} from '../../../kit/http/site.ts'
import { failurePage } from './failure-page.ts'
import { isFormOf, type Session, sessionOf } from './session.ts'
import { type View, viewOf } from './view.ts'

/** Somebody in front of a page, with everything it may know. */
export interface Visit {
  site: Site
  request: FastifyRequest
  reply: FastifyReply
  session: Session | null
  view: View
  /** Empty when nothing was posted. */
  form: Form
}

export type SignedIn = Visit & { session: Session }

type Answer = FastifyReply | Promise<FastifyReply>

/** What can be opened, and what can be posted. Who may, and from where, is seen to before either is asked. */
export type Page = { path: string } & (
  | { for: 'anybody'; get?: (visit: Visit) => Answer; post?: (visit: Visit) => Answer }
  | { for: 'signed_in'; get?: (visit: SignedIn) => Answer; post?: (visit: SignedIn) => Answer }
)

/** One value of the address; something repeated is nothing. */
export function queried({ request }: Pick<Visit, 'request'>, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

const fail = (request: FastifyRequest, reply: FastifyReply, status: number, session: Session | null = null) =>
  sendPage(reply, status, failurePage(viewOf(request, session), status, request.id))

async function visit(
  site: Site,
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await sessionOf(site, request)
  const isPost = request.method === 'POST'
  const form = isPost ? parseForm(typeof request.body === 'string' ? request.body : '') : {}
  if (isPost && !isOwnForm(site, request)) return fail(request, reply, 403, session)
  const view = viewOf(request, session)
  const here = { site, request, reply, view, form }
  if (page.for === 'anybody') {
    const answer = isPost ? page.post : page.get
    return answer!({ ...here, session })
  }
  // What was posted is lost with the session; the page it was posted from is where to begin again.
  if (!session) {
    const next = isPost ? '/account' : request.url
    return seeOther(reply, view.to(`/sign-in?next=${encodeURIComponent(next)}`))
  }
  if (isPost && !isFormOf(site, request, session, form)) return fail(request, reply, 403, session)
  const answer = isPost ? page.post : page.get
  return answer!({ ...here, session })
}

export const addPages = (app: FastifyInstance, site: Site, pages: readonly Page[]): void =>
  addPageRoom(app, site, {
    formMost: 64 * 1024,
    otherMethods: 405,
    fail,
    pages: pages.map(page => ({
      url: page.path,
      isShown: page.get !== undefined,
      isPosted: page.post !== undefined,
      handler: (request, reply) => visit(site, page, request, reply),
    })),
  })
