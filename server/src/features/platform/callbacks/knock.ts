import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Knock } from '../../../adapters/callback.ts'
import type { Site } from '../../../kit/http/site.ts'

/** A request as its adapter judges it. */
export const knockOf = (site: Site, request: FastifyRequest): Knock => ({
  method: request.method,
  url: site.publicUrl + request.raw.url,
  code: (request.params as { code?: string }).code ?? null,
  headers: request.headers,
  body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  wall: site.clock.wall(),
})

/** A room where bodies stay the bytes they came as: what is signed is the body, not what somebody made of it. */
export function withRawBodies(
  app: FastifyInstance,
  bodyLimit: number,
  add: (scope: FastifyInstance) => void,
): void {
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit },
      async (_: unknown, body: unknown) => body,
    )
    add(scope)
    done()
  })
}
