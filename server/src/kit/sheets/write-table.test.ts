import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from './cell.ts'
import { readTable } from './read-table.ts'
import { writeTable } from './write-table.ts'

type Kind = Parameters<typeof writeTable>[0]
const kinds: readonly Kind[] = ['csv', 'xlsx', 'ndjson']

const write = (kind: Kind, header: string[], rows: Iterable<Cell[]>) =>
  buffer(writeTable(kind, { header, rows }) as never)

async function readBack(bytes: Uint8Array): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for await (const { cells } of (await readTable(bytes)).rows) rows.push(cells)
  return rows
}

const number = (text: string): Cell => ({ kind: 'number', text })
const date = (text: string): Cell => ({ kind: 'date', text })

/** How a kind of file gives back a cell: CSV knows only texts, JSON has no dates. */
function asRead(kind: Kind, cell: Cell): Cell {
  if (cell === null || cell === '') return null
  if (typeof cell === 'string' || kind === 'xlsx') return cell
  if (kind === 'csv') return cell.kind === 'number' ? cell.text.replace('.', ',') : cell.text
  return cell.kind === 'date' ? cell.text : cell
}

const trimmed = (cells: Cell[]) => {
  const last = cells.findLastIndex(cell => cell !== null)
  return cells.slice(0, last + 1)
}

describe.each(kinds)('%s', kind => {
  it('what was written is read again', async () => {
    const rows: Cell[][] = [
      ['F-1', number('1234.56'), date('2026-03-12'), 'Société « Éclair » & Fils; "SARL"'],
      ['F-2', number('-0.5'), date('2026-03-12T09:30:00'), 'two\nlines'],
      ['F-3', null, null, ' spaces '],
      ["'=1", { kind: 'boolean', text: 'TRUE' }, null, '_x0041_ \t<b>'],
    ]
    const header = ['Number', 'Amount', 'Date', 'Name']
    expect((await readBack(await write(kind, header, rows))).map(trimmed)).toEqual([
      header,
      ...rows.map(row => trimmed(row.map(cell => asRead(kind, cell)))),
    ])
  })

  it('any text is read again as it was written', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 })
    const risky = fc.tuple(
      fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'", "''=", '＝', "'＠", '"', ';', '\n', ''),
      text,
    )
    const cell = risky.map(([start, rest]) => start + rest).filter(value => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), async rows => {
        const read = await readBack(await write(kind, ['one', 'two'], rows))
        const filled = rows.filter(row => row.some(value => value !== ''))
        expect(read.slice(1).map(trimmed)).toEqual(
          filled.map(row => trimmed(row.map(value => asRead(kind, value)))),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('a text that is too long, and a cell without a title, are refused', async () => {
    await expect(write(kind, ['a'], [['x'.repeat(40_000)]])).rejects.toMatchObject({ code: 'cell_too_long' })
    await expect(write(kind, ['a'], [['x', 'y']])).rejects.toMatchObject({ code: 'too_many_columns' })
  })

  it('a source that fails ends the writing with its error', async () => {
    function* rows(): Generator<Cell[]> {
      yield ['1']
      throw new Error('the database is away')
    }
    await expect(write(kind, ['a'], rows())).rejects.toThrow('the database is away')
  })

  it('a reader that leaves early ends the source', async () => {
    let [asked, isEnded] = [0, false]
    function* rows(): Generator<Cell[]> {
      try {
        for (;;) yield [`row ${asked++} ${Math.sin(asked)}`]
      } finally {
        isEnded = true
      }
    }
    for await (const piece of writeTable(kind, { header: ['a'], rows: rows() }))
      if (piece.length > 1000) break
    await new Promise(resolve => setImmediate(resolve))
    expect(isEnded).toBe(true)
    expect(asked).toBeLessThan(100_000)
  })
})

it('CSV is what Excel in France expects', async () => {
  const rows = [['=cmd()', number('-12.5'), '+33 6', 'a;b', date('2026-03-12')]]
  expect((await write('csv', ['A', 'B', 'C', 'D', 'É'], rows)).toString()).toBe(
    '\ufeffA;B;C;D;É\r\n"\'=cmd()";-12,5;"\'+33 6";"a;b";2026-03-12\r\n',
  )
})

it('CSV marks signs that some languages of Excel read as the start of a formula, and reads them back', async () => {
  const texts = ['＝1+1', '＋1', '－1', '＠SUM(1)', '﹢1', "'＝1"]
  const bytes = await write(
    'csv',
    ['a'],
    texts.map(text => [text]),
  )
  expect(bytes.toString().split('\r\n').slice(1, -1)).toEqual(texts.map(text => `"'${text}"`))
  expect((await readBack(bytes)).slice(1)).toEqual(texts.map(text => [text]))
})

it('a number of more than 15 digits stays complete in a workbook', async () => {
  expect((await readBack(await write('xlsx', ['a'], [[number('1234567890123456')]])))[1]).toEqual([
    '1234567890123456',
  ])
})

it('the header is bold and stays in view, and the same rows give the same bytes', async () => {
  const bytes = () => write('xlsx', ['Numéro'], [['F-1']])
  expect(await bytes()).toEqual(await bytes())
  const { ZipParts } = await import('./zip-parts.ts')
  const { defaultTableLimits } = await import('./sheet-error.ts')
  const zip = await ZipParts.open(await bytes(), defaultTableLimits)
  let xml = ''
  for await (const piece of zip.text('xl/worksheets/sheet1.xml')) xml += piece
  expect(xml).toContain('state="frozen"')
  expect(xml).toContain('<c s="1" t="inlineStr"><is><t xml:space="preserve">Numéro</t></is></c>')
})
