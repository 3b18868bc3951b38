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

/** Runs statements in one tenant transaction with one snapshot, pipelined in one round trip; returns the rows of each. */
async function readInOneTransaction(
  pool: Pool,
  entry: Entry,
  calls: readonly BoundStatement[],
): Promise<{ offsetMs: number; rows: unknown[][] }> {
  return lendConnection(pool, async client => {
    const results = await pipelineResults([
      query(client, 'begin isolation level repeatable read'),
      runStatement(client, [entry.statement, entry.values]),
      ...calls.map(call => runStatement(client, call)),
      query(client, 'commit'),
    ])
    return { offsetMs: results[1]!.rows[0].offset_ms, rows: results.slice(2, -1).map(result => result.rows) }
  })
}

interface Found {
  offsetMs: number
  rows: unknown[]
}

/** Without a call it asks for the clock offset only. */
interface Read {
  readonly call: BoundStatement | null
  resolve(found: Found): void
  reject(error: unknown): void
}

/** The reads of one request that were asked for together. They are sent in one transaction. */
interface ReadGroup {
  readonly reads: Read[]
  isSent: boolean
}

interface ReadQueue {
  readonly waiting: ReadGroup[]
  inFlight: number
  willFlush: boolean
}

type QueueKey = string | symbol
const queuesByPool = new WeakMap<Pool, Map<QueueKey, ReadQueue>>()
const batchMax = 16

/** Sends batches while requests are waiting and this client holds less than a quarter of the connections. */
function flush(pool: Pool, queues: Map<QueueKey, ReadQueue>, client: QueueKey, entry: Entry): void {
  const queue = queues.get(client)
  if (!queue) return
  queue.willFlush = false
  while (queue.waiting.length > 0 && queue.inFlight < Math.ceil(pool.options.max / 4)) {
    queue.inFlight++
    const groups = queue.waiting.splice(0, batchMax)
    for (const group of groups) group.isSent = true
    void runBatch(
      pool,
      entry,
      groups.map(({ reads }) => reads),
    ).finally(() => {
      queue.inFlight--
      if (queue.waiting.length > 0) flush(pool, queues, client, entry)
      else if (queue.inFlight === 0) queues.delete(client)
    })
  }
}

async function runBatch(pool: Pool, entry: Entry, groups: readonly (readonly Read[])[]): Promise<void> {
  const reads = groups.flat()
  try {
    const calls = reads.flatMap(({ call }) => (call ? [call] : []))
    const { offsetMs, rows } = await readInOneTransaction(pool, entry, calls)
    for (const { call, resolve } of reads) resolve({ offsetMs, rows: call ? rows.shift()! : [] })
  } catch (error) {
    // A failing read fails its whole transaction, so each group, and then each read, is run by itself.
    const parts = groups.length > 1 ? groups : reads.map(read => [read])
    if (reads.length === 1) reads[0]!.reject(error)
    else for (const part of parts) await runBatch(pool, entry, [part])
  }
}

export interface Reader extends Tx {
  /** Asks for the clock offset of the tenant, unless a read has brought it already. */
  offsetMs(): Promise<number>
  /** The clock offset that the first read brought; null before. */
  readonly knownOffsetMs: number | null
}

/**
 * A Tx for reading outside a transaction. Reads that are asked for in the same turn of the event loop, as with `Promise.all`,
 * see one snapshot: what another transaction commits in between is in all of them or in none. Reads of one client, of the same
 * turn or while its earlier reads are running, are sent as one batch (begin, enter, read, read, …, commit), pipelined. Without a
 * client key only the reads of this reader share a batch.
 */
export function reader(pool: Pool, entry: Entry, client: QueueKey = Symbol('reader')): Reader {
  let knownOffsetMs: number | null = null
  let group: ReadGroup = { reads: [], isSent: true }
  const enqueue = (call: BoundStatement | null): Promise<Found> =>
    new Promise((resolve, reject) => {
      const read = { call, resolve, reject }
      if (!group.isSent) {
        group.reads.push(read)
        return
      }
      group = { reads: [read], isSent: false }
      const queues = queuesByPool.get(pool) ?? new Map<QueueKey, ReadQueue>()
      queuesByPool.set(pool, queues)
      const queue = queues.get(client) ?? { waiting: [], inFlight: 0, willFlush: false }
      queues.set(client, queue)
      queue.waiting.push(group)
      if (queue.willFlush) return
      queue.willFlush = true
      process.nextTick(flush, pool, queues, client, entry)
    })
  const read = async (call: BoundStatement | null) => {
    const found = await enqueue(call)
    knownOffsetMs ??= found.offsetMs
    return found.rows
  }
  return {
    rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) =>
      (await read([statement, values])) as Row[],
    atCommit: () => {
      throw new Error('atCommit cannot be used in a read-only operation')
    },
    offsetMs: async () => {
      if (knownOffsetMs === null) await read(null)
      return knownOffsetMs!
    },
    get knownOffsetMs() {
      return knownOffsetMs
    },
  }
}
