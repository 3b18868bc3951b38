import pg from 'pg'
import { columnType } from './column-types.ts'

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
}

/** The tables as they are in a migrated database, as TypeScript. Instants are epoch milliseconds, as the pool reads them. */
export async function generateSchemaTypes(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Column>(
      `select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable
         from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and a.attnum > 0 and not a.attisdropped
        order by c.relname, a.attnum`,
    )
    const tables = Map.groupBy(rows, row => row.table)
    const body = [...tables].map(([table, columns]) => {
      const fields = columns.map(({ column, type, nullable }) => {
        return `    ${column}: ${columnType(type, nullable, `${table}.${column}`)}`
      })
      return `  ${table}: {\n${fields.join('\n')}\n  }`
    })
    return `// Made by \`npm run generate\` from the migrated schema.\nexport interface Tables {\n${body.join('\n')}\n}\n`
  } finally {
    await client.end()
  }
}
