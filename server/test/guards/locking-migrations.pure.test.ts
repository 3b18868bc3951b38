import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../migrations')
const names = readdirSync(folder)
  .filter(name => name.endsWith('.sql'))
  .sort()

/** The last file of the baseline, which makes the tables. No table is in use yet when it runs. */
const lastOfBaseline = '0006_integrations.sql'

/** What may be as it is, with the reason. */
const exceptions: Record<string, string> = {}

/** The statements, without comments, texts and the bodies of functions, in small letters. */
const statementsOf = (sql: string) =>
  sql
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map(text => text.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean)

const tableIn = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replace(/^public\./, '')

/** The parts of an `alter table` between commas that are not in brackets. */
function actionsOf(text: string): string[] {
  let depth = 0
  let part = ''
  const parts: string[] = []
  for (const letter of text) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += letter
  }
  return [...parts, part.trim()]
}

/** What an action on a table that is in use does while everybody waits. */
function faultOfAction(action: string): string | undefined {
  if (
    /^add (column )?(if not exists )?\w+ /.test(action) &&
    !/^add (constraint|check|primary|unique|foreign|exclude)\b/.test(action)
  ) {
    if (/\bnot null\b/.test(action) && !/\bdefault\b|\bgenerated\b/.test(action))
      return 'adds a column that is not null without a default: it fails on rows that are there'
    if (/\bgenerated always as\b.*\bstored\b/.test(action))
      return 'adds a stored column: it writes the table anew'
    if (/\bdefault (now|clock_timestamp|gen_random_uuid|uuidv7|random)\b/.test(action))
      return 'adds a column with a default that differs by row: it writes the table anew'
  }
  if (/^alter (column )?\w+ (set data )?type\b/.test(action))
    return 'changes the type of a column: it writes the table anew'
  if (/^alter (column )?\w+ set not null\b/.test(action))
    return 'sets not null: it reads the table under a lock; add a check that is not valid, and validate it'
  if (/^add (constraint \w+ )?(unique|primary key|exclude)\b/.test(action) && !/\busing index\b/.test(action))
    return 'builds an index under a lock: create it concurrently, then add the constraint using index'
  if (/^add (constraint \w+ )?(check|foreign key)\b/.test(action) && !/\bnot valid\b/.test(action))
    return 'adds a constraint that reads the table under a lock: add it not valid, and validate it in another migration'
  return undefined
}

/** What would make others wait, one sentence each. A table that the migration itself makes is nobody's yet. */
function lockingIn(sql: string): string[] {
  const statements = statementsOf(sql)
  const isTransactional = !sql.startsWith('-- no-transaction')
  const created = new Set(
    statements.map(text => tableIn(text, /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/)),
  )
  const faults: string[] = []
  let hasTimeout = false
  for (const text of statements) {
    if (/^set (local )?lock_timeout\b/.test(text)) hasTimeout = true
    const indexed = tableIn(text, /^create (?:unique )?index .*?\bon (?:only )?([\w.]+)/)
    if (indexed && !created.has(indexed) && !text.includes('concurrently'))
      faults.push(`creates an index on ${indexed} without concurrently: nobody can write meanwhile`)
    if (isTransactional && text.includes('index concurrently'))
      faults.push('concurrently needs "-- no-transaction" in the first line')
    if (/^(cluster|vacuum full|reindex (?!.*concurrently))/.test(text)) faults.push('locks the whole table')
    if (/^lock table\b/.test(text)) faults.push('locks a table by name')
    const altered = tableIn(text, /^alter table (?:if exists )?(?:only )?([\w.]+)/)
    if (!altered || created.has(altered)) continue
    if (!hasTimeout && !/\bvalidate constraint\b/.test(text))
      faults.push(
        `alters ${altered} without lock_timeout before it: while it waits, everybody waits behind it`,
      )
    const actions = text.replace(/^alter table (?:if exists )?(?:only )?[\w.]+ /, '')
    for (const action of actionsOf(actions)) {
      const fault = faultOfAction(action)
      if (fault) faults.push(`${altered}: ${fault}`)
    }
  }
  return faults
}

const judged = names.filter(name => name > lastOfBaseline)

it('no migration locks a table that is in use', () => {
  const found = judged.flatMap(name =>
    name in exceptions
      ? []
      : lockingIn(readFileSync(join(folder, name), 'utf8')).map(fault => `${name} ${fault}`),
  )
  expect(found).toEqual([])
})

it('every exception is a migration that needs it', () => {
  for (const name of Object.keys(exceptions))
    expect(lockingIn(readFileSync(join(folder, name), 'utf8')), name).not.toEqual([])
})

it('the baseline is made of files that later migrations follow', () => {
  expect(names.indexOf(lastOfBaseline)).toBe(5)
  // Its tables are in use for every file after it.
  for (const table of ['invoices', 'recoveries', 'webhooks'])
    expect(lockingIn(`create index i on ${table} (tenant_id)`)).toEqual([
      expect.stringMatching(/without concurrently/),
    ])
})

describe('is found:', () => {
  const timeout = "set local lock_timeout = '2s';\n"
  it.each([
    ['create index i on invoices (a)', /without concurrently/],
    ['create unique index i on only invoices (a)', /without concurrently/],
    ['create index concurrently i on invoices (a)', /no-transaction/],
    ['alter table invoices add column a int not null', /without a default/],
    ['alter table invoices add a int, add column b text not null', /without a default/],
    ['alter table invoices add column a uuid not null default gen_random_uuid()', /differs by row/],
    ['alter table invoices alter column a type bigint', /type of a column/],
    ['alter table invoices alter a set data type bigint', /type of a column/],
    ['alter table invoices alter column a set not null', /sets not null/],
    ['alter table invoices add constraint c check (a > 0)', /not valid/],
    ['alter table invoices add foreign key (a) references b', /not valid/],
    ['alter table invoices add constraint c unique (a, b)', /using index/],
    ['lock table invoices', /by name/],
    ['vacuum full invoices', /whole table/],
  ])('%s', (text, sentence) => {
    expect(lockingIn(timeout + text)).toEqual([expect.stringMatching(sentence)])
  })

  it('alter table without a lock_timeout', () => {
    expect(lockingIn('alter table invoices add column a int')).toEqual([
      expect.stringMatching(/lock_timeout/),
    ])
  })
})

describe('is allowed:', () => {
  const timeout = "set local lock_timeout = '2s';\n"
  it.each([
    'create table t (a int not null); create index i on t (a); alter table t add constraint c check (a > 0)',
    "alter table invoices add column a text not null default 'x', add column b int",
    'alter table invoices add constraint c check (a in (1, 2)) not valid',
    'alter table invoices add constraint c unique using index i',
    'alter table invoices drop column a',
    'create function f() returns int language sql as $$ alter table invoices alter column a type int $$',
    '-- alter table invoices alter column a type int\nselect 1',
  ])('%s', text => {
    expect(lockingIn(timeout + text)).toEqual([])
  })

  it('an index that is made concurrently, outside a transaction', () => {
    expect(lockingIn('-- no-transaction\ncreate index concurrently i on invoices (a);')).toEqual([])
  })
})
