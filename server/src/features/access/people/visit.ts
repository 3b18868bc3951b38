import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Form, formOf } from '../../../kit/http/form.ts'
import { addPageGroup, type PageContext, seeOther, sendPage } from '../../../kit/http/pages.ts'
import { failurePage } from './failure-page.ts'
import { isFormOf, type Session, sessionOf } from './session.ts'
import { type View, viewOf } from './view.ts'

/** A request to a page, with everything its handler needs. */
export interface Visit {
  context: PageContext
  request: FastifyRequest
  reply: FastifyReply
  session: Session | null
  view: View
  /** Empty when nothing was posted. */
  form: Form
}

export type SignedInVisit = Visit & { session: Session }

type PageReply = FastifyReply | Promise<FastifyReply>

/** A page with its GET and POST handlers. The session and the origin of a form are checked before a handler runs. */
export type Page = { path: string } & (
  | { for: 'anybody'; get?: (visit: Visit) => PageReply; post?: (visit: Visit) => PageReply }
  | {
      for: 'signed_in'
      get?: (visit: SignedInVisit) => PageReply
      post?: (visit: SignedInVisit) => PageReply
    }
)

/** One query parameter; empty when it is missing or repeated. */
export function queryValue({ request }: Pick<Visit, 'request'>, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

const fail = (request: FastifyRequest, reply: FastifyReply, status: number, session: Session | null = null) =>
  sendPage(reply, status, failurePage(viewOf(request, session), status, request.id))

async function handleVisit(
  context: PageContext,
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await sessionOf(context, request)
  const isPost = request.method === 'POST'
  const form = formOf(request)
  const view = viewOf(request, session)
  const visit = { context, request, reply, view, form }
  if (page.for === 'anybody') {
    const answer = isPost ? page.post : page.get
    return answer!({ ...visit, session })
  }
  // Without a session the posted form is lost; after signing in the person starts again on the account page.
  if (!session) {
    const next = isPost ? '/account' : request.url
    return seeOther(reply, view.to(`/sign-in?next=${encodeURIComponent(next)}`))
  }
  if (isPost && !isFormOf(session, form)) return fail(request, reply, 403, session)
  const answer = isPost ? page.post : page.get
  return answer!({ ...visit, session })
}

export const addPages = (app: FastifyInstance, context: PageContext, pages: readonly Page[]): void =>
  addPageGroup(app, context, {
    otherMethods: 405,
    fail,
    pages: pages.map(page => ({
      url: page.path,
      hasGet: page.get !== undefined,
      hasPost: page.post !== undefined,
      handler: (request, reply) => handleVisit(context, page, request, reply),
    })),
  })
