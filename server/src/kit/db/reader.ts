import type { Pool } from './pool.ts'
import type { Statement } from './statement.ts'
import {
  type BoundStatement,
  type Entry,
  lendConnection,
  pipelineResults,
  query,
  runStatement,
  type Tx,
  type Value,
} from './transaction.ts'

/** Runs statements in one tenant transaction, pipelined in one round trip; returns the rows of each. */
async function readInOneTransaction(
  pool: Pool,
  entry: Entry,
  calls: readonly BoundStatement[],
): Promise<{ offsetMs: number; rows: unknown[][] }> {
  return lendConnection(pool, async client => {
    const results = await pipelineResults([
      query(client, 'begin'),
      runStatement(client, [entry.statement, entry.values]),
      ...calls.map(call => runStatement(client, call)),
      query(client, 'commit'),
    ])
    return { offsetMs: results[1]!.rows[0].offset_ms, rows: results.slice(2, -1).map(result => result.rows) }
  })
}

interface ReadRequest {
  readonly calls: readonly BoundStatement[]
  resolve(found: { offsetMs: number; rows: unknown[][] }): void
  reject(error: unknown): void
}

interface ReadQueue {
  readonly waiting: ReadRequest[]
  inFlight: number
  willFlush: boolean
}

const queuesByPool = new WeakMap<Pool, Map<string, ReadQueue>>()
const batchMax = 16

/** Sends batches while requests are waiting and this client holds less than a quarter of the connections. */
function flush(pool: Pool, queues: Map<string, ReadQueue>, client: string, entry: Entry): void {
  const queue = queues.get(client)
  if (!queue) return
  queue.willFlush = false
  while (queue.waiting.length > 0 && queue.inFlight < Math.ceil(pool.options.max / 4)) {
    queue.inFlight++
    void runBatch(pool, entry, queue.waiting.splice(0, batchMax)).finally(() => {
      queue.inFlight--
      if (queue.waiting.length > 0) flush(pool, queues, client, entry)
      else if (queue.inFlight === 0) queues.delete(client)
    })
  }
}

async function runBatch(pool: Pool, entry: Entry, requests: readonly ReadRequest[]): Promise<void> {
  try {
    const calls = requests.flatMap(request => request.calls)
    const { offsetMs, rows } = await readInOneTransaction(pool, entry, calls)
    for (const request of requests) request.resolve({ offsetMs, rows: rows.splice(0, request.calls.length) })
  } catch (error) {
    // A failing request fails its whole transaction, so each request of the batch is then run by itself.
    if (requests.length === 1) requests[0]!.reject(error)
    else for (const request of requests) await runBatch(pool, entry, [request])
  }
}

export interface Reader extends Tx {
  /** Asks for the clock offset of the tenant, unless a read has brought it already. */
  offsetMs(): Promise<number>
  /** The clock offset that the first read brought; null before. */
  readonly knownOffsetMs: number | null
}

/**
 * A Tx for reading outside a transaction. READ COMMITTED promises nothing across statements, so reads may share a transaction:
 * reads of one client that are asked for in the same turn of the event loop, or while its earlier reads are running, are sent as one
 * batch (begin, enter, read, read, …, commit), pipelined. Without a client key nothing is batched.
 */
export function reader(pool: Pool, entry: Entry, client?: string): Reader {
  let knownOffsetMs: number | null = null
  const enqueue = (calls: readonly BoundStatement[]): ReturnType<typeof readInOneTransaction> => {
    if (client === undefined) return readInOneTransaction(pool, entry, calls)
    return new Promise((resolve, reject) => {
      const queues = queuesByPool.get(pool) ?? new Map<string, ReadQueue>()
      queuesByPool.set(pool, queues)
      const queue = queues.get(client) ?? { waiting: [], inFlight: 0, willFlush: false }
      queues.set(client, queue)
      queue.waiting.push({ calls, resolve, reject })
      if (queue.willFlush) return
      queue.willFlush = true
      process.nextTick(flush, pool, queues, client, entry)
    })
  }
  const read = async (calls: readonly BoundStatement[]) => {
    const found = await enqueue(calls)
    knownOffsetMs ??= found.offsetMs
    return found.rows
  }
  return {
    rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) =>
      (await read([[statement, values]]))[0] as Row[],
    atCommit: () => {
      throw new Error('atCommit cannot be used in a read-only operation')
    },
    offsetMs: async () => {
      if (knownOffsetMs === null) await read([])
      return knownOffsetMs!
    },
    get knownOffsetMs() {
      return knownOffsetMs
    },
  }
}
