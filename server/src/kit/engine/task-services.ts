import * as restate from '@restatedev/restate-sdk'
import { egress } from '../egress/egress.ts'

/** What the engine is given to run: which chunk is next for a tenant, what a chunk does, and a step of a tenant's night. */
export interface TaskWork<Chunk> {
  takeNext(tenantId: string): Promise<Chunk | null>
  /** Safe to run twice. `next`: the chunk after it; null at the end of the task. */
  runChunk(chunk: Chunk): Promise<{ next: Chunk | null; hasEnded: boolean }>
  tenantOf(chunk: Chunk): string
  /** The same for the same chunk of the same attempt: the engine accepts it once. */
  keyOf(chunk: Chunk): string
  /** Safe to run twice; true if there is more. */
  runNight(tenantId: string): Promise<boolean>
}

const options = {
  journalRetention: 0,
  inactivityTimeout: 60_000,
  abortTimeout: 120_000,
  // What these retries leave undone is noticed by its silence, and handed over again.
  retryPolicy: {
    initialInterval: 200,
    exponentiationFactor: 2,
    maxInterval: 10_000,
    maxAttempts: 8,
    onMaxAttempts: 'kill',
  },
} as const

const queueName = 'taskQueue'
const chunksName = 'tasks'
const nightsName = 'nights'

/**
 * Three services. `taskQueue`, one per tenant, only says which chunk comes next: one long task of a tenant runs at a time. `tasks`
 * runs one chunk and sends the one after it, so that an invocation never lives longer than a chunk, and a release never waits
 * for an hour's work; `nights` runs one step of a tenant's night and sends the next. The names and handlers are stored by the engine: workers of two releases must agree on them.
 */
export function taskServices<Chunk>({ takeNext, runChunk, tenantOf, keyOf, runNight }: TaskWork<Chunk>) {
  type Chunks = restate.ServiceDefinition<
    typeof chunksName,
    { chunk(context: restate.Context, chunk: Chunk): Promise<void> }
  >
  type Queue = restate.VirtualObjectDefinition<
    typeof queueName,
    { next(context: restate.ObjectContext): Promise<void> }
  >
  type Nights = restate.ServiceDefinition<
    typeof nightsName,
    { step(context: restate.Context, tenantId: string): Promise<void> }
  >
  const sendChunk = (context: restate.Context, chunk: Chunk) =>
    context
      .serviceSendClient<Chunks>({ name: chunksName })
      .chunk(chunk, restate.rpc.sendOpts({ idempotencyKey: keyOf(chunk) }))
  const askNext = (context: restate.Context, tenantId: string) =>
    context.objectSendClient<Queue>({ name: queueName }, tenantId).next(restate.rpc.sendOpts({}))
  return [
    restate.object({
      name: queueName,
      handlers: {
        next: async (context: restate.ObjectContext): Promise<void> => {
          const chunk = await context.run('take', () => takeNext(context.key))
          if (chunk !== null) sendChunk(context, chunk as Chunk)
        },
      },
      options,
    }),
    restate.service({
      name: chunksName,
      handlers: {
        chunk: async (context: restate.Context, chunk: Chunk): Promise<void> => {
          const { next, hasEnded } = await context.run('chunk', () => runChunk(chunk))
          if (next !== null) sendChunk(context, next as Chunk)
          else if (hasEnded) askNext(context, tenantOf(chunk))
        },
      },
      options: { ...options, idempotencyRetention: 3_600_000 },
    }),
    restate.service({
      name: nightsName,
      handlers: {
        step: async (context: restate.Context, tenantId: string): Promise<void> => {
          const hasMore = await context.run('step', () => runNight(tenantId))
          if (hasMore)
            context.serviceSendClient<Nights>({ name: nightsName }).step(tenantId, restate.rpc.sendOpts({}))
        },
      },
      // The ingress gives every call its own idempotency key and would store it for a day.
      options: { ...options, idempotencyRetention: 0 },
    }),
  ]
}

/** Tells the engine that a tenant has tasks, or that its night has come; and whether the engine is there. */
export function taskEngine(options: { ingressUrl: string; onUnknownService: () => Promise<void> }) {
  const client = egress({ profile: 'operator', baseUrl: options.ingressUrl, connections: 4 })
  const post = async (path: string, body: unknown) => {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    return (await client.request({ method: 'POST', path, headers, body: text, timeoutMs: 5_000 })).status
  }
  const send = async (path: string, body?: unknown): Promise<void> => {
    let status = await post(path, body)
    if (status === 404) {
      // An engine that lost its data has no deployment: register again and repeat.
      await options.onUnknownService()
      status = await post(path, body)
    }
    if (status >= 300) throw new Error(`the engine answered ${status}`)
  }
  return {
    askNext: (tenantId: string) => send(`/${queueName}/${tenantId}/next/send`),
    startNight: (tenantId: string) => send(`/${nightsName}/step/send`, tenantId),
    async isThere(): Promise<boolean> {
      const answer = await client
        .request({ method: 'GET', path: '/restate/health', headers: {}, timeoutMs: 2_000 })
        .catch(() => null)
      return answer?.status === 200
    },
    close: () => client.close(),
  }
}
export type TaskEngine = ReturnType<typeof taskEngine>
