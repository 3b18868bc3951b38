import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asking, together } from '../../../kit/db/plain.ts'
import { newEvent } from '../../../kit/events.ts'
import { line } from '../../../kit/fields.ts'
import { asApiError } from '../../../kit/http/answer.ts'
import { isOwnForm, type Site } from '../../../kit/http/site.ts'
import { passkeyAdded, signedIn } from './acts.ts'
import { countAttempt, takeBack } from './attempts.ts'
import { keepActs } from './keep-acts.ts'
import { ownPath, signInAgain } from './next-path.ts'
import { addPasskey, creationOptions, personByPasskey, readPasskey, requestOptions } from './passkeys.ts'
import { tellPerson } from './security-mails.ts'
import { isCsrfOf, isFresh, type Session, sessionOf, signIn } from './session.ts'

const answer = (reply: FastifyReply, status: number, body: object) =>
  reply.code(status).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).send(body)

const refuse = (reply: FastifyReply, status: number, message: string) =>
  answer(reply, status, { error: message })

const bodyOf = ({ body }: FastifyRequest): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

const foreign = 'This request did not come from a page of ours.'
const unknown = 'This passkey is not known here, or its answer was not right.'
const tooMany = 'There are twenty passkeys already; remove one first.'

/** Who is signed in, if the request came from a page of theirs. */
async function sessionFor(site: Site, request: FastifyRequest): Promise<Session | null> {
  const session = await sessionOf(site, request)
  return session && isCsrfOf(session, request.headers['x-csrf-token']) ? session : null
}

async function signInByPasskey(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const { response, next } = bodyOf(request)
  const ask = asking(site.pool)
  const { allowed } = await countAttempt(ask, 'address', request.ip, site.clock.wall())
  const personId = await together(site.pool, async inOne => {
    const found = allowed ? await personByPasskey(site, inOne, response) : null
    if (found === null) return null
    await signIn(site, inOne, request, reply, found, 'passkey')
    const act = newEvent(signedIn, found, { personId: found, method: 'passkey' })
    await keepActs(site, inOne, request, found, act)
    return found
  })
  if (personId === null) return refuse(reply, 400, unknown)
  await takeBack(ask, 'address', request.ip)
  return answer(reply, 200, { next: ownPath(site, String(next ?? '')) ?? '/account' })
}

async function addByPage(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const session = await sessionFor(site, request)
  if (!session) return refuse(reply, 403, foreign)
  const { person } = session
  const { name, response } = bodyOf(request)
  const called = line(100).safeParse(typeof name === 'string' ? name.trim() : name)
  if (!called.success) return refuse(reply, 400, 'The passkey needs a name of 1 to 100 characters.')
  const credential = await readPasskey(site, person, response)
  if (!credential) return refuse(reply, 400, unknown)
  const outcome = await together(site.pool, async inOne => {
    const added = await addPasskey(site, inOne, person, called.data, credential)
    if (added !== 'added') return added
    await keepActs(
      site,
      inOne,
      request,
      person.id,
      newEvent(passkeyAdded, person.id, { personId: person.id }),
    )
    await tellPerson(site, inOne, person.id, 'passkey_added')
    return added
  })
  if (outcome === 'added') return answer(reply, 201, {})
  return refuse(reply, 400, outcome === 'too_many' ? tooMany : unknown)
}

/** Asked only of who signed in a moment ago; whoever is then asked may take the time it takes. */
async function askToCreate(site: Site, request: FastifyRequest, reply: FastifyReply) {
  const session = await sessionFor(site, request)
  if (!session) return refuse(reply, 403, foreign)
  if (!isFresh(site, session))
    return answer(reply, 403, { error: 'Sign in again to add a passkey.', next: signInAgain })
  const options = await creationOptions(site, session.person)
  return options ? answer(reply, 200, options) : refuse(reply, 400, tooMany)
}

/** What the script of our pages asks, and nobody else may. */
export function addPasskeyRoutes(app: FastifyInstance, site: Site): void {
  app.register((scope, _options, done) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const known = asApiError(error)
      if (!known) site.log.error({ requestId: request.id, err: error }, 'defect')
      return refuse(reply, known?.status ?? 500, known?.message ?? 'Something went wrong on our side.')
    })
    // Before the body is read: nothing of a stranger's is looked at.
    scope.addHook('onRequest', async (request, reply) => {
      if (!isOwnForm(site, request)) return refuse(reply, 403, foreign)
    })
    scope.post('/passkeys/creation-options', (request, reply) => askToCreate(site, request, reply))
    scope.post('/passkeys', (request, reply) => addByPage(site, request, reply))
    scope.post('/passkeys/request-options', async (_request, reply) =>
      answer(reply, 200, await requestOptions(site)),
    )
    scope.post('/passkeys/sign-in', (request, reply) => signInByPasskey(site, request, reply))
    done()
  })
}
