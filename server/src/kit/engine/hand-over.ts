import * as restate from '@restatedev/restate-sdk'
import { egress } from '../egress/egress.ts'

/** Carries tasks to where they are done. Returns when they are safely handed over: that is the back-pressure. */
export interface Dispatcher<Task> {
  readonly name: string
  hand(tasks: readonly Task[]): Promise<void>
}

/**
 * The engine carries batches to whichever worker is alive. Nothing in here is journaled: every task is safe to repeat, so a
 * batch that was interrupted is simply run again. Retries are short and end; what they leave, the loop that handed it over
 * finds late.
 */
export const batchService = <Task>(name: string, drive: (tasks: Task[]) => Promise<void>) =>
  restate.service({
    name,
    handlers: { drive: async (_context: restate.Context, tasks: Task[]) => drive(tasks) },
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

/** Hands batches to a service at the engine's ingress and returns once it has written them down. */
export function viaEngine<Task>(options: {
  ingressUrl: string
  service: string
  perInvocation: number
  onUnknownService: () => Promise<void>
}): Dispatcher<Task> & { close(): Promise<void> } {
  const { service, perInvocation } = options
  const client = egress({ profile: 'operator', baseUrl: options.ingressUrl, connections: 20 })
  const post = async (tasks: readonly Task[]) =>
    (
      await client.request({
        method: 'POST',
        path: `/${service}/drive/send`,
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
        await options.onUnknownService()
        statuses = await Promise.all(batches.map(post))
      }
      const refused = statuses.find(status => status >= 300)
      if (refused !== undefined) throw new Error(`the engine answered ${refused}`)
    },
    close: () => client.close(),
  }
}
