import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HttpContext } from './http-context.ts'

/** What a page of another origin may send. `X-API-Key` is not among it: a key does not belong into a page. */
const allowedHeaders = 'authorization, content-type, idempotency-key, x-company-id, x-request-id'

/** What it may read beside the body. */
const exposedHeaders = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-daily-remaining',
  'retry-after',
  'link',
  'content-disposition',
  'idempotent-replayed',
  'www-authenticate',
].join(', ')

const preflightSeconds = 7_200

/** A key may be sent as a bearer token too, and is none. */
const hasAccessToken = ({ headers }: FastifyRequest) =>
  /^bearer (?! *fk_)/i.test(headers.authorization ?? '') &&
  headers['x-api-key'] === undefined &&
  headers.cookie === undefined

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/**
 * Pages of any origin may call the operations, by access token alone: no cookie is ever sent or read there, so that nobody's
 * session acts for a foreign page. What a browser asks before a call is answered here, before any limit counts it.
 */
export function addCors(
  app: FastifyInstance,
  { operations, requireHttps, clock }: Pick<HttpContext, 'operations' | 'requireHttps' | 'clock'>,
): void {
  const served = operations.map(({ method, path }) => ({
    method,
    path: new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`),
  }))
  const methodsOf = ({ url }: FastifyRequest) => {
    const path = url.split('?', 1)[0]!
    return [...new Set(served.filter(route => route.path.test(path)).map(route => route.method))]
  }
  app.addHook('onRequest', async (request, reply) => {
    if (isPreflight(request) && !(requireHttps && request.protocol !== 'https')) {
      const methods = methodsOf(request)
      if (methods.length === 0) return
      request.startedAt = clock.wall()
      return reply
        .code(204)
        .headers({
          'x-request-id': request.id,
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': '*',
          'access-control-allow-methods': methods.join(', '),
          'access-control-allow-headers': allowedHeaders,
          'access-control-max-age': String(preflightSeconds),
        })
        .send()
    }
    if (request.headers.origin !== undefined && hasAccessToken(request) && methodsOf(request).length > 0)
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': exposedHeaders,
      })
  })
}
