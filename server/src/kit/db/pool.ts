import type { Socket } from 'node:net'
import pg from 'pg'

// Timestamps are read as epoch milliseconds, days as text, cents and counters as safe integers.
const parsers: Record<number, (text: string) => unknown> = {
  20: text => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new RangeError('the database returned an int8 above 2^53')
    return value
  },
  1082: text => text,
  1184: text => {
    const value = Date.parse(text)
    if (Number.isNaN(value))
      throw new RangeError('the database returned a timestamp that is not a point in time')
    return value
  },
}

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface PoolOptions {
  url: string
  role: string
  max: number
  statementTimeoutMs: number
  onConnectionLost?: (error: Error) => void
}

export type Pool = pg.Pool

/** By the clock of `performance`. */
export const connectedAt = new WeakMap<pg.PoolClient, number>()

/**
 * A host that vanishes closes no connection. With these settings each side notices it within half a minute: the first probe
 * after 10 s of silence, and the end when 15 s (PostgreSQL) or 10 s (Node) of probes have no answer.
 */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
export const keepAliveOptions = [
  '-c tcp_keepalives_idle=10',
  '-c tcp_keepalives_interval=5',
  '-c tcp_keepalives_count=3',
  '-c tcp_user_timeout=25000',
]

/**
 * Closes a connection that has running statements and transfers no data. Its timer starts again with every byte: PostgreSQL
 * limits each statement by itself, so a pipeline may take the time of all its statements.
 */
function closeWhenSilent(client: pg.PoolClient, silenceMs: number): void {
  const stream = client.connection.stream as Socket
  stream.setTimeout(silenceMs, () => {
    const { readyForQuery } = client as unknown as { readyForQuery: boolean }
    if (readyForQuery) return
    const error = new Error(`the database gave no answer for ${silenceMs} ms`)
    stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
  })
}

export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.role,
    max: options.max,
    min: 1,
    // Statements are pipelined: several are sent without waiting for the results of the earlier ones.
    pipeline: true,
    types,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    ...keepAlive,
    options: [
      ...keepAliveOptions,
      `-c statement_timeout=${options.statementTimeoutMs}`,
      '-c lock_timeout=1000',
      '-c idle_in_transaction_session_timeout=5000',
      '-c timezone=UTC',
      // Our statements are small look-ups: JIT compilation would take longer than running them.
      '-c jit=off',
    ].join(' '),
  })
  const lost = options.onConnectionLost ?? (() => {})
  // A client that is checked out when Postgres dies emits `error` on itself, not on the pool; without a listener that ends the process.
  pool.on('connect', client => {
    connectedAt.set(client, performance.now())
    client.on('error', lost)
    closeWhenSilent(client, options.statementTimeoutMs + 3_000)
  })
  pool.on('error', lost)
  return pool
}
