import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { iso } from '../clock.ts'
import type { Pool } from '../db/pool.ts'
import { type Entry, reader, transact, Undo } from '../db/transaction.ts'
import { ApiError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Actor, Operation } from '../operation.ts'
import { asApiError, failure, internalError, success, unavailable } from './answer.ts'
import {
  firstTime,
  isKept,
  keepAnswer,
  type Once,
  oldestKept,
  onceFor,
  openingCalls,
  type StoredAnswer,
} from './idempotency.ts'
import type { Admission, Allowance, Limiter } from './limits.ts'
import { parseJson, validateBody, validateParams, validateQuery } from './validate.ts'

/** What authentication yields: who calls, what it may do, and how its transactions prove that it still may. */
export interface Principal {
  readonly actor: Actor
  readonly allowance: Allowance
  entry(wall: number): Entry
}

export interface Edge {
  readonly operations: readonly Operation[]
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: () => string
  readonly limiter: Limiter
  readonly strangers: Allowance
  readonly log: Log
  readonly metrics: Metrics
  readonly docsUrl: string
  readonly requireHttps: boolean
  readonly trustedProxies: readonly string[]
  readonly tls?: { certFile: string; keyFile: string } | undefined
  authenticate(
    headers: Record<string, string | string[] | undefined>,
    address: string,
    wall: number,
  ): Promise<Principal>
  /** Called when a transaction found that a cached credential no longer stands. */
  forget(actor: Actor): void
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
    admission: Admission | null
    rawText: string
    startedAt: number
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

const slowMs = 1_000

export async function createServer(edge: Edge): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    connectionTimeout: 15_000,
    requestTimeout: 15_000,
    handlerTimeout: 20_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200 },
    trustProxy: edge.trustedProxies.length > 0 ? [...edge.trustedProxies] : false,
    genReqId: request => requestIdOf(request.headers['x-request-id'], edge.newId),
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
    if (answer.code === 'AUTH_001' || answer.code === 'AUTH_002' || answer.code === 'AUTH_003')
      reply.header('www-authenticate', 'Bearer realm="relance"')
    await json(reply, answer.status, failure(answer, edge.docsUrl, stamp(request, edge.clock)))
  }
  app.setErrorHandler(async (error, request, reply) => {
    await fail(request, reply, error)
    return reply
  })

  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = edge.clock.wall()
    reply.header('x-request-id', request.id)
    if (edge.requireHttps) {
      if (request.protocol !== 'https') throw new ApiError('VAL_004', 'Plain http is refused; use https.')
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    }
    const { operation, open } = request.routeOptions.config as { operation?: Operation; open?: boolean }
    if (open) return
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
      : [`address:${request.ip}`, edge.strangers]
    request.admission = await edge.limiter.admit(subject, request.id, allowance, request.startedAt)
    reply.headers(request.admission.headers)
    if (request.admission.refusedBy) throw tooMany(request.admission)
    if (refused) throw refused
    if (operation && request.principal) checkScopes(operation, request.principal.actor)
  })

  app.addHook('onResponse', async (request, reply) => {
    request.admission?.release()
    const seconds = (edge.clock.wall() - request.startedAt) / 1000
    const operation = request.routeOptions.config.operation?.id ?? 'other'
    edge.metrics.requests.observe({ operation, status: String(reply.statusCode) }, seconds)
    if (reply.statusCode >= 500 || seconds * 1000 > slowMs)
      edge.log.warn({ requestId: request.id, operation, status: reply.statusCode, seconds }, 'request')
  })

  app.setNotFoundHandler(async request => {
    throw new ApiError(
      'RES_001',
      `There is no ${request.method} ${request.url.split('?')[0]!.slice(0, 200)}; see the API reference for the paths.`,
    )
  })

  for (const operation of edge.operations) {
    app.route({
      method: operation.method,
      url: operation.path,
      config: { operation },
      handler: async (request, reply) => {
        const answer = await perform(edge, operation, request)
        if (answer.replayed) reply.header('idempotent-replayed', 'true')
        await json(reply, answer.status, answer.body)
        return reply
      },
    })
  }
  return app
}

const json = async (reply: FastifyReply, status: number, body: string) => {
  reply.code(status)
  if (status === 204) await reply.send()
  else await reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

const stamp = (request: FastifyRequest, clock: Clock) => ({
  requestId: request.id,
  timestamp: iso(clock.wall()),
})

function requestIdOf(given: string | string[] | undefined, newId: () => string): string {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : newId()
}

function decodeUtf8(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new ApiError('VAL_004', 'The body is not valid UTF-8.')
  }
}

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

