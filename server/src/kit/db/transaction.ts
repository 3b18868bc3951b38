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
  /** The last word of the transaction, sent together with COMMIT: no round trip of its own; what it found is shown after it. */
  atCommit<Row>(statement: Statement<Row>, values: readonly Value[], seen?: (rows: Row[]) => void): void
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

// What is asked in one turn leaves in one write: a packet each would cost a system call here and wake the server there.
function ask(client: pg.PoolClient, query: string | pg.QueryConfig): Promise<pg.QueryResult> {
  const { stream } = client.connection
  if (stream.writableCorked === 0) {
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
  return client.query(query)
}

const run = (client: pg.PoolClient, [statement, values]: Call) =>
  ask(client, { name: statement.name, text: statement.text, values: values as unknown[] })

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
      ask(client, 'begin'),
      run(client, [entry.statement, entry.values]),
      ...calls.map(call => run(client, call)),
      ask(client, 'commit'),
    ])
    return { offsetMs: results[1]!.rows[0].offset_ms, rows: results.slice(2, -1).map(result => result.rows) }
  } catch (error) {
    if (isDatabaseFault(error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

interface Question {
  readonly calls: readonly Call[]
  resolve(found: { offsetMs: number; rows: unknown[][] }): void
  reject(error: unknown): void
}

interface Lane {
  readonly waiting: Question[]
  onTheWay: number
}

const lanes = new WeakMap<Pool, Map<string, Lane>>()
const questionsMost = 16

/** Leaves as long as there is something to ask and one client does not yet hold a quarter of the connections. */
function leave(pool: Pool, of: Map<string, Lane>, client: string, entry: Entry): void {
  const lane = of.get(client)!
  while (lane.waiting.length > 0 && lane.onTheWay < Math.ceil(pool.options.max / 4)) {
    lane.onTheWay++
    void travel(pool, entry, lane.waiting.splice(0, questionsMost)).finally(() => {
      lane.onTheWay--
      if (lane.waiting.length > 0) leave(pool, of, client, entry)
      else if (lane.onTheWay === 0) of.delete(client)
    })
  }
}

async function travel(pool: Pool, entry: Entry, questions: readonly Question[]): Promise<void> {
  try {
    const calls = questions.flatMap(question => question.calls)
    const { offsetMs, rows } = await once(pool, entry, calls)
    for (const question of questions)
      question.resolve({ offsetMs, rows: rows.splice(0, question.calls.length) })
  } catch (error) {
    // One that fails takes the others of its transaction with it: each is then asked alone.
    if (questions.length === 1) questions[0]!.reject(error)
    else for (const question of questions) await travel(pool, entry, [question])
  }
}

/**
 * READ COMMITTED promises nothing across statements, so a question needs no transaction of its own: what one client asks
 * while its earlier questions are on their way travels together, as begin, enter, ask, ask, …, commit in one flight. A
 * question that finds room leaves at once; without a client each travels alone.
 */
export function reader(
  pool: Pool,
  entry: Entry,
  client?: string,
): Tx & { readonly offsetMs: () => Promise<number> } {
  const ask = (calls: readonly Call[]): ReturnType<typeof once> => {
    if (client === undefined) return once(pool, entry, calls)
    return new Promise((resolve, reject) => {
      const all = lanes.get(pool) ?? new Map<string, Lane>()
      lanes.set(pool, all)
      const lane = all.get(client) ?? { waiting: [], onTheWay: 0 }
      all.set(client, lane)
      lane.waiting.push({ calls, resolve, reject })
      leave(pool, all, client, entry)
    })
  }
  return {
    rows: async <Row>(statement: Statement<Row>, values: readonly Value[]) =>
      (await ask([[statement, values]])).rows[0] as Row[],
    atCommit: () => {
      throw new Error('a reading operation has nothing to commit')
    },
    offsetMs: async () => (await ask([])).offsetMs,
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
        ask(client, 'begin'),
        run(client, [entry.statement, entry.values]),
        ...first.map(call => run(client, call)),
      ])
      const last: { call: Call; seen: ((rows: never[]) => void) | undefined }[] = []
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
          atCommit: (statement, values, seen) => void last.push({ call: [statement, values], seen }),
        },
        offsetMs: results[1]!.rows[0].offset_ms,
        first: results.slice(2).map(result => result.rows),
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
      const ended = await flight([...last.map(({ call }) => run(client, call)), ask(client, 'commit')])
      // COMMIT of an aborted transaction answers ROLLBACK without an error.
      if (ended.at(-1)!.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit')
      for (const [i, { seen }] of last.entries()) seen?.(ended[i]!.rows as never[])
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

const transactionAborted = '25P02'

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
