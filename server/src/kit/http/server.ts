import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { placeOf } from '../ip-block.ts'
import { type Actor, followUpMostMs, type Operation, type Retirement } from '../operation.ts'
import { asApiError, failure, fileHeaders, internalError, jsonHeaders, stampOf } from './answer.ts'
import { challengeFor } from './challenge.ts'
import { coalescer } from './coalesce.ts'
import type { Edge, Principal } from './edge.ts'
import type { Admission } from './limits.ts'
import { perform } from './perform.ts'
import { parseJson } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    admission: Admission | null
    rawText: string
    startedAt: number
  }
  interface FastifyContextConfig {
    operation?: Operation
    /** Outside the limits; `open` is in plain http too. */
    unlimited?: boolean
    open?: boolean
  }
}

const slowMs = 1_000
const patientMs = followUpMostMs + 10_000

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

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: string | Buffer) => {
      request.rawText = decodeUtf8(body as Buffer)
      return request.rawText === '' ? undefined : parseJson(request.rawText)
    },
  )

  const fail = async (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => {
    const error = asApiError(thrown)
    if (!error)
      edge.log.error(
        { requestId: request.id, operation: request.routeOptions.config.operation?.id, err: thrown },
        'defect',
      )
    const answer = error ?? internalError()
    if (answer.extras.retryAfterSeconds) reply.header('retry-after', String(answer.extras.retryAfterSeconds))
    const challenge = challengeFor(answer, request.headers.authorization)
    if (challenge) reply.header('www-authenticate', challenge)
    await json(reply, answer.status, failure(answer, edge.docsUrl, stampOf(request.id, edge.clock)))
  }
  app.setErrorHandler(async (error, request, reply) => {
    await fail(request, reply, error)
    return reply
  })

  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = edge.clock.wall()
    reply.header('x-request-id', request.id)
    const { operation, open, unlimited } = request.routeOptions.config
    // A load balancer asks after our health on the inside, in plain http.
    if (open) return
    if (edge.requireHttps) {
      if (request.protocol !== 'https') throw new ApiError('VAL_004', 'Plain http is refused; use https.')
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    if (operation?.retired) announceRetirement(operation.retired, reply)
    // Before the limits, though it asks the database: whose allowance is used up is known once the credential is.
    let refused: unknown = null
    if (operation)
      try {
        request.principal = await edge.authenticate(request.headers, request.ip, request.startedAt)
      } catch (error) {
        refused = error
      }
    // Strangers are counted by address, so that guessing keys is slow too.
    const [subject, allowance] = request.principal
      ? [request.principal.actor.tenantId, request.principal.allowance]
      : [`address:${placeOf(request.ip)}`, edge.strangers]
    if (!unlimited) {
      // Not by the request id: that is the client's to choose, and one id for all would count as one in flight.
      const id = edge.newId(request.startedAt)
      request.admission = await edge.limiter.admit(subject, id, allowance, request.startedAt)
      reply.headers(request.admission.headers)
      if (request.admission.refusedBy) throw tooMany(request.admission)
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
      ...(operation.followUp && { handlerTimeout: patientMs }),
      handler: async (request, reply) => {
        // A line on which nothing is said for a while is cut: this one stays silent on purpose.
        if (operation.followUp) request.raw.socket.setTimeout(patientMs)
        const answer = await perform(edge, together, operation, request)
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

const unknownPath = ({ method, url }: FastifyRequest) =>
  new ApiError(
    'RES_001',
    `There is no ${method} ${url.split('?')[0]!.slice(0, 200)}; see the API reference for the paths.`,
  )

const reservedToProduction = () =>
  new ApiError('AUTH_007', 'This is done with a production credential, and holds for both environments.')

function tooMany(admission: Admission): ApiError {
  const extras = { retryAfterSeconds: admission.retryAfterSeconds }
  switch (admission.refusedBy) {
    case 'RATE_001':
      return new ApiError(
        'RATE_001',
        `Too many requests this minute; wait ${extras.retryAfterSeconds} s.`,
        extras,
      )
    case 'RATE_002':
      return new ApiError('RATE_002', 'The daily quota is used up; it starts anew at midnight UTC.', extras)
    default:
      return new ApiError('RATE_003', 'Too many requests at the same time; wait for some to end.', extras)
  }
}

function inMaintenance(until: number, wall: number): ApiError {
  const retryAfterSeconds = Math.ceil((until - wall) / 1000)
  return new ApiError('SYS_002', `We are in maintenance; come back in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

/** RFC 9745 and RFC 8594: since when, until when, and what instead. */
function announceRetirement({ deprecatedAt, sunsetAt, successor }: Retirement, reply: FastifyReply): void {
  reply.header('deprecation', `@${Math.floor(deprecatedAt / 1000)}`)
  reply.header('sunset', new Date(sunsetAt).toUTCString())
  reply.header('link', `<${successor}>; rel="successor-version"`)
}

const gone = ({ successor }: Retirement) =>
  new ApiError('SYS_003', `This endpoint was retired; use ${successor} instead.`)

function checkScopes(operation: Operation, actor: Actor): void {
  const missing = operation.scopes.filter(scope => !actor.scopes.includes(scope))
  if (missing.length > 0)
    throw new ApiError('AUTH_004', `This credential lacks the scope ${missing.join(', ')}.`, {
      requiredScopes: operation.scopes,
    })
}
