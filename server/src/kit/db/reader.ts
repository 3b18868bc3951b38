import type { Pool } from './pool.ts'
import type { Statement } from './statement.ts'
import {
  ask,
  type Call,
  type Entry,
  flight,
  isDatabaseFault,
  run,
  type Tx,
  type Value,
} from './transaction.ts'

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
