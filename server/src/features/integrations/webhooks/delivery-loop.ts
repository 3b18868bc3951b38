import type { Dispatcher } from '../../../kit/engine/dispatcher.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { announceEndedWebhooks } from './announce-ended-webhooks.ts'
import { type DeliveryTask, deliverEndpoints } from './deliver-endpoint.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { dispatchDueEndpoints } from './dispatch-due-endpoints.ts'
import { fanOut } from './fan-out.ts'
import { replayEvents } from './replay-events.ts'

/** The delivery loop of the leader: fans out the outbox, replays missed events, dispatches due endpoints, announces ended webhooks. */
export const startDeliveryLoop = (
  context: DeliveryContext,
  heartbeat: Leadership,
  dispatcher: Dispatcher<DeliveryTask>,
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
      await dispatchDueEndpoints(context, dispatcher)
      return hasMore.includes(true)
    },
  })

/** Without an engine the leader delivers itself; it does not wait for slow receivers before it dispatches more. */
export function inProcessDelivery(
  context: DeliveryContext,
): Dispatcher<DeliveryTask> & { close(): Promise<void> } {
  const underWay = new Set<Promise<void>>()
  return {
    name: 'pull',
    async dispatch(tasks) {
      for (const task of tasks) {
        const work = deliverEndpoints(context, [task])
          .catch(error => context.log.warn({ err: error }, 'endpoint delivery postponed'))
          .finally(() => underWay.delete(work))
        underWay.add(work)
      }
    },
    async close() {
      await Promise.all(underWay)
    },
  }
}
