import pg from 'pg'
import type { Statement } from '../src/kit/db/statement.ts'
import { columnType } from './column-types.ts'

/** Lets Postgres parse a text and describe its rows, without running it. pg has no call for this, but takes such an object. */
const describe = (client: pg.Client, { name, text }: Statement<unknown>) =>
  new Promise<pg.FieldDef[]>((resolve, reject) => {
    let columns: pg.FieldDef[] = []
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: pg.FieldDef[] }) {
        columns = fields
      },
      handleReadyForQuery: () => resolve(columns),
      handleError: (error: Error) => reject(new Error(`${name}: ${error.message}`)),
    })
  })

/** Joins and groupings that can return null for a column that is not null. */
const addsNulls = /\b(left|right|full)\s+(outer\s+)?join\b|\b(grouping\s+sets|rollup|cube)\b/i

const byName = (a: Statement<unknown>, b: Statement<unknown>) => (a.name < b.name ? -1 : 1)

/**
 * The columns of every statement as Postgres describes them, as TypeScript. A column is not null only if that is certain: its
 * table declares it so, and the statement has no outer join. The `Row` of a statement declares other columns that are never null.
 */
export async function generateStatementTypes(
  url: string,
  statements: readonly Statement<unknown>[],
): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows: types } = await client.query<{ oid: number; name: string }>(
      'select oid, typname as name from pg_type',
    )
    const { rows: notNull } = await client.query<{ table: number; column: number }>(
      'select attrelid as table, attnum as column from pg_attribute where attnotnull',
    )
    const typeNames = new Map(types.map(({ oid, name }) => [oid, name]))
    const never = new Set(notNull.map(({ table, column }) => `${table}.${column}`))
    const body: string[] = []
    for (const statement of [...statements].sort(byName)) {
      const columns = await describe(client, statement)
      if (new Set(columns.map(({ name }) => name)).size < columns.length)
        throw new Error(`${statement.name} returns two columns of one name`)
      const isWidened = addsNulls.test(statement.text)
      const fields = columns.map(({ name, tableID, columnID, dataTypeID }) => {
        const isNullable = isWidened || !never.has(`${tableID}.${columnID}`)
        const type = columnType(typeNames.get(dataTypeID)!, isNullable, `${statement.name}, ${name}`)
        return `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${type}`
      })
      body.push(
        fields.length === 0
          ? `  '${statement.name}': object`
          : `  '${statement.name}': {\n${fields.join('\n')}\n  }`,
      )
    }
    return `// Made by \`npm run generate\` from the statements and the migrated schema.\nexport interface StatementColumns {\n${body.join('\n')}\n}\n`
  } finally {
    await client.end()
  }
}
