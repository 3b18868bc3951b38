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

export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.role,
    max: options.max,
    min: 1,
    // Statements are pipelined: several are sent without waiting for the results of the earlier ones.
    pipeline: true,
    types,
    query_timeout: options.statementTimeoutMs + 3_000,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    options: [
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
  pool.on('connect', client => client.on('error', lost))
  pool.on('error', lost)
  return pool
}
