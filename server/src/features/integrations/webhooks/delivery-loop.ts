import { isDatabaseFault } from '../../../kit/db/transaction.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { defectMessages } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import { announceEndedWebhooks } from './announce-ended-webhooks.ts'
import { deliverEndpoint } from './deliver-endpoint.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { fanOut } from './fan-out.ts'
import { replayEvents } from './replay-events.ts'
import { placesOf, type TakenEndpoint, takeDueEndpoints } from './take-due-endpoints.ts'

/** Runs in one worker: queues events for the endpoints, replays missed ones, announces ended webhooks. */
export const startFanOutLoop = (
  context: DeliveryContext,
  heartbeat: Leadership,
  pollMs: number,
): { stop(): Promise<void> } =>
  startLeaderLoop({
    heartbeat,
    log: context.log,
    loop: 'deliveries',
    pollMs,
    async pass() {
      const hasMore = [
        await fanOut(context),
        await replayEvents(context),
        await announceEndedWebhooks(context),
      ]
      return hasMore.includes(true)
    },
  })

/**
 * Delivers to one endpoint that this worker has taken. If that fails, any worker can take it again after its lease. An
 * unavailable database or a fault of ours uses up no attempt of the event.
 */
export async function deliverTaken(context: DeliveryContext, taken: TakenEndpoint): Promise<void> {
  try {
    await deliverEndpoint(context, taken)
  } catch (error) {
    if (isDatabaseFault(error)) context.log.warn({ ...taken, err: error }, 'endpoint delivery postponed')
    else context.log.error({ ...taken, err: error }, defectMessages.delivery)
  }
}

/** Runs in every worker: takes due endpoints, as many as it has free places, and delivers to them. Slow ones block no others. */
export function startDelivering(context: DeliveryContext, pollMs: number): { stop(): Promise<void> } {
  const free = { ...placesOf } as { healthy: number; failing: number }
  const running = new Set<Promise<void>>()
  const start = (taken: TakenEndpoint) => {
    free[taken.kind]--
    const work = deliverTaken(context, taken).finally(() => {
      free[taken.kind]++
      running.delete(work)
    })
    running.add(work)
  }
  const loop = startPollLoop({
    pollMs,
    log: context.log,
    failure: 'no endpoint could be taken; it is retried',
    async pass() {
      for (const taken of await takeDueEndpoints(context, free)) start(taken)
      return false
    },
  })
  return {
    async stop() {
      await loop.stop()
      await Promise.all(running)
    },
  }
}
