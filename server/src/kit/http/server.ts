import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { placeOf } from '../ip-block.ts'
import { followUpMostMs, type Operation, type Retirement } from '../operation.ts'
import { asApiError, failure, fileHeaders, internalError, jsonHeaders, stampOf } from './answer.ts'
import { challengeFor } from './challenge.ts'
import { coalescer } from './coalesce.ts'
import type { Edge, Principal } from './edge.ts'
import { eventStream } from './event-stream.ts'
import { type Inside, insideOf } from './inside.ts'
import type { Admission } from './limits.ts'
import { perform } from './perform.ts'
import { checkScopes, gone, inMaintenance, reservedToProduction, tooMany, unknownPath } from './refusals.ts'
import { parseJson } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    admission: Admission | null
    rawText: string
    startedAt: number
    /** Set when the request was made within the process, on behalf of another one. */
    inside: Inside | null
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** Outside the limits; `open` is in plain http too. */
    unlimited?: boolean
    /** Asked before anything else, by whoever keeps the house running. */
    open?: true
    /** No operation, and yet for callers with a credential alone. */
    forCallers?: true
    /** Asked before anybody's credential is looked at. */
    guard?: (request: FastifyRequest) => void
  }
}

const slowMs = 1_000
const patienceOf = ({ followUpMs = followUpMostMs }: Operation) => followUpMs + 10_000

export async function createServer(edge: Edge): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    connectionTimeout: 15_000,
    requestTimeout: 15_000,
    handlerTimeout: 20_000,
    keepAliveTimeout: 65_000,
    // Longer than any header Node accepts: a long id is refused by validation, in our words, like any other malformed one.
    routerOptions: { maxParamLength: 16_384 },
    rewriteUrl: request => withoutBrokenEscapes(request.url!),
    trustProxy: edge.trustedProxies.length > 0 ? [...edge.trustedProxies] : false,
    genReqId: request => requestIdOf(request.headers['x-request-id'], () => edge.newId(edge.clock.wall())),
    forceCloseConnections: 'idle',
    // Ours are the only words an API client sees, even for a request that never became one.
    clientErrorHandler: (_error, socket) => {
      if (socket.writable)
        socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    },
    ...(edge.tls && {
      https: { cert: readFileSync(edge.tls.certFile), key: readFileSync(edge.tls.keyFile) },
    }),
  }) as unknown as FastifyInstance

  app.decorateRequest('principal', null)
  app.decorateRequest('admission', null)
  app.decorateRequest('rawText', '')
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('inside', null)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: string | Buffer) => {
      request.rawText = decodeUtf8(body as Buffer)
      return request.rawText === '' ? undefined : parseJson(request.rawText)
    },
  )

  const refusal = (request: FastifyRequest, thrown: unknown) => {
    const error = asApiError(thrown)
    if (!error)
      edge.log.error(
        { requestId: request.id, operation: request.routeOptions.config.operation?.id, err: thrown },
        'defect',
      )
    const answer = error ?? internalError()
    return { answer, text: failure(answer, edge.docsUrl, stampOf(request.id, edge.clock)) }
  }
  const fail = async (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => {
    const { answer, text } = refusal(request, thrown)
    if (answer.extras.retryAfterSeconds) reply.header('retry-after', String(answer.extras.retryAfterSeconds))
    const challenge = challengeFor(answer, request.headers.authorization)
    if (challenge) reply.header('www-authenticate', challenge)
    await json(reply, answer.status, text)
  }
  app.setErrorHandler(async (error, request, reply) => {
    await fail(request, reply, error)
    return reply
  })

  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = edge.clock.wall()
    reply.header('x-request-id', request.id)
    const { operation, open, unlimited, forCallers, guard } = request.routeOptions.config
    const inside = insideOf(request)
    request.inside = inside
    if (inside && inside.operation !== operation)
      throw new Error(`${inside.operation.id} was called and ${request.method} ${request.url} was reached`)
    // A load balancer asks after our health on the inside, in plain http.
    if (open) return
    // What is asked within the process came by the line of the request it is asked for.
    if (edge.requireHttps && !inside) {
      if (request.protocol !== 'https') throw new ApiError('VAL_004', 'Plain http is refused; use https.')
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    guard?.(request)
    if (operation?.retired) announceRetirement(operation.retired, reply)
    // Before the limits, though it asks the database: whose allowance is used up is known once the credential is.
    let refused: unknown = null
    if (operation || forCallers)
      try {
        request.principal = await edge.authenticate(request.headers, request.ip, request.startedAt)
      } catch (error) {
        refused = error
      }
    // Strangers are counted by address, so that guessing keys is slow too.
    const [subject, allowance] = request.principal
      ? [request.principal.actor.tenantId, request.principal.allowance]
      : [`address:${placeOf(request.ip)}`, edge.strangers]
    if (!unlimited && !inside?.isPaid) {
      // Not by the request id: that is the client's to choose, and one id for all would count as one in flight.
      const admission = await edge.limiter.admit(
        subject,
        edge.newId(request.startedAt),
        inside ? { ...allowance, inFlight: Number.MAX_SAFE_INTEGER } : allowance,
        request.startedAt,
      )
      reply.headers(admission.headers)
      if (admission.refusedBy) throw tooMany(admission)
      // The request it is asked for is in flight already: one place for both, or a caller with one place would wait for itself.
      if (inside) admission.release()
      else request.admission = admission
    }
    const until = edge.maintenanceUntil()
    if (until !== null && until > request.startedAt) throw inMaintenance(until, request.startedAt)
    if (refused) throw refused
    if (operation?.retired && operation.retired.sunsetAt <= request.startedAt) throw gone(operation.retired)
    if (!operation || !request.principal) return
    const { actor } = request.principal
    if (operation.environment && operation.environment !== actor.environment)
      throw operation.environment === 'production' ? reservedToProduction() : unknownPath(request)
    checkScopes(operation, actor)
  })

  app.addHook('onResponse', async (request, reply) => {
    request.admission?.release()
    const seconds = (edge.clock.wall() - request.startedAt) / 1000
    const { id: operation = 'other', followUp } = request.routeOptions.config.operation ?? {}
    edge.metrics.requests.observe({ operation, status: String(reply.statusCode) }, seconds)
    // Who waits on purpose is not slow.
    if (reply.statusCode >= 500 || (seconds * 1000 > slowMs && !followUp))
      edge.log.warn({ requestId: request.id, operation, status: reply.statusCode, seconds }, 'request')
  })

  app.setNotFoundHandler(async request => {
    throw unknownPath(request)
  })

  const together = coalescer(edge)
  for (const operation of edge.operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      ...(operation.bodyLimitBytes && { bodyLimit: operation.bodyLimitBytes }),
      ...(operation.followUp && { handlerTimeout: patienceOf(operation) }),
      handler: async (request, reply) => {
        // A line on which nothing is said for a while is cut: this one stays silent on purpose.
        if (operation.followUp && !request.inside) request.raw.socket.setTimeout(patienceOf(operation))
        const events = eventStream(operation, request, reply)
        const answer = await perform(edge, together, operation, request, events).catch((error: unknown) => {
          if (!events?.isOpen) throw error
          events.end('error', refusal(request, error).text)
          return null
        })
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
  }
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

/** The router answers a broken escape in its own words and past every hook; taken literally it meets the usual checks. */
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
