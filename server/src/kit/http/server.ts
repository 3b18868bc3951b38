import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { defectMessages } from '../log.ts'
import { fileTypeOf, followUpMaxMs, type Operation } from '../operation.ts'
import { isLarge } from '../taking-turns.ts'
import { type BodyReader, bodyReader, smallBodyBytes, uploadArrivalMs, usualBodyBytes } from './body.ts'
import { challengeFor } from './challenge.ts'
import { addCors } from './cors.ts'
import { type Door, doorPrefixes } from './door.ts'
import { asApiError, failure, fileHeaders, internalError, jsonHeaders, stampOf } from './envelope.ts'
import { eventStream } from './event-stream.ts'
import type { Caller, HttpContext, Principal } from './http-context.ts'
import type { InternalRequest } from './internal-request.ts'
import { parseJson, parseLargeJson } from './json.ts'
import type { Admission } from './limits.ts'
import { answerMalformed } from './malformed-request.ts'
import { perform } from './perform.ts'
import { unservedPath } from './refusals.ts'
import { requestCheck } from './request-check.ts'
import { addRetirements } from './retirements.ts'
import { type RouteTable, routeTableOf } from './route-table.ts'
import { batchRunner } from './run-batch.ts'

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable
    bodies: BodyReader
  }
  interface FastifyRequest {
    principal: Principal | null
    admission: Admission | null
    /** The caller is not an actor, but sent a valid shared secret. */
    isKnownCaller: boolean
    rawText: string
    startedAt: number
    /** When a streamed answer began; the request is timed until then. */
    openedAt: number | null
    /** Set when this is an internal request. */
    internal: InternalRequest | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** How the operation is reached; it decides which credential is read. */
    door?: Door
    /** Not an operation: identifies the caller and refuses others. Null: no caller, and the request is not counted. */
    identify?: (request: FastifyRequest) => Promise<Caller | null>
    /** Not counted against the limits. */
    unlimited?: boolean
    /** Answers for every path without a route; it does not count as a method of a path. */
    isFallback?: true
    /** No checks at all: no https, no credential, no limits. For health checks and assets. */
    open?: true
    /** Not an operation, but a credential is required. */
    requiresCredential?: true
    /** A download: its duration depends on the reader, so it is not reported as slow. */
    isDownload?: true
    /** Runs before authentication; throws to refuse the request. */
    guard?: (request: FastifyRequest) => void
  }
}

const slowMs = 1_000
/** A connection has this long for the headers of its request. */
const headersMs = 10_000
/** How often Node looks for requests that take too long to arrive. */
const connectionsCheckingInterval = 2_000
const handlerTimeoutOf = ({ followUp, upload }: Operation) =>
  upload ? uploadArrivalMs + 20_000 : (followUp?.maxMs ?? followUpMaxMs) + 10_000

