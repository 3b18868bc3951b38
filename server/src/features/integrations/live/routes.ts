import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { validateQuery } from '../../../kit/http/validate.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { liveLines } from './lines.ts'

/** A reader that takes nothing for so long is disconnected. */
const idleMaxMs = 30_000

/**
 * Hints about what changed, as a stream of events that stays open. For people in their session only: it is no operation, so no key
 * and no token reaches it. Who may come in is judged like for an operation at the same door.
 */
export function addLiveRoute(app: FastifyInstance, context: PageContext, metrics: Metrics): void {
  const lines = liveLines({ ...context, metrics })
  app.addHook('preClose', async () => lines.stop())
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    validateQuery(undefined, request.query as Record<string, unknown>)
    const { principal } = request
    if (!principal) throw unavailable()
    lines.requireFree(principal)
    // From here on the answer is ours: it has no end of its own, and no time within which it must be given.
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
  // To answer HEAD a line would have to be opened.
  app.get('/console/api/v1/live', { exposeHeadRoute: false, config: { door: 'console' } }, open)
}
