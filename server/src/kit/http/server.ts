import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { networkOf } from '../ip-block.ts'
import { defectMessages } from '../log.ts'
import { type Environment, followUpMaxMs, type Operation, type Retirement } from '../operation.ts'
import { type BodyReader, bodyReader, smallBodyBytes, uploadArrivalMs, usualBodyBytes } from './body.ts'
import { challengeFor } from './challenge.ts'
import { coalescer } from './coalesce.ts'
import { addCors } from './cors.ts'
import { type Door, doorPrefixes } from './door.ts'
import { asApiError, failure, fileHeaders, internalError, jsonHeaders, stampOf } from './envelope.ts'
import { eventStream } from './event-stream.ts'
import type { Caller, HttpContext, Principal } from './http-context.ts'
import { type InternalRequest, internalRequestOf } from './internal-request.ts'
import { parseJson } from './json.ts'
import type { Admission } from './limits.ts'
import { answerMalformed } from './malformed-request.ts'
import { perform } from './perform.ts'
import {
  checkRights,
  endpointRetired,
  inMaintenance,
  reservedToProduction,
  slashTooMany,
  tooMany,
  unknownPath,
  unservedPath,
  wrongHost,
} from './refusals.ts'
import { type RouteTable, routeTableOf } from './route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: RouteTable
    bodies: BodyReader
  }
  interface FastifyRequest {
    principal: Principal | null
    admission: Admission | null
    /** Not an actor of ours, but a secret that it shares with us was right. */
    isKnownCaller: boolean
    rawText: string
    startedAt: number
    /** When an answer that stays open was begun: until then the request took its time. */
    openedAt: number | null
    /** Set when this is an internal request. */
    internal: InternalRequest | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** By which door the operation is reached: it says which credential is read. */
    door?: Door
    /** Not an operation: tells who calls, and refuses others. Null: nobody, and it is not counted. */
    identify?: (request: FastifyRequest) => Promise<Caller | null>
    /** Not counted against the limits. */
    unlimited?: boolean
    /** Answers for every path that no other route has; it is no method of a path. */
    isFallback?: true
    /** No checks at all: no https, no credential, no limits. For health checks and assets. */
    open?: true
    /** Not an operation, but a credential is required. */
    requiresCredential?: true
    /** A download: it takes the time its reader takes, and is not reported as slow. */
    lastsAsLongAsItsReader?: true
    /** Runs before authentication; throws to refuse the request. */
    guard?: (request: FastifyRequest) => void
  }
}

const slowMs = 1_000
/** A connection has this long for the headers of its request. */
const headersMs = 10_000
/** How often Node looks for requests that take too long to arrive. */
const connectionsCheckingInterval = 2_000
const handlerTimeoutOf = ({ followUpMs = followUpMaxMs, upload }: Operation) =>
  upload ? uploadArrivalMs + 20_000 : followUpMs + 10_000

