import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import type { Pool } from '../../src/kit/db/pool.ts'

interface RecordedQuery {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** What one piece of work sent to the database: transactions, each a list of pipelines, each a list of statements. */
export type Tape = RecordedQuery[][][]

/** A pool that records its statements. A statement sent before the previous answer arrived belongs to the same pipeline. */
export function recording(pool: Pool): { pool: Pool; tape: Tape } {
  const tape: Tape = []
  const connect = async () => {
    const client = await pool.connect()
    const pipelines: RecordedQuery[][] = []
    tape.push(pipelines)
    let underWay = 0
    return {
      query(query: string | RecordedQuery): Promise<pg.QueryResult> {
        if (underWay++ === 0) pipelines.push([])
        pipelines.at(-1)!.push(typeof query === 'string' ? { text: query } : query)
        return client.query(query as pg.QueryConfig).finally(() => underWay--)
      },
      connection: client.connection,
      release: (broken?: Error) => client.release(broken),
    }
  }
  return { pool: { connect, options: { max: 16 } } as unknown as Pool, tape }
}

/** A text with blanks: literal, blank, literal, … */
type Template = readonly string[]

interface Playable {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly ((fill: Fill) => unknown)[]
}

export type Fill = Record<string, string>

/** Cut where one of the marks stands: literal, mark, literal, … */
export function splitAtMarks(text: string, marks: readonly string[]): Template {
  const escaped = marks.map(mark => mark.replace(/[^\w-]/g, '\\$&'))
  return text.split(new RegExp(`(${escaped.join('|')})`))
}

function valueFrom(value: unknown, marks: readonly string[]): (fill: Fill) => unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => valueFrom(item, marks))
    return fill => items.map(item => item(fill))
  }
  if (Buffer.isBuffer(value)) {
    const hex = valueFrom(value.toString('hex'), marks)
    return fill => Buffer.from(hex(fill) as string, 'hex')
  }
  if (typeof value !== 'string') return () => value
  const template = splitAtMarks(value, marks)
  if (template.length === 1) return () => value
  return fill => {
    let text = template[0]!
    for (let i = 1; i < template.length; i += 2) text += fill[template[i]!]! + template[i + 1]!
    return text
  }
}

/**
 * Replays a tape with other values in place of the marks: the same statements in the same pipelines through the same
 * driver, and nothing else. Ids that the recorded work generated are replaced by new ones. Returns the last transaction's results.
 */
export function player(pool: Pool, tape: Tape, marks: readonly string[], ids: readonly string[]) {
  const allMarks = [...marks, ...ids]
  const transactions: Playable[][][] = tape.map(pipelines =>
    pipelines.map(pipeline =>
      pipeline.map(({ name, text, values = [] }) => ({
        name,
        text,
        values: values.map(value => valueFrom(value, allMarks)),
      })),
    ),
  )
  return async (fill: Fill): Promise<pg.QueryResult[]> => {
    for (const id of ids) fill[id] = randomUUIDv7()
    let results: pg.QueryResult[] = []
    for (const pipelines of transactions) {
      results = []
      const client = await pool.connect()
      try {
        for (const pipeline of pipelines) {
          client.connection.stream.cork()
          const answers = pipeline.map(({ name, text, values }) =>
            name === undefined
              ? client.query(text)
              : client.query({ name, text, values: values.map(value => value(fill)) }),
          )
          client.connection.stream.uncork()
          results.push(...(await Promise.all(answers)))
        }
      } finally {
        client.release()
      }
    }
    return results
  }
}
