import * as restate from '@restatedev/restate-sdk'
import { egress } from '../../kit/egress.ts'
import type { Dispatcher } from './armer.ts'
import { driveBatch, type Gates, type Task } from './drive.ts'
import type { Worker } from './worker.ts'

const perInvocation = 25

/**
 * The engine carries batches to whichever worker is alive. Nothing in here is journaled: every task is safe to repeat, so a
 * batch that was interrupted is simply run again. Retries are short and end; what they leave, the armer finds late.
 */
export const agendaService = (worker: Worker, gates: Gates) =>
  restate.service({
    name: 'agenda',
    handlers: {
      drive: async (_context: restate.Context, tasks: Task[]) => driveBatch(worker, gates, tasks),
    },
    options: {
      journalRetention: 0,
      // The ingress gives every call a key of its own and would remember it for a day.
      idempotencyRetention: 0,
      inactivityTimeout: 60_000,
      abortTimeout: 60_000,
      retryPolicy: {
        initialInterval: 100,
        exponentiationFactor: 2,
        maxInterval: 10_000,
        maxAttempts: 10,
        onMaxAttempts: 'kill',
      },
    },
  })

/** Hands batches to the engine's ingress and returns once it has written them down. */
export function viaEngine(
  ingressUrl: string,
  onUnknownService: () => Promise<void>,
): Dispatcher & { close(): Promise<void> } {
  const client = egress({ profile: 'operator', baseUrl: ingressUrl, connections: 20 })
  const post = async (tasks: readonly Task[]) =>
    (
      await client.request({
        method: 'POST',
        path: '/agenda/drive/send',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(tasks),
        timeoutMs: 10_000,
      })
    ).status
  return {
    name: 'engine',
    async hand(tasks) {
      const batches: Task[][] = []
      for (let i = 0; i < tasks.length; i += perInvocation) batches.push(tasks.slice(i, i + perInvocation))
      let statuses = await Promise.all(batches.map(post))
      if (statuses.includes(404)) {
        // An engine that lost its data knows no deployment any more.
        await onUnknownService()
        statuses = await Promise.all(batches.map(post))
      }
      const refused = statuses.find(status => status >= 300)
      if (refused !== undefined) throw new Error(`the engine answered ${refused}`)
    },
    close: () => client.close(),
  }
}
