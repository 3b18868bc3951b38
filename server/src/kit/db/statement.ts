import { createHash } from 'node:crypto'

declare const rowType: unique symbol

/** One prepared statement. Its name is a digest of its text, so a changed text is never mistaken for an old plan. */
export interface Statement<Row> {
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
