import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { newEvent } from '../../../kit/events.ts'
import { line } from '../../../kit/fields.ts'
import { asApiError } from '../../../kit/http/envelope.ts'
import { isOwnForm, type PageContext } from '../../../kit/http/pages.ts'
import { defectMessages } from '../../../kit/log.ts'
import { countAttempt, uncountAttempt } from './attempts.ts'
import { passkeyAdded, signedIn } from './audit-events.ts'
import { ownPath, signInAgainPath, startPath } from './next-path.ts'
import { addPasskey, creationOptions, personByPasskey, readPasskey, requestOptions } from './passkeys.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { notifyPerson } from './security-mails.ts'
import { isCsrfOf, isFresh, type Session, sessionOf, signIn } from './session.ts'

const sendJson = (reply: FastifyReply, status: number, body: object) =>
  reply.code(status).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).send(body)

const sendRefusal = (reply: FastifyReply, status: number, message: string) =>
  sendJson(reply, status, { error: message })

const bodyOf = ({ body }: FastifyRequest): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

/** A new passkey may come with the certificates of its maker. */
const passkeyMaxBytes = 64 * 1024

const foreign = 'This request did not come from a page of ours.'
const unknown = 'This passkey is not known here, or its answer was not right.'
const tooMany = 'There are twenty passkeys already; remove one first.'

/** The session, if the request has its CSRF token. */
async function sessionWithCsrf(context: PageContext, request: FastifyRequest): Promise<Session | null> {
  const session = await sessionOf(context, request)
  return session && isCsrfOf(session, request.headers['x-csrf-token']) ? session : null
}

async function signInByPasskey(context: PageContext, request: FastifyRequest, reply: FastifyReply) {
  const { response, next } = bodyOf(request)
  const query = queryOn(context.pool)
  const { allowed } = await countAttempt(query, 'address', request.ip, context.clock.wall())
  const personId = await inTransaction(context.pool, async txQuery => {
    const found = allowed ? await personByPasskey(context, txQuery, response) : null
    if (found === null) return null
    await signIn(context, txQuery, request, reply, found, 'passkey')
    const auditEvent = newEvent(signedIn, found, { personId: found, method: 'passkey' })
    await recordPersonAudit(context, txQuery, request, found, auditEvent)
    return found
  })
  if (personId === null) return sendRefusal(reply, 400, unknown)
  await uncountAttempt(query, 'address', request.ip)
  return sendJson(reply, 200, { next: ownPath(context, String(next ?? '')) ?? startPath })
}

async function postPasskey(context: PageContext, request: FastifyRequest, reply: FastifyReply) {
  const session = await sessionWithCsrf(context, request)
  if (!session) return sendRefusal(reply, 403, foreign)
  const { person } = session
  const { name, response } = bodyOf(request)
  const parsedName = line(100).safeParse(typeof name === 'string' ? name.trim() : name)
  if (!parsedName.success) return sendRefusal(reply, 400, 'The passkey needs a name of 1 to 100 characters.')
  const credential = await readPasskey(context, person, response)
  if (!credential) return sendRefusal(reply, 400, unknown)
  const outcome = await inTransaction(context.pool, async txQuery => {
    const added = await addPasskey(context, txQuery, person, parsedName.data, credential)
    if (added !== 'added') return added
    await recordPersonAudit(
      context,
      txQuery,
      request,
      person.id,
      newEvent(passkeyAdded, person.id, { personId: person.id }),
    )
    await notifyPerson(context, txQuery, person.id, { kind: 'passkey_added' })
    return added
  })
  if (outcome === 'added') return sendJson(reply, 201, {})
  return sendRefusal(reply, 400, outcome === 'too_many' ? tooMany : unknown)
}

/** Options for creating a passkey; only after a recent sign-in. The creation itself may take longer. */
async function postCreationOptions(context: PageContext, request: FastifyRequest, reply: FastifyReply) {
  const session = await sessionWithCsrf(context, request)
  if (!session) return sendRefusal(reply, 403, foreign)
  if (!isFresh(context, session))
    return sendJson(reply, 403, { error: 'Sign in again to add a passkey.', next: signInAgainPath })
  const options = await creationOptions(context, session.person)
  return options ? sendJson(reply, 200, options) : sendRefusal(reply, 400, tooMany)
}

/** The endpoints for the script of our pages only. */
export function addPasskeyRoutes(app: FastifyInstance, context: PageContext): void {
  app.register((scope, _options, done) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const known = asApiError(error)
      if (!known) context.log.error({ requestId: request.id, err: error }, defectMessages.request)
      return sendRefusal(reply, known?.status ?? 500, known?.message ?? 'Something went wrong on our side.')
    })
    // Checked before the body is read.
    scope.addHook('onRequest', async (request, reply) => {
      if (!isOwnForm(context, request)) return sendRefusal(reply, 403, foreign)
    })
    scope.post('/passkeys/creation-options', (request, reply) => postCreationOptions(context, request, reply))
    scope.post('/passkeys', { bodyLimit: passkeyMaxBytes }, (request, reply) =>
      postPasskey(context, request, reply),
    )
    scope.post('/passkeys/request-options', async (_request, reply) =>
      sendJson(reply, 200, await requestOptions(context)),
    )
    scope.post('/passkeys/sign-in', (request, reply) => signInByPasskey(context, request, reply))
    done()
  })
}
