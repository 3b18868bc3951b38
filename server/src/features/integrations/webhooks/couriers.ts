import type { Dispatcher } from '../../../kit/engine/hand-over.ts'
import { startLeading } from '../../../kit/lead.ts'
import { type Notifier, sendNotices } from '../../../start/mail-loop.ts'
import { armPumps } from './arm-pumps.ts'
import type { Courier } from './courier.ts'
import { fanOut } from './fan-out.ts'
import { type PumpTask, pumpAll } from './pump.ts'
import { tellAgain } from './tell-again.ts'

/** From the outbox to the endpoints that are due, in the one process that leads. */
export function startCouriers(
  courier: Courier,
  notifier: Notifier,
  dispatcher: Dispatcher<PumpTask>,
  pollMs: number,
): { stop(): Promise<void> } {
  let mailing: Promise<unknown> | null = null
  const loop = startLeading({
    pool: courier.pool,
    log: courier.log,
    loop: 'couriers',
    pollMs,
    async pass() {
      const hasMore = [await fanOut(courier), await tellAgain(courier)]
      await armPumps(courier, dispatcher)
      // Nobody's event waits for a mail server that takes its time.
      mailing ??= sendNotices(notifier)
        .catch(error => courier.log.warn({ err: error }, 'notices postponed'))
        .finally(() => {
          mailing = null
        })
      return hasMore.includes(true)
    },
  })
  return {
    async stop() {
      await loop.stop()
      await mailing
    },
  }
}

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