export async function createServer(context: HttpContext): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: smallBodyBytes,
    connectionTimeout: 15_000,
    // Longer than the time limit of a body, which is answered with a clear error.
    requestTimeout: uploadArrivalMs + 10_000,
    handlerTimeout: 20_000,
    keepAliveTimeout: 65_000,
    // Longer than any URL Node accepts, so that a long id is refused by our validation and not by the router.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: request => withoutBrokenEscapes(request.url!),
    trustProxy: context.trustedProxies.length > 0 ? [...context.trustedProxies] : false,
    genReqId: request =>
      requestIdOf(request.headers['x-request-id'], () => context.newId(context.clock.wall())),
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => void answerMalformed(context, error, socket),
    ...(context.tls
      ? {
          https: {
            cert: readFileSync(context.tls.certFile),
            key: readFileSync(context.tls.keyFile),
            connectionsCheckingInterval,
          },
        }
      : { http: { connectionsCheckingInterval } }),
  }) as unknown as FastifyInstance
  app.server.headersTimeout = headersMs

  const bodies = bodyReader(context.bodySettings)
  app.decorate('bodies', bodies)
  const routeTable = routeTableOf(app, smallBodyBytes)
  app.decorate('routeTable', routeTable)
  app.decorateRequest('principal', null)
  app.decorateRequest('admission', null)
  app.decorateRequest('isKnownCaller', false)
  app.decorateRequest('rawText', '')
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('openedAt', null)
  app.decorateRequest('internal', null)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    request.rawText = decodeUtf8(await bodies.read(request, payload, request.routeOptions.bodyLimit))
    if (request.rawText === '') return undefined
    return isLarge(request.rawText) ? parseLargeJson(request.rawText) : parseJson(request.rawText)
  })

  const errorResponse = (request: FastifyRequest, thrown: unknown) => {
    const error = asApiError(thrown)
    if (!error)
      context.log.error(
        { requestId: request.id, operation: request.routeOptions.config.operation?.id, err: thrown },
        defectMessages.request,
      )
    const answer = error ?? internalError()
    return { answer, text: failure(answer, context.docsUrl, stampOf(request.id, context.clock)) }
  }
  const fail = async (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => {
    const { answer, text } = errorResponse(request, thrown)
    if (answer.extras.retryAfterSeconds) reply.header('retry-after', String(answer.extras.retryAfterSeconds))
    if (answer.extras.allow) reply.header('allow', answer.extras.allow.join(', '))
    const { door } = request.routeOptions.config
    const challenge = challengeFor(answer, door, request.headers.authorization)
    if (challenge) reply.header('www-authenticate', challenge)
    await json(reply, answer.status, text)
  }
  app.setErrorHandler(async (error, request, reply) => {
    await fail(request, reply, error)
    return reply
  })

  addCors(app, context)
  if (context.retirements) addRetirements(app, context.retirements)
  app.addHook('onRequest', requestCheck(context, { routeTable, bodies }))

  // A connection in use during shutdown would stay open for a next request until the proxy closes it, and delay the end.
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
    const timer = setInterval(() => app.server.closeIdleConnections(), 100).unref()
    app.server.once('close', () => clearInterval(timer))
  })

  // Fastify closes the connection after a body it did not read. Here it stays open until the body ends, or until
  // `drainAfter` ends it.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.hasHeader('connection') && request.raw.complete === false) reply.removeHeader('connection')
    if (isEnding) reply.header('connection', 'close')
    bodies.drainBefore(request, () => done(null, payload))
  })

  app.addHook('onResponse', async (request, reply) => {
    request.admission?.release()
    bodies.release(request)
    bodies.drainAfter(request)
    const seconds = ((request.openedAt ?? context.clock.wall()) - request.startedAt) / 1000
    const { operation: declared, isDownload } = request.routeOptions.config
    const { id: operation = 'other', followUp } = declared ?? {}
    context.metrics.requests.observe({ operation, status: String(reply.statusCode) }, seconds)
    // An operation with a follow-up waits on purpose, so it is not reported as slow.
    if (reply.statusCode >= 500 || (seconds * 1000 > slowMs && !followUp && !isDownload))
      context.log.warn(
        { requestId: request.id, operation, status: reply.statusCode, seconds },
        'slow or failed request',
      )
  })

  app.setNotFoundHandler(async request => {
    throw unservedPath(request, routeTable)
  })

  const runInBatch = batchRunner()
  const serve = (scope: FastifyInstance, operation: Operation, door: Door) =>
    scope.route({
      method: operation.method,
      url: doorPrefixes[door] + operation.path,
      config: { operation, door },
      bodyLimit: operation.bodyLimitBytes ?? usualBodyBytes,
      ...((operation.followUp || operation.upload) && { handlerTimeout: handlerTimeoutOf(operation) }),
      handler: async (request, reply) => {
        // The socket timeout is raised, because an operation with a follow-up sends nothing for a while.
        if (operation.followUp && !request.internal)
          request.raw.socket.setTimeout(handlerTimeoutOf(operation))
        const events = eventStream(operation, request, reply)
        const answer = await perform(context, runInBatch, operation, request, events).catch(
          (error: unknown) => {
            if (!events?.isOpen) throw error
            events.end('error', errorResponse(request, error).text)
            return null
          },
        )
        if (!answer) return reply
        if (events && answer.status < 400) {
          events.end('done', answer.body)
          return reply
        }
        if (answer.replayed) reply.header('idempotent-replayed', 'true')
        if (answer.link) reply.header('link', answer.link)
        const fileType = fileTypeOf(operation)
        if (fileType && answer.file)
          await reply.code(answer.status).headers(fileHeaders(fileType, answer.file)).send(answer.file.bytes)
        else await json(reply, answer.status, answer.body)
        return reply
      },
    })
  const serveAll = (scope: FastifyInstance, operations: readonly Operation[]) => {
    for (const operation of operations)
      for (const door of ['api', 'console'] as const) serve(scope, operation, door)
  }
  serveAll(
    app,
    context.operations.filter(({ upload }) => !upload),
  )
  await app.register((scope, _, done) => {
    // A file of any type is accepted as it arrives.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: Readable) => payload)
    serveAll(
      scope,
      context.operations.filter(({ upload }) => upload),
    )
    done()
  })
  return app
}

const json = async (reply: FastifyReply, status: number, body: string) => {
  reply.code(status)
  if (status === 204) await reply.send()
  else await reply.headers(jsonHeaders).send(body)
}

function requestIdOf(given: string | string[] | undefined, newId: () => string): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId()
}

/** The router would answer a broken percent escape itself, without our hooks; escaped literally, it passes the usual checks. */
function withoutBrokenEscapes(url: string): string {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  try {
    decodeURI(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ApiError('VAL_004', 'The body is not valid UTF-8.')
  }
}
