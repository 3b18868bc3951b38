import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testHolds } from './test-words.ts'

const root = join(import.meta.dirname, '../../..')
const pages = globSync('docs/law/*.md', { cwd: root })
  .filter(page => basename(page) !== 'README.md')
  .sort()

const columns = [
  'article',
  'what it asks',
  'state',
  'mode',
  'debtor',
  'rule',
  'mark',
  'read',
  'place',
  'test',
] as const
type Row = Record<(typeof columns)[number], string>

/** The cells of a table row. */
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim())

/** Every row of every table on a page; a table with other columns is a fault. */
function rowsOf(text: string): Row[] {
  const lines = text.split('\n').filter(line => line.startsWith('|'))
  return lines.flatMap((line, i) => {
    const cells = cellsOf(line)
    if (lines[i + 1]?.startsWith('|---')) {
      expect(cells).toEqual([...columns])
      return []
    }
    if (line.startsWith('|---')) return []
    expect(cells, line).toHaveLength(columns.length)
    return [Object.fromEntries(columns.map((name, at) => [name, cells[at]!])) as Row]
  })
}

const values: Partial<Record<keyof Row, readonly string[]>> = {
  state: ['kept', 'not built', 'not for us'],
  mode: ['both', 'creditor', 'collector'],
  debtor: ['all', 'consumers', 'businesses', 'public bodies', 'businesses and public bodies'],
  rule: ['law', 'our rule'],
}

const pathsIn = (cell: string) =>
  [...cell.matchAll(/`((?:server|console|docs)\/[^`]+)`/g)].map(([, path]) => path!)
const quotesIn = (cell: string) => [...cell.matchAll(/\*([^*]+)\*/g)].map(([, quoted]) => quoted!)
const isTest = (path: string) =>
  /\.test\.tsx?$/.test(path) || path === 'server/test/messages/mandatory-mentions.ts'

function faultsOf(row: Row): string[] {
  const { state, rule, mark, read, place, test } = row
  const faults = Object.entries(values).flatMap(([name, allowed]) =>
    allowed.includes(row[name as keyof Row]) ? [] : [`${name} is not one of ${allowed.join(', ')}`],
  )
  for (const name of columns) if (row[name] === '') faults.push(`${name} is empty`)
  const marks = rule === 'law' ? ['v', 'k', '?'] : ['—']
  if (!marks.includes(mark)) faults.push(`a row of ${rule} has no mark ${mark}`)
  if ((mark === 'v') !== /^\d{4}-\d{2}-\d{2}$/.test(read))
    faults.push('a day of reading goes with the mark v')
  const [places, tests, quotes] = [pathsIn(place), pathsIn(test), quotesIn(test)]
  for (const path of [...places, ...tests])
    if (!existsSync(join(root, path))) faults.push(`${path} is not there`)
  if (state !== 'kept') return faults
  if (place === '—') faults.push('a kept row names its place')
  if (!tests.some(isTest)) faults.push('a kept row names a test')
  for (const quoted of quotes)
    if (!tests.some(path => testHolds(path, quoted)))
      faults.push(`no test of the row has the words “${quoted}”`)
  return faults
}

describe.each(pages)('%s', page => {
  it('leaves nothing out of a row, and names a place and a test that are there', () => {
    const rows = rowsOf(readFileSync(join(root, page), 'utf8'))
    expect(rows.length).toBeGreaterThan(0)
    expect(
      rows.flatMap(row => faultsOf(row).map(fault => `${row.article}: ${row['what it asks']}: ${fault}`)),
    ).toEqual([])
  })

  it('is in the list of pages', () => {
    expect(readFileSync(join(root, 'docs/law/README.md'), 'utf8')).toContain(`](${basename(page)})`)
  })
})

it('has a row for each article that binds a reminder', () => {
  const all = pages.map(page => readFileSync(join(root, page), 'utf8')).join('\n')
  const articles = [
    ...[
      'R124-1',
      'R124-2',
      'R124-3',
      'R124-4',
      'R124-5',
      'R124-6',
      'R124-7',
      'L111-8',
      'L218-2',
      '2240',
      '2251',
    ],
    ...[
      'L110-4',
      '1344',
      'L441-10',
      'D441-5',
      'R2192-31',
      'L622-7',
      'L622-21',
      'R622-24',
      'L622-26',
      'L622-28',
    ],
    ...['L722-5', 'R123-237', 'R123-238', 'LCEN', 'R616-1', 'L121-6', 'L312-4', '1343-5', '1376', 'CPC 1407'],
    ...['CPC 1411', '289 bis', '290 A', '272 CGI', '1305-2', 'L34-5', 'art. 22', 'art. 28', 'art. 30(2)'],
    ...['art. 33(2)', 'art. 35', 'art. 15', 'art. 18, 21', 'art. 12(3)', 'AI Act art. 50(1)', '2015/848'],
  ]
  expect(articles.filter(article => !all.includes(article))).toEqual([])
})

it('finds a row that is wrong', () => {
  const good: Row = {
    article: 'L1',
    'what it asks': 'something',
    state: 'kept',
    mode: 'both',
    debtor: 'all',
    rule: 'law',
    mark: 'v',
    read: '2026-11-18',
    place: '`server/src/domain/time.ts`',
    test: '`server/test/guards/law.pure.test.ts`: *finds a row that is wrong*',
  }
  expect(faultsOf(good)).toEqual([])
  const wrong: readonly Partial<Row>[] = [
    { test: '—' },
    { test: '`server/test/guards/gone.pure.test.ts`' },
    { test: `\`server/test/guards/law.pure.test.ts\`: *${'no such'} title*` },
    { place: '—' },
    { mark: 'k' },
    { read: '' },
    { state: 'done' },
    { rule: 'our rule' },
  ]
  for (const change of wrong) expect(faultsOf({ ...good, ...change }), JSON.stringify(change)).not.toEqual([])
})
