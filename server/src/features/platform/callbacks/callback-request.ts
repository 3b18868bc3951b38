import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CallbackRequest } from '../../../adapters/callback.ts'
import type { PageContext } from '../../../kit/http/pages.ts'

/** The request in the form in which the adapter verifies it. */
export const callbackRequestOf = (context: PageContext, request: FastifyRequest): CallbackRequest => ({
  method: request.method,
  url: context.publicUrl + request.raw.url,
  code: (request.params as { code?: string }).code ?? null,
  headers: request.headers,
  body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  wall: context.clock.wall(),
})

/** A Fastify scope in which bodies stay raw bytes, because signatures are computed over the raw body. */
export function withRawBodies(
  app: FastifyInstance,
  bodyMaxBytes: (request: FastifyRequest) => number,
  add: (scope: FastifyInstance) => void,
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
      request.server.bodies.read(request, payload, bodyMaxBytes(request)),
    )
    add(scope)
    done()
  })
}
