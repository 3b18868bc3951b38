import * as restate from '@restatedev/restate-sdk'
import { egress } from '../egress/egress.ts'

/** What the engine is given to run long work: which chunk is next for a tenant, and what a chunk does. */
export interface TaskWork<Chunk> {
  takeNext(tenantId: string): Promise<Chunk | null>
  /** Safe to run twice. `next`: the chunk after it; null at the end of the task. */
  runChunk(chunk: Chunk): Promise<{ next: Chunk | null; hasEnded: boolean }>
  tenantOf(chunk: Chunk): string
  /** The same for the same chunk of the same attempt: the engine accepts it once. */
  keyOf(chunk: Chunk): string
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

/**
 * Two services. `taskQueue`, one per tenant, only says which chunk comes next: one long task of a tenant runs at a time. `tasks`
 * runs one chunk and sends the one after it, so that an invocation never lives longer than a chunk, and a release never waits
 * for an hour's work. The names and handlers are stored by the engine: workers of two releases must agree on them.
 */
export function taskServices<Chunk>({ takeNext, runChunk, tenantOf, keyOf }: TaskWork<Chunk>) {
  type Chunks = restate.ServiceDefinition<
    typeof chunksName,
    { chunk(context: restate.Context, chunk: Chunk): Promise<void> }
  >
  type Queue = restate.VirtualObjectDefinition<
    typeof queueName,
    { next(context: restate.ObjectContext): Promise<void> }
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
  ]
}

/** Tells the engine that a tenant has tasks; and whether the engine is there. */
export function taskEngine(options: { ingressUrl: string; onUnknownService: () => Promise<void> }) {
  const client = egress({ profile: 'operator', baseUrl: options.ingressUrl, connections: 4 })
  const post = async (path: string) =>
    (await client.request({ method: 'POST', path, headers: {}, body: '', timeoutMs: 5_000 })).status
  return {
    async askNext(tenantId: string): Promise<void> {
      const path = `/${queueName}/${tenantId}/next/send`
      let status = await post(path)
      if (status === 404) {
        // An engine that lost its data has no deployment: register again and repeat.
        await options.onUnknownService()
        status = await post(path)
      }
      if (status >= 300) throw new Error(`the engine answered ${status}`)
    },
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
