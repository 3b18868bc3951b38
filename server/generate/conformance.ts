import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Row } from '../test/conformance/row.ts'
import { tables } from '../test/conformance/rows.ts'

const server = join(import.meta.dirname, '..')

/** A test's name is the first argument of its call, followed by another argument. */
const testNamePattern = /\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1\s*,/g

async function namesIn(file: string): Promise<Set<string>> {
  const text = await readFile(join(server, file), 'utf8').catch(() => '')
  return new Set([...text.matchAll(testNamePattern)].map(match => match[2]!.replace(/\\(.)/g, '$1')))
}

/** Rows that name a test which is not in the named file. */
export async function rowsWithoutTest(): Promise<string[]> {
  const files = new Map<string, Promise<Set<string>>>()
  const isProven = async (row: Row) => {
    const [file = '', name = ''] = row.provenBy.split(' › ')
    const names = files.get(file) ?? namesIn(file)
    files.set(file, names)
    return (await names).has(name)
  }
  const missing: string[] = []
  for (const row of tables.flatMap(table => table.rows))
    if (!(await isProven(row))) missing.push(`${row.id}: ${row.provenBy}`)
  return missing
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const proofOf = (row: Row) => cell(row.provenBy.replace(/^(\S+) › /, '`server/$1` › '))

/** The page. Throws if a row names a test that does not exist. */
export async function conformancePage(): Promise<string> {
  const missing = await rowsWithoutTest()
  if (missing.length > 0) throw new Error(`no such test:\n${missing.join('\n')}`)
  const rows = tables.flatMap(table => table.rows)
  return `# Conformance

Each row of the specification, and the test that proves it. ${rows.length} rows, all proven. This page is made from \`server/test/conformance/rows.ts\`, and is not written when a test it names is missing.
${tables
  .map(
    table => `
## ${table.title}

| row | in short | proof |
|---|---|---|
${table.rows.map(row => `| \`${row.id}\` | ${cell(row.says)} | ${proofOf(row)} |`).join('\n')}
`,
  )
  .join('')}`
}
