import type pg from 'pg'
import type { Pool } from './pool.ts'
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
export type Call<Row = unknown> = readonly [statement: Statement<Row>, values: readonly Value[]]

/** The rows of several calls, each in its place. */
export type RowsOf<Calls extends readonly Call[]> = {
  [Place in keyof Calls]: Calls[Place] extends Call<infer Row> ? Row[] : never
}

/** What an operation may do with the database: ask. It cannot open, close or escape its transaction. */
export interface Tx {
  rows<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row[]>
  /**
   * Sent together with COMMIT, in the order given: no round trip of its own; what it found is shown after it. Values given as
   * a function are asked for only then, so that they hold everything that changed in between.
   */
  atCommit<Row>(
    statement: Statement<Row>,
    values: readonly Value[] | (() => readonly Value[]),
    seen?: (rows: Row[]) => void,
  ): void
}

/** How a transaction enters its tenant; the statement returns one row with the tenant's clock offset. */
export interface Entry {
  readonly statement: Statement<{ offset_ms: number }>
  readonly values: readonly Value[]
}

const enterTenant = sql('tenants.enter', 'select enter_tenant($1) as offset_ms').as<{ offset_ms: number }>()

export const asWorker = (tenantId: string): Entry => ({ statement: enterTenant, values: [tenantId] })

/** An answer that must be undone and given at once: the transaction is rolled back, the value returned. */
export class Undo<T> {
  readonly value: T
  constructor(value: T) {
    this.value = value
  }
}

// What is asked in one turn leaves in one write: a packet each would cost a system call here and wake the server there.
export function ask(client: pg.PoolClient, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = client.connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(query)
}

export const run = (client: pg.PoolClient, [statement, values]: Call) =>
  ask(client, { name: statement.name, text: statement.text, values: values as unknown[] })

// In a pipeline the first failure makes the rest fail with "transaction is aborted": the first one is the reason.
export async function flight(results: Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const settled = await Promise.allSettled(results)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map(result => (result as PromiseFulfilledResult<pg.QueryResult>).value)
}

export interface Opened<Calls extends readonly Call[] = readonly Call[]> {
  tx: Tx
  offsetMs: number
  /** The rows of the statements that travelled with the opening. */
  first: RowsOf<Calls>
  savepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
}

/**
 * One writing transaction: `begin`, the entry and `first` in one flight; then `work`; then what was left for the commit,
 * and COMMIT, in one flight. Serialization failures and deadlocks get three attempts.
 */
export async function transact<T, const Calls extends readonly Call[]>(
  pool: Pool,
  entry: Entry,
  first: Calls,
  work: (opened: Opened<Calls>) => Promise<T | Undo<T>>,
): Promise<T> {
  return onOneConnection(pool, async client => {
    const results = await flight([
      ask(client, 'begin'),
      run(client, [entry.statement, entry.values]),
      ...first.map(call => run(client, call)),
    ])
    const last: { call: () => Call; seen: ((rows: never[]) => void) | undefined }[] = []
    // Of questions asked together the first failure fails the rest: whichever is heard first, that one is told.
    let cause: unknown
    const answer = await work({
      tx: {
        rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) => {
          try {
            return (await run(client, [statement, values])).rows as Row[]
          } catch (error) {
            cause ??= error
            throw codeOf(error) === transactionAborted ? cause : error
          }
        },
        atCommit: (statement, values, seen) => {
          const call = (): Call => [statement, typeof values === 'function' ? values() : values]
          last.push({ call, seen })
        },
      },
      offsetMs: results[1]!.rows[0].offset_ms,
      first: results.slice(2).map(result => result.rows) as RowsOf<Calls>,
      savepoint: async () => void (await client.query('savepoint operation')),
      rollbackToSavepoint: async () => {
        last.length = 0
        cause = undefined
        await client.query('rollback to savepoint operation')
      },
    })
    if (answer instanceof Undo) {
      await client.query('rollback')
      return answer.value
    }
    const ended = await flight([...last.map(({ call }) => run(client, call())), ask(client, 'commit')])
    refuseRolledBack(ended.at(-1)!)
    for (const [i, { seen }] of last.entries()) seen?.(ended[i]!.rows as never[])
    return answer
  })
}

/** COMMIT of an aborted transaction answers ROLLBACK without an error. */
export function refuseRolledBack({ command }: pg.QueryResult): void {
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
}

/**
 * A transaction on a connection of its own: what is thrown is rolled back, a connection that broke is thrown away, and a
 * serialization failure or a deadlock gets three attempts, so `work` may be done again.
 */
export async function onOneConnection<T>(
  pool: Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      return await work(client)
    } catch (error) {
      if (isDatabaseFault(error)) broken = error
      else
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
      if (attempt < 3 && isRetryable(error)) continue
      throw error
    } finally {
      client.release(broken)
    }
  }
}

const codeOf = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''

const transactionAborted = '25P02'

const isRetryable = (error: unknown) => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** Somebody else held what was asked for, for longer than one waits: nothing is wrong with either. */
export const isContended = (error: unknown): boolean => codeOf(error) === '55P03' || isRetryable(error)

const networkFaults = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])

/** The database is away or went away: nothing is wrong with what was asked. */
export function isDatabaseFault(error: unknown): error is Error {
  const code = codeOf(error)
  if (networkFaults.has(code) || code.startsWith('08') || code.startsWith('57P') || code === '53300')
    return true
  const message = error instanceof Error ? error.message : ''
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
    message,
  )
}

export const sqlState = codeOf
