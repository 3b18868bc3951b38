import type pg from 'pg'
import { connectedAt, type Pool } from './pool.ts'
import { type Statement, sql } from './statement.ts'

export type Value =
  | string
  | number
  | boolean
  | null
  | Buffer
  | readonly string[]
  | readonly number[]
  | readonly Buffer[]
export type BoundStatement<Row = unknown> = readonly [statement: Statement<Row>, values: readonly Value[]]

/** The rows of several calls, each in its place. */
export type RowsOf<Calls extends readonly BoundStatement[]> = {
  [Place in keyof Calls]: Calls[Place] extends BoundStatement<infer Row> ? Row[] : never
}

/** The database access of an operation: it can run statements. It cannot open, close or leave its transaction. */
export interface Tx {
  rows<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row[]>
  /**
   * Sent together with COMMIT, in the order of the calls, without an additional round trip; its rows are available after the
   * commit. Values given as a function are evaluated only then, so that they include everything that changed in between.
   */
  atCommit<Row>(
    statement: Statement<Row>,
    values: readonly Value[] | (() => readonly Value[]),
    onRows?: (rows: Row[]) => void,
  ): void
}

/** How a transaction enters its tenant; the statement returns one row with the tenant's clock offset. */
export interface Entry {
  readonly statement: Statement<{ offset_ms: number }>
  readonly values: readonly Value[]
}

const enterTenant = sql('tenants.enter', 'select enter_tenant($1) as offset_ms').as<{ offset_ms: number }>()

export const asWorker = (tenantId: string): Entry => ({ statement: enterTenant, values: [tenantId] })

/** Returned by `work` to roll the transaction back and return the value. */
export class Rollback<T> {
  readonly value: T
  constructor(value: T) {
    this.value = value
  }
}

// Statements of one event-loop turn are sent in one write: one packet each would cost a system call here and a wake-up on the server.
export function query(client: pg.PoolClient, config: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = client.connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(config)
}

export const runStatement = (client: pg.PoolClient, [statement, values]: BoundStatement) =>
  query(client, { name: statement.name, text: statement.text, values: values as unknown[] })

// In a pipeline the first failure makes the later statements fail with "transaction is aborted", so the first error is thrown.
export async function pipelineResults(results: Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const settled = await Promise.allSettled(results)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map(result => (result as PromiseFulfilledResult<pg.QueryResult>).value)
}

export interface OpenTransaction<Calls extends readonly BoundStatement[] = readonly BoundStatement[]> {
  tx: Tx
  offsetMs: number
  /** The rows of the statements that were sent with the opening of the transaction. */
  openingRows: RowsOf<Calls>
  /** Runs the statements that wait for the commit now, so that the transaction itself sees their changes. */
  flush(): Promise<void>
  savepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
}

/** Makes the values of one call from those of several. */
export type Join = (calls: readonly (readonly Value[])[]) => readonly Value[]

/** For a statement whose only parameter is a JSON array of rows. */
export const joinRows: Join = calls => [
  JSON.stringify(calls.flatMap(([rows]) => JSON.parse(rows as string) as unknown[])),
]

const inserts = new Map<Statement<unknown>, Join>()

/** Declares an insert whose calls for one commit are sent as one, in the place of the first. Nobody reads its rows. */
export const insertTogether = (statement: Statement<unknown>, join = joinRows): void =>
  void inserts.set(statement, join)
export const insertJoinOf = (statement: Statement<unknown>): Join | undefined => inserts.get(statement)

interface CommitCall {
  statement: Statement<unknown>
  values(): readonly Value[]
  onRows: ((rows: never[]) => void) | undefined
}

/** Calls for a commit, with those of an insert as one. */
function joinInserts(calls: readonly CommitCall[]): CommitCall[] {
  const byStatement = Map.groupBy(calls, ({ statement }) => statement)
  return calls.flatMap(call => {
    const join = insertJoinOf(call.statement)
    const same = byStatement.get(call.statement)!
    if (!join || same.length === 1) return [call]
    return same[0] === call ? [{ ...call, values: () => join(same.map(({ values }) => values())) }] : []
  })
}

/**
 * One writing transaction: `begin`, the entry and `opening` pipelined; then `work`; then the `atCommit` statements and COMMIT,
 * pipelined. After a serialization failure or a deadlock it is retried, three attempts in all.
 */
