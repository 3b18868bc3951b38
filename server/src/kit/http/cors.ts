import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HttpContext } from './http-context.ts'
import { matches, segmentsOf } from './route-table.ts'

/** The request headers of a page of another origin. `X-API-Key` is not allowed: a key must not be used in a page. */
const allowedHeaders = 'authorization, content-type, idempotency-key, x-company-id, x-request-id'

/** The response headers that such a page may read. */
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

/** An API key may be sent as a bearer token too, but is not an access token. */
const hasAccessToken = ({ headers }: FastifyRequest) =>
  /^bearer (?! *fk_)/i.test(headers.authorization ?? '') &&
  headers['x-api-key'] === undefined &&
  headers.cookie === undefined

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined

/**
 * Pages of any origin may call the operations with an access token only: no cookie is ever sent or read there, so a foreign page
 * cannot use a person's session. Preflight requests of a known path are answered here, before any limit counts them.
 */
export function addCors(
  app: FastifyInstance,
  { operations, requireHttps, clock }: Pick<HttpContext, 'operations' | 'requireHttps' | 'clock'>,
): void {
  const served = operations.map(({ method, path }) => ({ method, segments: segmentsOf(path) }))
  const methodsOf = ({ url }: FastifyRequest) => {
    const path = segmentsOf(url.split('?', 1)[0]!)
    return [...new Set(served.filter(({ segments }) => matches(segments, path)).map(({ method }) => method))]
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
