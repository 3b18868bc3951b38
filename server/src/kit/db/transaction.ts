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
type Call = readonly [statement: Statement<unknown>, values: readonly Value[]]

/** What an operation may do with the database: ask. It cannot open, close or escape its transaction. */
export interface Tx {
  rows<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row[]>
  /** The last word of the transaction, sent together with COMMIT: no round trip of its own, no result. */
  atCommit(statement: Statement<unknown>, values: readonly Value[]): void
}

/** How a transaction enters its tenant; the statement returns one row with the tenant's clock offset. */
export interface Entry {
  readonly statement: Statement<{ offset_ms: number }>
  readonly values: readonly Value[]
}

const enterTenant = sql<{ offset_ms: number }>('select enter_tenant($1) as offset_ms')

export const asWorker = (tenantId: string): Entry => ({ statement: enterTenant, values: [tenantId] })

/** An answer that must be undone and given at once: the transaction is rolled back, the value returned. */
export class Undo<T> {
  readonly value: T
  constructor(value: T) {
    this.value = value
  }
}

const run = (client: pg.PoolClient, [statement, values]: Call) =>
  client.query({ name: statement.name, text: statement.text, values: values as unknown[] })

// In a pipeline the first failure makes the rest fail with "transaction is aborted": the first one is the reason.
async function flight(results: Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const settled = await Promise.allSettled(results)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return settled.map(result => (result as PromiseFulfilledResult<pg.QueryResult>).value)
}

/** Runs statements in one tenant transaction and one round trip; returns the rows of each. */
async function once(
  pool: Pool,
  entry: Entry,
  calls: readonly Call[],
): Promise<{ offsetMs: number; rows: unknown[][] }> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    const results = await flight([
      client.query('begin'),
      run(client, [entry.statement, entry.values]),
      ...calls.map(call => run(client, call)),
      client.query('commit'),
    ])
    return { offsetMs: results[1]!.rows[0].offset_ms, rows: results.slice(2, -1).map(result => result.rows) }
  } catch (error) {
    if (isDatabaseFault(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * A reading transaction per question: READ COMMITTED promises nothing across statements anyway, so each travels
 * as begin, enter, ask, commit in one flight.
 */
export function reader(pool: Pool, entry: Entry): Tx & { readonly offsetMs: () => Promise<number> } {
  return {
    rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) =>
      (await once(pool, entry, [[statement, values]])).rows[0] as Row[],
    atCommit: () => {
      throw new Error('a reading operation has nothing to commit')
    },
    offsetMs: async () => (await once(pool, entry, [])).offsetMs,
  }
}

export interface Opened {
  tx: Tx
  offsetMs: number
  /** The rows of the statements that travelled with the opening. */
  first: unknown[][]
  savepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
}

/**
 * One writing transaction: `begin`, the entry and `first` in one flight; then `work`; then what was left for the commit,
 * and COMMIT, in one flight. Serialization failures and deadlocks get three attempts.
 */
export async function transact<T>(
  pool: Pool,
  entry: Entry,
  first: readonly Call[],
  work: (opened: Opened) => Promise<T | Undo<T>>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      const results = await flight([
        client.query('begin'),
        run(client, [entry.statement, entry.values]),
        ...first.map(call => run(client, call)),
      ])
      const last: Call[] = []
      const answer = await work({
        tx: {
          rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) =>
            (await run(client, [statement, values])).rows as Row[],
          atCommit: (statement, values) => void last.push([statement, values]),
        },
        offsetMs: results[1]!.rows[0].offset_ms,
        first: results.slice(2).map(result => result.rows),
        savepoint: async () => void (await client.query('savepoint operation')),
        rollbackToSavepoint: async () => {
          last.length = 0
          await client.query('rollback to savepoint operation')
        },
      })
      if (answer instanceof Undo) {
        await client.query('rollback')
        return answer.value
      }
      const ended = await flight([...last.map(call => run(client, call)), client.query('commit')])
      // COMMIT of an aborted transaction answers ROLLBACK without an error.
      if (ended.at(-1)!.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
      return answer
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

const isRetryable = (error: unknown) => codeOf(error) === '40001' || codeOf(error) === '40P01'

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
