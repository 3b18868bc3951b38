import * as restate from '@restatedev/restate-sdk'
import { egress } from '../egress/egress.ts'

/** Dispatches tasks to workers. It returns when they are safely accepted, which gives back-pressure. */
export interface Dispatcher<Task> {
  readonly name: string
  dispatch(tasks: readonly Task[]): Promise<void>
}

/**
 * The engine calls a running worker with a batch of tasks. Nothing is journaled: every task is safe to repeat, so an
 * interrupted batch is run again. Retries are few and short; tasks they leave undone are found late by the loop that
 * dispatched them.
 */
export const batchService = <Task>(name: string, processTasks: (tasks: Task[]) => Promise<void>) =>
  restate.service({
    name,
    // `drive` is the name on the wire: workers of two releases must agree on it.
    handlers: { drive: async (_context: restate.Context, tasks: Task[]) => processTasks(tasks) },
    options: {
      journalRetention: 0,
      // The ingress gives every call its own idempotency key and would store it for a day.
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

/** Sends batches to a service at the engine's ingress and returns once the engine has stored them. */
export function engineDispatcher<Task>(options: {
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
    async dispatch(tasks) {
      const batches: Task[][] = []
      for (let i = 0; i < tasks.length; i += perInvocation) batches.push(tasks.slice(i, i + perInvocation))
      let statuses = await Promise.all(batches.map(post))
      if (statuses.includes(404)) {
        // An engine that lost its data has no deployment: register again and repeat.
        await options.onUnknownService()
        statuses = await Promise.all(batches.map(post))
      }
      const refused = statuses.find(status => status >= 300)
      if (refused !== undefined) throw new Error(`the engine answered ${refused}`)
    },
    close: () => client.close(),
  }
}