function checkScopes(operation: Operation, actor: Actor): void {
  const missing = operation.scopes.filter(scope => !actor.scopes.includes(scope))
  if (missing.length > 0)
    throw new ApiError('AUTH_004', `This credential lacks the scope ${missing.join(', ')}.`, {
      requiredScopes: operation.scopes,
    })
}

interface Performed extends StoredAnswer {
  replayed?: boolean
}

/** Validate, open the tenant's transaction, replay or run, commit, and only then answer. */
async function perform(edge: Edge, operation: Operation, request: FastifyRequest): Promise<Performed> {
  const principal = request.principal
  if (!principal) throw unavailable()
  const params = operation.params ? validateParams(operation.params, request.params) : undefined
  const query = validateQuery(operation.query, request.query as Record<string, unknown>)
  if (
    operation.body &&
    request.body === undefined &&
    request.headers['content-type'] === undefined &&
    Number(request.headers['content-length'] ?? 0) > 0
  )
    throw new ApiError('VAL_004', 'Send the body as application/json.')
  const body = operation.body ? validateBody(operation.body, request.body) : undefined
  const { actor } = principal
  const entry = principal.entry(request.startedAt)
  const base = {
    actor,
    wall: request.startedAt,
    requestId: request.id,
    newId: edge.newId,
    params,
    query,
    body,
  }
  const answered = (result: unknown): StoredAnswer => ({
    status: operation.status,
    body:
      operation.status === 204 ? '' : success(result, operation.list === true, stamp(request, edge.clock)),
  })
  try {
    if (operation.method === 'GET') {
      const tx = reader(edge.pool, entry)
      return answered(
        await operation.run({
          ...base,
          tx,
          get now(): number {
            throw new Error('a reading operation has no moment of its own')
          },
        }),
      )
    }
    const header = request.headers['idempotency-key']
    if (operation.method !== 'POST' || header === undefined)
      return await transact(edge.pool, entry, [], async opened =>
        answered(await operation.run({ ...base, tx: opened.tx, now: request.startedAt + opened.offsetMs })),
      )
    const once = onceFor(
      String(header),
      { tenantId: actor.tenantId, clientId: actor.id, method: operation.method, path: request.url },
      request.rawText,
    )
    return await performOnce(edge, entry, once, request, async opened =>
      answered(await operation.run({ ...base, tx: opened.tx, now: request.startedAt + opened.offsetMs })),
    )
  } catch (error) {
    const seen = asApiError(error)
    if (seen?.code === 'AUTH_002' || seen?.code === 'AUTH_006') edge.forget(actor)
    throw error
  }
}

const duplicateWaitMs = 2_000

async function performOnce(
  edge: Edge,
  entry: Entry,
  once: Once,
  request: FastifyRequest,
  work: (opened: Parameters<Parameters<typeof transact>[3]>[0]) => Promise<StoredAnswer>,
): Promise<Performed> {
  const giveUpAt = edge.clock.wall() + duplicateWaitMs
  const wall = iso(request.startedAt)
  for (;;) {
    const answer = await transact<Performed | 'busy'>(
      edge.pool,
      entry,
      openingCalls(once, oldestKept(request.startedAt)),
      async opened => {
        const before = firstTime(once, opened.first)
        if (before === 'busy') return new Undo<Performed | 'busy'>('busy')
        if (before) return { ...before, replayed: true }
        await opened.savepoint()
        try {
          const done = await work(opened)
          keepAnswer(opened, once, done, wall)
          return done
        } catch (error) {
          if (!(error instanceof ApiError && isKept(error.code))) throw error
          await opened.rollbackToSavepoint()
          const refused = {
            status: error.status,
            body: failure(error, edge.docsUrl, stamp(request, edge.clock)),
          }
          keepAnswer(opened, once, refused, wall)
          return refused
        }
      },
    )
    if (answer !== 'busy') return answer
    // A waiting duplicate holds no connection.
    if (edge.clock.wall() >= giveUpAt)
      throw new ApiError(
        'RES_004',
        'The first request with this Idempotency-Key is still running; repeat in a second.',
        { retryAfterSeconds: 1 },
      )
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