export async function transact<T, const Calls extends readonly BoundStatement[]>(
  pool: Pool,
  entry: Entry,
  opening: Calls,
  work: (opened: OpenTransaction<Calls>) => Promise<T | Rollback<T>>,
): Promise<T> {
  return withConnection(pool, async client => {
    const results = await pipelineResults([
      query(client, 'begin'),
      runStatement(client, [entry.statement, entry.values]),
      ...opening.map(call => runStatement(client, call)),
    ])
    const commitCalls: CommitCall[] = []
    /** Sends the calls, `last` after them. */
    const send = async (last: () => Promise<pg.QueryResult>[]) => {
      const calls = joinInserts(commitCalls.splice(0))
      const results = await pipelineResults([
        ...calls.map(({ statement, values }) => runStatement(client, [statement, values()])),
        ...last(),
      ])
      return { calls, results }
    }
    // When pipelined statements fail, the first error is the cause; the others only report that the transaction is aborted.
    let firstError: unknown
    const result = await work({
      tx: {
        rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) => {
          try {
            return (await runStatement(client, [statement, values])).rows as Row[]
          } catch (error) {
            firstError ??= error
            throw codeOf(error) === transactionAborted ? firstError : error
          }
        },
        atCommit: (statement, values, onRows) =>
          void commitCalls.push({
            statement,
            values: typeof values === 'function' ? values : () => values,
            onRows,
          }),
      },
      offsetMs: results[1]!.rows[0].offset_ms,
      openingRows: results.slice(2).map(result => result.rows) as RowsOf<Calls>,
      flush: async () => {
        const { calls, results } = await send(() => [])
        for (const [i, { onRows }] of calls.entries()) onRows?.(results[i]!.rows as never[])
      },
      savepoint: async () => void (await client.query('savepoint operation')),
      rollbackToSavepoint: async () => {
        commitCalls.length = 0
        firstError = undefined
        await client.query('rollback to savepoint operation')
      },
    })
    if (result instanceof Rollback) {
      await client.query('rollback')
      return result.value
    }
    const { calls, results: committed } = await send(() => [query(client, 'commit')])
    assertCommitted(committed.at(-1)!)
    for (const [i, { onRows }] of calls.entries()) onRows?.(committed[i]!.rows as never[])
    return result
  })
}

/** COMMIT of an aborted transaction succeeds with the command tag ROLLBACK, so it is checked. */
export function assertCommitted({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
}

const readOnly = '25006'

/** When a pool last met a read-only server: older connections may lead to the same one, and are not used again. */
const failedOverAt = new WeakMap<Pool, number>()

async function connectToPrimary(pool: Pool): Promise<pg.PoolClient> {
  for (;;) {
    const client = await pool.connect()
    const failedAt = failedOverAt.get(pool) ?? 0
    if ((connectedAt.get(client) ?? failedAt) >= failedAt) return client
    client.release(true)
  }
}

/**
 * Lends a connection of the pool to `work`. After a fault of the database the connection is closed, even if `work` handled the
 * error: after a failover, for example, it would stay with the old server and refuse every write. `close` does the same.
 */
export async function lendConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient, close: (because: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await connectToPrimary(pool)
  let broken: Error | undefined
  const noteFault = (error: unknown) => {
    if (isDatabaseFault(error)) broken ??= error
    if (codeOf(error) === readOnly) failedOverAt.set(pool, performance.now())
  }
  client.connection.on('errorMessage', noteFault)
  try {
    return await work(client, because => {
      broken ??= because
    })
  } catch (error) {
    noteFault(error)
    // After it the client only says that its connection is closed.
    throw hasEndedTransaction(broken) ? broken : error
  } finally {
    client.connection.off('errorMessage', noteFault)
    client.release(broken)
  }
}

/**
 * Runs `work` on one connection. If it throws, the transaction is rolled back. After a serialization failure or a deadlock it
 * is retried, three attempts in all, so `work` may run more than once.
 */
export async function withConnection<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await lendConnection(pool, (client, close) =>
        work(client).catch(async error => {
          if (!isDatabaseFault(error)) await client.query('rollback').catch(close)
          throw error
        }),
      )
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error
    }
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const transactionAborted = '25P02'

const isRetryable = (error: unknown) => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** Another transaction held the lock for too long, or there was a deadlock: the request may be repeated. */
export const isLockConflict = (error: unknown): boolean => codeOf(error) === '55P03' || isRetryable(error)

const networkFaults = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/**
 * SQLSTATEs that are not a fault of the statement: the connection was lost (08), the server is read-only after a failover
 * (25006), it ended an idle or long transaction (25P03, 25P04), it lacks disk, memory or connections (53), it stops or starts
 * (57P), or its disk fails (58030).
 */
const faultStates = /^(08|53|57P)|^(25006|25P03|25P04|58030)$/

/** It ended a transaction that took too long, or in which nothing happened for too long. */
export const hasEndedTransaction = (error: unknown): boolean => /^25P0[34]$/.test(codeOf(error))

/** The database is away, unable to work, or silent: the statement is not at fault, and its connection must not be reused. */
export function isDatabaseFault(error: unknown): error is Error {
  const code = codeOf(error)
  if (networkFaults.has(code) || (code.length === 5 && faultStates.test(code))) return true
  const message = error instanceof Error ? error.message : ''
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    message,
  )
}

/** The database is away, or another transaction holds a lock: the work may be repeated. */
export const isTransient = (error: unknown): boolean => isDatabaseFault(error) || isLockConflict(error)

export const sqlState = codeOf
