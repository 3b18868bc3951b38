import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import type { Pool } from '../../src/kit/db/pool.ts'

interface Asked {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/** What one piece of work asked of the database: transactions, each of flights, each of statements. */
export type Tape = Asked[][][]

/** A pool that notes what passes. Statements sent before the answer to an earlier one came belong to its flight. */
export function recording(pool: Pool): { pool: Pool; tape: Tape } {
  const tape: Tape = []
  const connect = async () => {
    const client = await pool.connect()
    const flights: Asked[][] = []
    tape.push(flights)
    let underWay = 0
    return {
      query(asked: string | Asked): Promise<pg.QueryResult> {
        if (underWay++ === 0) flights.push([])
        flights.at(-1)!.push(typeof asked === 'string' ? { text: asked } : asked)
        return client.query(asked as pg.QueryConfig).finally(() => underWay--)
      },
      connection: client.connection,
      release: (broken?: Error) => client.release(broken),
    }
  }
  return { pool: { connect } as unknown as Pool, tape }
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
export function cut(text: string, marks: readonly string[]): Template {
  const escaped = marks.map(mark => mark.replace(/[^\w-]/g, '\\$&'))
  return text.split(new RegExp(`(${escaped.join('|')})`))
}

function valueFrom(value: unknown, marks: readonly string[]): (fill: Fill) => unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => valueFrom(item, marks))
    return fill => items.map(item => item(fill))
  }
  if (typeof value !== 'string') return () => value
  const template = cut(value, marks)
  if (template.length === 1) return () => value
  return fill => {
    let text = template[0]!
    for (let i = 1; i < template.length; i += 2) text += fill[template[i]!]! + template[i + 1]!
    return text
  }
}

/**
 * Plays a tape again with other values where the marks stand: the same statements in the same flights through the same
 * driver, and nothing else. Every id the work had made for itself becomes a new one. Answers what the last transaction found.
 */
export function player(pool: Pool, tape: Tape, marks: readonly string[], ids: readonly string[]) {
  const all = [...marks, ...ids]
  const transactions: Playable[][][] = tape.map(flights =>
    flights.map(flight =>
      flight.map(({ name, text, values = [] }) => ({
        name,
        text,
        values: values.map(value => valueFrom(value, all)),
      })),
    ),
  )
  return async (fill: Fill): Promise<pg.QueryResult[]> => {
    for (const id of ids) fill[id] = randomUUIDv7()
    let results: pg.QueryResult[] = []
    for (const flights of transactions) {
      results = []
      const client = await pool.connect()
      try {
        for (const flight of flights) {
          client.connection.stream.cork()
          const answers = flight.map(({ name, text, values }) =>
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
