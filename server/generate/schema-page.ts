import { asAdmin } from '../dev/database.ts'
import { owners } from '../src/features/tables.ts'

interface Table {
  name: string
  comment: string | null
  key: string[]
  /** The tables that its foreign keys reference. */
  references: string[]
}

const selectTables = `
  select c.relname as name, obj_description(c.oid, 'pg_class') as comment,
         array(select a.attname::text from pg_index x cross join unnest(x.indkey) with ordinality k(attnum, place)
                 join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
                where x.indrelid = c.oid and x.indisprimary order by k.place) as key,
         array(select distinct t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
                where f.conrelid = c.oid and f.contype = 'f' order by 1) as references
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname`

interface Owned extends Table {
  comment: string
  kind: string
  owner: string
  wing: string
}

/** The order of the baseline: each wing has one file in it. */
const wings = ['access', 'platform', 'receivables', 'recovery', 'debtor-side', 'integrations']
const fileOf = (wing: string) =>
  `${String(wings.indexOf(wing) + 1).padStart(4, '0')}_${wing.replace('-', '_')}.sql`

/** The tables of `kit` are shown with those of `platform`. */
const wingOf = (owner: string) => (/^kit\b/.test(owner) ? 'platform' : owner.split('/')[0]!)

const ownerOf = new Map(
  Object.entries(owners).flatMap(([kind, tables]) =>
    Object.entries(tables).map(([name, owner]) => [name, { kind, owner, wing: wingOf(owner) }]),
  ),
)

function withOwner(table: Table): Owned {
  const owned = ownerOf.get(table.name)
  if (!owned) throw new Error(`${table.name} is not in server/src/features/tables.ts`)
  if (!table.comment) throw new Error(`${table.name} has no comment: say in a sentence what a row is`)
  return { ...table, ...owned, comment: table.comment }
}

/** Arrows lead to referenced tables. Tables of other wings have a dashed frame; tables without an arrow are listed. */
function drawing(tables: readonly Owned[]): string {
  const own = new Set(tables.map(({ name }) => name))
  const drawn = new Set(
    tables.flatMap(({ name, references }) => (references.length > 0 ? [name, ...references] : [])),
  )
  const others = [...drawn].filter(name => !own.has(name)).sort()
  const alone = tables.filter(({ name }) => !drawn.has(name)).map(({ name }) => `\`${name}\``)
  const arrows = tables.flatMap(({ name, references }) => references.map(to => `  ${name} --> ${to}\n`))
  return `\`\`\`mermaid
flowchart LR
${others.map(name => `  ${name}:::other\n`).join('')}${arrows.join('')}  classDef other stroke-dasharray: 4
\`\`\`${alone.length > 0 ? `\n\nWithout a foreign key: ${alone.join(', ')}.` : ''}`
}

const row = ({ name, kind, owner, comment, key }: Owned) =>
  `| \`${name}\` | ${kind} | \`${owner}\` | ${comment} | ${key.map(column => `\`${column}\``).join(', ') || 'none'} |`

const section = (wing: string, tables: readonly Owned[]) => `
## ${wing}

Made by [${fileOf(wing)}](../server/migrations/${fileOf(wing)}).

${drawing(tables)}

| table | kind | owner | a row is | primary key |
|---|---|---|---|---|
${tables.map(row).join('\n')}
`

/** The page of all tables, from the migrated database and the list of owners. */
export async function schemaPage(url: string): Promise<string> {
  const tables = (
    await asAdmin(url, async client => (await client.query<Table>(selectTables)).rows.map(withOwner))
  ).sort((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0))
  return `# The schema

The ${tables.length} tables of Relance, one section per wing, in the order of the migrations. This page is made by \`npm run generate\` from the migrated database; the sentence of a table is its \`comment on table\`. Columns, and the reasons behind them, are in the files of [server/migrations](../server/migrations).

| kind | what it means |
|---|---|
| tenant | every row belongs to one tenant. Row-level security is enabled and forced, with one policy: \`tenant_id\` is the tenant that the transaction has entered. Without a tenant every query raises an error |
| platform | read across tenants, so it has no personal data beyond the addresses a company gave for itself. No row-level security; rights are granted table by table and column by column |
| identity | people and applications. They belong to no tenant, so no foreign key leads from them to a tenant table, or back |

The owner is the folder of \`server/src/features\` (or of \`server/src\`, for \`kit\`) whose statements write the table; the list in code is [tables.ts](../server/src/features/tables.ts). In a drawing an arrow is a foreign key and leads to the table that is referred to, and a dashed frame is a table of another wing. Keys of tenant tables begin with \`tenant_id\`, so a row cannot refer to a row of another tenant. \`events\` and \`webhook_deliveries\` have a partition per week.
${wings
  .map(wing =>
    section(
      wing,
      tables.filter(table => table.wing === wing),
    ),
  )
  .join('')}`
}
