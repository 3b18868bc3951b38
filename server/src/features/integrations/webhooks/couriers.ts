import type { Dispatcher } from '../../../kit/engine/hand-over.ts'
import { startLeading } from '../../../kit/lead.ts'
import { armPumps } from './arm-pumps.ts'
import type { Courier } from './courier.ts'
import { fanOut } from './fan-out.ts'
import { type PumpTask, pumpAll } from './pump.ts'
import { tellAgain } from './tell-again.ts'

/** From the outbox to the endpoints that are due, in the one process that leads. */
export const startCouriers = (
  courier: Courier,
  dispatcher: Dispatcher<PumpTask>,
  pollMs: number,
): { stop(): Promise<void> } =>
  startLeading({
    pool: courier.pool,
    log: courier.log,
    loop: 'couriers',
    pollMs,
    async pass() {
      const hasMore = [await fanOut(courier), await tellAgain(courier)]
      await armPumps(courier, dispatcher)
      return hasMore.includes(true)
    },
  })

/** Without an engine the leader does the work itself, and goes on handing out while receivers take their time. */
export function couriersInProcess(courier: Courier): Dispatcher<PumpTask> & { close(): Promise<void> } {
  const underWay = new Set<Promise<void>>()
  return {
    name: 'in-process',
    async hand(tasks) {
      for (const task of tasks) {
        const work = pumpAll(courier, [task])
          .catch(error => courier.log.warn({ err: error }, 'endpoint postponed'))
          .finally(() => underWay.delete(work))
        underWay.add(work)
      }
    },
    async close() {
      await Promise.all(underWay)
    },
  }
}