export async function createServer(context: HttpContext): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: smallBodyBytes,
    connectionTimeout: 15_000,
    // Longer than a body may take, which is refused with a sentence.
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
    return request.rawText === '' ? undefined : parseJson(request.rawText)
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
  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = context.clock.wall()
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    const { config } = request.routeOptions
    const { operation, door, identify, open, requiresCredential, guard } = config
    // No page of others may embed what a person reads with their cookie.
    if (door === 'console') reply.header('cross-origin-resource-policy', 'same-origin')
    const internal = internalRequestOf(request)
    request.internal = internal
    if (internal && internal.operation !== operation)
      throw new Error(
        `${internal.operation.id} was called internally, but ${request.method} ${request.url} was reached`,
      )
    const byAddress = [`address:${networkOf(request.ip)}`, context.anonymousAllowance] as const
    const showLimits = async () => {
      reply.headers(await context.limiter.look(...byAddress, request.startedAt))
    }
    // A load balancer checks our health over the internal network, in plain http.
    if (open) return showLimits()
    if (hasBody(request)) reply.raw.once('close', () => bodies.release(request))
    // An internal request has no connection of its own: the outer request was checked.
    if (context.requireHttps && !internal) {
      if (request.protocol !== 'https') {
        await showLimits()
        throw new ApiError('VAL_004', 'Plain http is refused; use https.')
      }
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    guard?.(request)
    if (operation?.retired) announceRetirement(operation.retired, reply)
    // Authentication comes before the limits, although it queries the database: the credential says whose allowance counts.
    let refused: unknown = null
    let caller: Caller | null = null
    try {
      if (identify) caller = await identify(request)
      else if (door === 'console') {
        const found = await context.authenticatePerson(request)
        caller = found
        if ('refusal' in found) refused = found.refusal
        else request.principal = found
      } else if (operation || requiresCredential)
        caller = request.principal = await context.authenticate(
          request.headers,
          request.ip,
          request.startedAt,
        )
    } catch (error) {
      refused = error
    }
    // A browser asks by OPTIONS before it sends a request; nothing is done for it.
    const unlimited =
      config.unlimited || request.method === 'OPTIONS' || (identify && !caller && refused === null)
    // Requests without a valid credential are counted by address, so that guessing keys is slow.
    const [subject, allowance] = caller ? [caller.subject, caller.allowance] : byAddress
    if (unlimited) await showLimits()
    if (!unlimited && !internal?.isAlreadyCounted) {
      // Not counted by request id: the client chooses it, and requests with the same id would count as one.
      const admission = await context.limiter.admit(
        subject,
        context.newId(request.startedAt),
        internal ? { ...allowance, inFlight: Number.MAX_SAFE_INTEGER } : allowance,
        request.startedAt,
      )
      reply.headers(admission.headers)
      if (admission.refusedBy) throw tooMany(admission)
      // The outer request is already counted as concurrent; counting the internal one too would block a caller with one slot.
      if (internal) admission.release()
      else request.admission = admission
    }
    const maintenanceEnd = context.maintenanceUntil()
    if (maintenanceEnd !== null && maintenanceEnd > request.startedAt)
      throw inMaintenance(maintenanceEnd, request.startedAt)
    if (refused) throw refused
    if (request.is404) throw unservedPath(request, routeTable)
    const isSlashTooMany = operation && slashTooMany(request, routeTable)
    if (isSlashTooMany) throw isSlashTooMany
    // People use both environments on the host of our pages, which their cookie belongs to.
    if (request.principal && door !== 'console')
      refuseWrongHost(context.hosts, request, request.principal.actor.environment)
    if (operation?.retired && operation.retired.sunsetAt <= request.startedAt)
      throw endpointRetired(operation.retired)
    if (!operation || !request.principal) return
    const { actor } = request.principal
    if (operation.environment && operation.environment !== actor.environment)
      throw operation.environment === 'production' ? reservedToProduction() : unknownPath(request)
    checkRights(operation, actor, request.startedAt)
  })

  // A connection that is in use when the server is asked to end would then stay open for a next request, until the proxy at its other
  // end lets go of it, and the server would wait for that.
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
    const { operation: declared, lastsAsLongAsItsReader } = request.routeOptions.config
    const { id: operation = 'other', followUp } = declared ?? {}
    context.metrics.requests.observe({ operation, status: String(reply.statusCode) }, seconds)
    // An operation with a follow-up waits on purpose, so it is not reported as slow.
    if (reply.statusCode >= 500 || (seconds * 1000 > slowMs && !followUp && !lastsAsLongAsItsReader))
      context.log.warn(
        { requestId: request.id, operation, status: reply.statusCode, seconds },
        'slow or failed request',
      )
  })

  app.setNotFoundHandler(async request => {
    throw unservedPath(request, routeTable)
  })

  const coalesce = coalescer(context)
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
        const answer = await perform(context, coalesce, operation, request, events).catch(
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
        if (operation.produces && answer.file)
          await reply
            .code(answer.status)
            .headers(fileHeaders(operation.produces, answer.file))
            .send(answer.file.bytes)
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
    // A file is taken as it arrives, whatever its type.
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

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function refuseWrongHost(
  hosts: HttpContext['hosts'],
  { hostname }: FastifyRequest,
  environment: Environment,
): void {
  const other = environment === 'production' ? 'sandbox' : 'production'
  if (hosts && hostname.toLowerCase() === hosts[other]) throw wrongHost(environment, hosts[environment])
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

/** RFC 9745 and RFC 8594: since when, until when, and what instead. */
function announceRetirement({ deprecatedAt, sunsetAt, successor }: Retirement, reply: FastifyReply): void {
  reply.header('deprecation', `@${Math.floor(deprecatedAt / 1000)}`)
  reply.header('sunset', new Date(sunsetAt).toUTCString())
  reply.header('link', `<${successor}>; rel="successor-version"`)
}
