import type { FastifyInstance } from 'fastify'
import { type Clock, iso } from '../clock.ts'

/** Health checks for load balancers and operators: without the envelope, without limits. */
export function addHealthRoutes(
  app: FastifyInstance,
  { version, clock, isReady }: { version: string; clock: Clock; isReady: () => Promise<void> },
): void {
  const config = { open: true } as const
  // Health checks are public and not limited, so concurrent checks share one query.
  let running: Promise<void> | null = null
  const checkOnce = () => {
    running ??= isReady().finally(() => {
      running = null
    })
    return running
  }
  app.get('/health', { config }, async (_request, reply) =>
    reply.send({ status: 'ok', version, timestamp: iso(clock.wall()) }),
  )
  app.get('/health/ready', { config }, async (_request, reply) => {
    try {
      await checkOnce()
      return reply.send({ status: 'ok', version, timestamp: iso(clock.wall()) })
    } catch {
      return reply
        .code(503)
        .header('retry-after', '2')
        .send({
          status: 'unavailable',
          version,
          timestamp: iso(clock.wall()),
          reason: 'the database does not answer',
        })
    }
  })
}
