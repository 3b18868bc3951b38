import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { asAdmin, createDatabase, dropDatabase, newName, rolePasswords } from '../../dev/database.ts'
import { findPostgres } from '../../dev/postgres.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { hasCommit, ownRoot } from '../bench/base-commit.ts'
import type { Findings } from './findings.ts'
import { schemaFacts } from './schema-facts.ts'

/** The last commit with the 53 migrations that the baseline replaced. */
const defaultCommit = '72ae7f59'
const ownMigrations = join(ownRoot, 'server/migrations')
/** The same for both, because partitions are named after it. */
const now = '2026-11-16T08:00:00.000Z'

/** The baseline makes the schema that the old migrations made, but for the names that are listed. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      /** The commit with the old migrations. */
      from: { type: 'string', default: defaultCommit },
      /** The commit with the baseline; without it, the files of this checkout. */
      to: { type: 'string' },
    },
  })
  for (const commit of [values.from, values.to])
    if (commit !== undefined && !(await hasCommit(commit)))
      return findings.check(
        `the commit ${commit} is in this clone (if not, it has no history: git fetch --unshallow)`,
        false,
      )
  await using cleanup = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'relance-baseline-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true }))
  const databaseUrl = process.env.DATABASE_URL
  const { adminUrl, stop } = await findPostgres({
    dataDir: join(home, 'data'),
    ...(databaseUrl && { databaseUrl }),
  })
  cleanup.defer(stop)
  await bootstrapRoles(adminUrl, rolePasswords)
  const makeSchema = async (directory: string): Promise<Schema> => {
    const name = newName('relance_baseline_')
    const database = await createDatabase(adminUrl, name)
    cleanup.defer(() => dropDatabase(adminUrl, name).then(() => {}))
    const applied = await migrate(database.adminUrl, directory, now)
    return { applied, ...(await readSchema(database.adminUrl)) }
  }
  const old = await makeSchema(await migrationsAt(values.from, join(home, 'old')))
  const baseline = await makeSchema(
    values.to === undefined ? ownMigrations : await migrationsAt(values.to, join(home, 'new')),
  )
  findings.figure(`migrations at ${values.from}`, old.applied.length)
  findings.figure('files of the baseline', baseline.applied)
  judge(findings, old, baseline, await readRenames())
}

async function migrationsAt(commit: string, directory: string): Promise<string> {
  const git = async (...args: string[]) =>
    (await runChild('git', args, { cwd: ownRoot, maxBuffer: 16 * 1024 * 1024 })).stdout
  await mkdir(directory)
  const paths = (await git('ls-tree', '--name-only', commit, 'server/migrations/')).trim().split('\n')
  for (const path of paths)
    await writeFile(join(directory, basename(path)), await git('show', `${commit}:${path}`))
  return directory
}

interface Schema {
  applied: string[]
  facts: string[]
  /** The rows that migrations insert. */
  rows: { table: string; row: Record<string, unknown> }[]
  tablesWithoutComment: string[]
}

async function readSchema(url: string): Promise<Omit<Schema, 'applied'>> {
  const { stdout } = await runChild('pg_dump', ['--schema-only', url], { maxBuffer: 64 * 1024 * 1024 })
  return asAdmin(url, async client => {
    const tables = await client.query<{ name: string; comment: string | null }>(
      `select relname as name, obj_description(oid, 'pg_class') as comment from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
    )
    const rows: Schema['rows'] = []
    for (const { name: table } of tables.rows) {
      // Which migrations were applied differs on purpose.
      if (table === 'schema_migrations') continue
      const found = await client.query<Pick<Schema['rows'][number], 'row'>>(
        `select to_jsonb(t) as row from ${table} t`,
      )
      rows.push(...found.rows.map(({ row }) => ({ table, row })))
    }
    return {
      facts: schemaFacts(stdout),
      rows,
      tablesWithoutComment: tables.rows.filter(({ comment }) => !comment).map(({ name }) => name),
    }
  })
}

/** The new name of each old one. */
async function readRenames(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(import.meta.dirname, 'baseline-renames.txt'), 'utf8')
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const [, before = '', after = ''] = line.split(' ')
      return [before, after]
    }),
  )
}

function judge(findings: Findings, old: Schema, baseline: Schema, words: ReadonlyMap<string, string>): void {
  const used = new Set<string>()
  const rename = (text: string) =>
    text.replaceAll(/\w+/g, word => {
      if (words.has(word)) used.add(word)
      return words.get(word) ?? word
    })
  const keep = (text: string) => text
  const rowLines = ({ rows }: Schema, nameOf: (name: string) => string) =>
    rows.map(({ table, row }) => {
      const columns = Object.entries(row).map(([column, value]) => [nameOf(column), value])
      return `row of ${nameOf(table)}: ${JSON.stringify(columns.sort())}`
    })
  compare(findings, 'lines of the schema', old.facts.map(rename), baseline.facts)
  compare(findings, 'rows that migrations insert', rowLines(old, rename), rowLines(baseline, keep))
  const unused = [...words.keys()].filter(word => !used.has(word))
  findings.check(`each of the ${words.size} listed renames is used`, unused.length === 0, unused)
  findings.check(
    'every table of the baseline has a comment',
    baseline.tablesWithoutComment.length === 0,
    baseline.tablesWithoutComment,
  )
}

function compare(
  findings: Findings,
  what: string,
  before: readonly string[],
  after: readonly string[],
): void {
  const missing = subtract(before, after).sort()
  const added = subtract(after, before).sort()
  for (const line of missing) console.log(`  - ${line}`)
  for (const line of added) console.log(`  + ${line}`)
  findings.check(
    `${before.length} ${what} are the same`,
    before.length > 0 && missing.length + added.length === 0,
  )
}

/** What is left of `lines` when each of `others` takes one of them away. */
function subtract(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1)
  return lines.filter(line => {
    const count = counts.get(line) ?? 0
    counts.set(line, count - 1)
    return count <= 0
  })
}
