/** A text in quotes, a comment, space, a word or one other letter. */
const token = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|\s+|\w+|[^\w\s]/g

/** Without comments, and with one space where there was any. Texts in quotes stay as they are. */
const collapse = (sql: string): string =>
  (sql.match(token) ?? [])
    .map(part => (/^(\s|--|\/\*)/.test(part) ? ' ' : part))
    .join('')
    .replaceAll(/'(?:[^']|'')*'| +/g, part => (part.startsWith("'") ? part : ' '))
    .trim()

/** The statements of a dump. A semicolon inside a body, a text or a comment ends none. */
function statementsOf(dump: string): string[] {
  const parts = dump
    .replaceAll(/^\\.*$/gm, '')
    .match(/(\$\w*\$)[\s\S]*?\1|'(?:[^']|'')*'|--[^\n]*|;|[^$';-]+|[\s\S]/g)
  const statements = ['']
  for (const part of parts ?? [])
    if (part === ';') statements.push('')
    else statements[statements.length - 1] += part
  return statements.map(text => text.replace(/^(\s|--[^\n]*)+/, '')).filter(Boolean)
}

/** A constraint is the same inside and outside of its table, and whether or not the rows from before were checked. */
const constraintOf = (table: string, text: string) =>
  `constraint of ${table}: ${text.replace(/ NOT VALID$/, '')}`

function factsOf(statement: string): string[] {
  if (/^(SET|SELECT|COMMENT ON TABLE)\s/.test(statement)) return []
  const table = /^CREATE TABLE (\S+) \(\n([\s\S]*?)\n\)([\s\S]*)$/.exec(statement)
  if (table) {
    const [, name, lines, rest] = table
    const inside = lines!.split('\n').map(line => collapse(line.replace(/,$/, '')))
    return [
      collapse(`table ${name} ${rest}`),
      ...inside.map(text =>
        text.startsWith('CONSTRAINT ') ? constraintOf(name!, text) : `column of ${name}: ${text}`,
      ),
    ]
  }
  const [, altered, constraint] =
    /^ALTER TABLE (?:ONLY )?(\S+)\s+ADD (CONSTRAINT [\s\S]*)$/.exec(statement) ?? []
  return [
    altered !== undefined && constraint !== undefined
      ? constraintOf(altered, collapse(constraint))
      : collapse(statement),
  ]
}

/**
 * What `pg_dump --schema-only` says, as lines that can be compared: one for each column, constraint, index, function, trigger, policy,
 * right and owner. Left out are the order of statements and of columns, the comments of tables, space and comments in functions, and
 * whether a constraint was added `not valid`.
 */
export const schemaFacts = (dump: string): string[] => statementsOf(dump).flatMap(factsOf)
