import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { validateQuery } from '../../../kit/http/validate.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { liveLines } from './lines.ts'

/** A reader that takes no data for this long is disconnected. */
const idleMaxMs = 30_000

/**
 * Hints about what changed, as a stream of events that stays open. For people in their session only: it is not an operation, so
 * keys and tokens cannot reach it. Access is checked as for an operation of the console.
 */
export function addLiveRoute(app: FastifyInstance, context: PageContext, metrics: Metrics): void {
  const lines = liveLines({ ...context, metrics })
  app.addHook('preClose', async () => lines.stop())
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    validateQuery(undefined, request.query as Record<string, unknown>)
    const { principal } = request
    if (!principal) throw unavailable()
    lines.requireFree(principal)
    // From here on we write the response ourselves: it stays open, without a time limit.
    reply.hijack()
    request.raw.socket.setTimeout(idleMaxMs)
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Without this header some proxies buffer the events.
      'x-accel-buffering': 'no',
      connection: 'close',
    })
    reply.raw.write(': open\n\n')
    request.admission?.release()
    request.admission = null
    request.openedAt = context.clock.wall()
    lines.open(principal, reply.raw)
  }
  // Answering HEAD would require opening a line.
  app.get('/console/api/v1/live', { exposeHeadRoute: false, config: { door: 'console' } }, open)
}
