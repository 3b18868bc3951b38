import type { StatementColumns } from './statements.generated.ts'

declare const rowType: unique symbol

/** One prepared statement, and the type of the rows it returns. */
export interface Statement<Row> {
  /** Empty: not prepared, so it is planned each time for the current values. */
  readonly name: string
  readonly text: string
  readonly [rowType]?: Row
}

export type StatementName = keyof StatementColumns

/** Forbids fields that are not columns: they would be `undefined` in every row. */
type NoOther<Row, Columns> = { [Other in Exclude<keyof Row, keyof Columns>]: never }

class Declared<Columns> implements Statement<Columns> {
  readonly name: string
  readonly text: string
  declare readonly [rowType]?: Columns

  constructor(name: string, text: string) {
    this.name = name
    this.text = text
  }

  /**
   * The same statement with a narrower `Row`: every column and no other, each of the generated type or a part of it, such as
   * a union in place of a text, a shape in place of `unknown`, or no null where the query rules it out.
   */
  as<Row extends Columns & NoOther<Row, Columns>>(): Statement<Row> {
    return this as Statement<unknown> as Statement<Row>
  }
}

/** All statements, by name. */
export const statements = new Map<string, Statement<unknown>>()

/**
 * `sql('webhooks.insert', text)`: declared once at module level, prepared once per connection. Its columns come from the
 * database through `npm run generate`, the guards explain its plan, and Postgres logs it by its name.
 *
 * The name needs no digest of the text: a prepared statement belongs to one connection of one process, and here each name has one
 * text. A pooler that keeps prepared statements tells the texts of two releases apart by itself.
 */
export function sql<Name extends StatementName>(name: Name, text: string): Declared<StatementColumns[Name]> {
  // Postgres truncates a longer name silently.
  if (name.length > 63 || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
    throw new Error(`a statement cannot be called ${name}`)
  if (statements.has(name)) throw new Error(`two statements are called ${name}`)
  const statement = new Declared<StatementColumns[Name]>(name, text)
  statements.set(name, statement)
  return statement
}

/** A statement put together for one list request: its best plan depends on the values, so it is not prepared. */
export const adHoc = <Row>(text: string): Statement<Row> => ({ name: '', text })
