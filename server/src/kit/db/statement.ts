import { createHash } from 'node:crypto'

declare const rowType: unique symbol

/** One prepared statement. Its name is a digest of its text, so a changed text is never mistaken for an old plan. */
export interface Statement<Row> {
  /** Empty: planned anew each time, for the values of that time. */
  readonly name: string
  readonly text: string
  readonly [rowType]?: Row
}

export const statements: Statement<unknown>[] = []

/** `sql<Row>(text)`: declared once at module level, prepared once per connection; the guards explain each of them. */
export function sql<Row = unknown>(text: string): Statement<Row> {
  const statement: Statement<Row> = {
    name: createHash('sha256').update(text).digest('hex').slice(0, 32),
    text,
  }
  statements.push(statement)
  return statement
}

/** A statement put together for one list request: its best plan depends on the values, so it is not prepared. */
export const adHoc = <Row>(text: string): Statement<Row> => ({ name: '', text })
