import { describe, expect, it } from 'vitest'
import { type WorkbookParts, workbookOf, zipOf } from '../../../test/harness/zip-of.ts'
import { dateOfSerial, isDateFormat, plainNumber, type Row, unitOfFormat } from './cell.ts'
import { readTable } from './read-table.ts'
import { defaultTableLimits, SheetError, type TableLimits } from './sheet-error.ts'

async function rowsOf(bytes: Uint8Array, limits?: Partial<TableLimits>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of (await readTable(bytes, { ...defaultTableLimits, ...limits })).rows) rows.push(row)
  return rows
}
const read = async (book: WorkbookParts, limits?: Partial<TableLimits>) =>
  rowsOf(await workbookOf(book), limits)
const readRow = async (cells: string, book: Partial<WorkbookParts> = {}) =>
  (await read({ sheets: { A: `<row r="1">${cells}</row>` }, ...book }))[0]!.cells

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'read'
  } catch (error) {
    if (error instanceof SheetError) return error.code
    throw error
  }
}

it.each<[string, string]>([
  ['#,##0.00\\ "€"', '€'],
  ['[$€-40C]\\ #,##0.00', '€'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "$"_-', '€'],
  ['#,##0.00\\ _€', ''],
  ['[Red]#,##0.00', ''],
  ['[$-40C]#,##0.00', ''],
  ['"US$" 0', 'US$'],
  ['£0.00', '£'],
  ['0\\k\\€', 'k€'],
  ['0" jours"', 'jours'],
  ['"open', ''],
  ['\\', ''],
])('the number format %j shows %j', (code, unit) => {
  expect(unitOfFormat(code)).toBe(unit)
})

it('a number has the unit of its format; of a built-in currency nobody knows which one it is', async () => {
  const formats = [{ id: 0 }, { id: 164, code: '#,##0.00 &quot;$&quot;' }, { id: 44 }]
  const row = '<c s="1"><v>10</v></c><c s="2"><v>10</v></c><c><v>10</v></c>'
  expect(await readRow(row, { formats })).toEqual([
    { kind: 'number', text: '10', unit: '$' },
    { kind: 'number', text: '10', unit: '¤' },
    { kind: 'number', text: '10' },
  ])
})

describe('cells', () => {
  it('shared, inline and rich texts, without what is said about their pronunciation', async () => {
    const sharedStrings =
      '<si><t>one</t></si><si><r><t xml:space="preserve">two </t></r><r><t>three</t></r><rPh><t>no</t></rPh></si>'
    const cells =
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><r><t>in</t></r><r><t>line &amp; more</t></r></is></c>'
    expect(await readRow(cells, { sharedStrings })).toEqual(['one', 'two three', null, 'inline & more'])
  })

  it('numbers, booleans, errors, and formulas with their stored value', async () => {
    const cells =
      '<c><v>1234.5599999999999</v></c><c><v>3.5600000000048E+13</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c>' +
      '<c><f>A1*2</f><v>12</v></c><c t="str"><f>B1</f><v>text</v></c><c><f>C1</f></c><c t="s"/>'
    expect(await readRow(cells)).toEqual([
      { kind: 'number', text: '1234.56' },
      { kind: 'number', text: '35600000000048' },
      { kind: 'boolean', text: 'TRUE' },
      { kind: 'error', text: '#N/A' },
      { kind: 'number', text: '12', formula: true },
      { kind: 'text', text: 'text', formula: true },
      { kind: 'empty', text: '', formula: true },
    ])
  })

  it('dates by their number format, in both systems', async () => {
    const formats = [{ id: 0 }, { id: 14 }, { id: 164, code: 'dd/mm/yyyy' }, { id: 165, code: '#,##0.00' }]
    const cells =
      '<c s="0"><v>46093</v></c><c s="1"><v>46093</v></c><c s="2"><v>46093.5</v></c><c s="3"><v>46093</v></c>'
    expect(await readRow(cells, { formats })).toEqual([
      { kind: 'number', text: '46093' },
      { kind: 'date', text: '2026-03-12' },
      { kind: 'date', text: '2026-03-12T12:00:00' },
      { kind: 'number', text: '46093' },
    ])
    expect(await readRow('<c s="1"><v>44631</v></c>', { formats, from1904: true })).toEqual([
      { kind: 'date', text: '2026-03-12' },
    ])
    expect(await readRow('<c t="d"><v>2026-03-12T00:00:00Z</v></c>')).toEqual([
      { kind: 'date', text: '2026-03-12' },
    ])
  })

  it.each([
    ['dd/mm/yyyy', true],
    ['[$-40C]d mmmm yyyy;@', true],
    ['jj/mm/aaaa', true],
    ['mmm', true],
    ['h:mm:ss', false],
    ['[h]:mm', false],
    ['#,##0.00\\ "jours dus"', false],
    ['0.00E+00', false],
    ['General', false],
    ['Standard', false],
    ['@', false],
  ])('the format %s shows a day: %s', (code, shows) => {
    expect(isDateFormat(code)).toBe(shows)
  })

  it('a serial number without a date stays a number', () => {
    expect(dateOfSerial(60, false)).toBeNull()
    expect(dateOfSerial(61, false)).toBe('1900-03-01')
    expect(dateOfSerial(0, true)).toBe('1904-01-01')
    expect(dateOfSerial(2_958_465, false)).toBe('9999-12-31')
    expect(dateOfSerial(2_958_466, false)).toBeNull()
  })

  it.each([
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.3'],
    ['-12.500000000000002', '-12.5'],
    ['1E-7', '0.0000001'],
    ['007', '7'],
    ['', null],
    ['x', null],
    ['Infinity', null],
  ])('the number %j is %j', (raw, text) => {
    expect(plainNumber(raw)).toBe(text)
  })
})

describe('sheets and rows', () => {
  it('the first visible sheet with a value is read, and all names are told', async () => {
    const row = '<row r="3"><c r="B3"><v>1</v></c></row>'
    const bytes = await workbookOf({
      sheets: { Secret: row, Blank: '<row r="1"><c s="1"/></row>', Data: row, More: row },
      hiddenSheets: ['Secret'],
    })
    const { sheet, sheets, kind } = await readTable(bytes)
    expect({ kind, sheet }).toEqual({ kind: 'xlsx', sheet: 'Data' })
    expect(sheets.map(({ name, hidden }) => `${name} ${hidden}`)).toEqual([
      'Secret true',
      'Blank false',
      'Data false',
      'More false',
    ])
    expect(await rowsOf(bytes)).toEqual([{ line: 3, cells: [null, { kind: 'number', text: '1' }] }])
  })

  it('hidden rows are marked, and numbers of rows are those of Excel', async () => {
    const A =
      '<row r="2" hidden="1"><c><v>1</v></c></row><row><c><v>2</v></c></row><row r="9"><c><v>3</v></c></row>'
    expect((await read({ sheets: { A } })).map(({ line, hidden }) => [line, hidden ?? false])).toEqual([
      [2, true],
      [3, false],
      [9, false],
    ])
  })

  it('of a merged area only the first cell has a value', async () => {
    const A =
      '<row r="1"><c r="A1" t="str"><v>x</v></c></row><row r="2"><c r="A2"/><c r="B2"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells><sheetData>'
    expect(await read({ sheets: { A } })).toEqual([
      { line: 1, cells: ['x'] },
      { line: 2, cells: [null, { kind: 'number', text: '1' }] },
    ])
  })

  it('names may have a prefix, as other programs write them', async () => {
    const xml =
      '<x:worksheet xmlns:x="urn:main"><x:sheetData><x:row r="4"><x:c r="A4" t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
    expect(await read({ sheets: { A: '' }, more: { 'xl/worksheets/sheet0.xml': xml } })).toEqual([
      { line: 4, cells: ['a'] },
    ])
  })

  it('links to other files are never opened', async () => {
    const more = {
      'xl/externalLinks/externalLink1.xml': '<externalLink/>',
      'xl/externalLinks/_rels/externalLink1.xml.rels': '<Relationships/>',
    }
    expect(await readRow('<c><f>[1]A!A1</f><v>5</v></c>', { more })).toEqual([
      { kind: 'number', text: '5', formula: true },
    ])
  })
})

describe('hostile files', () => {
  it('the code of a number format takes little time, also a long one', async () => {
    const bytes = await workbookOf({
      sheets: { A: '<row r="1"><c s="0"><v>1</v></c></row>' },
      formats: [{ id: 164, code: '['.repeat(30_000) }],
    })
    const before = process.threadCpuUsage()
    await rowsOf(bytes)
    const { user } = process.threadCpuUsage(before)
    expect(user / 1_000).toBeLessThan(200)
  })

  const row = '<row r="1"><c r="A1"><v>1</v></c></row>'
  const bomb = `<worksheet><sheetData>${'<x/>'.repeat(750_000)}${row}</sheetData></worksheet>`
  const part = (content: string | Buffer) => ({
    sheets: { A: row },
    more: { 'xl/worksheets/sheet0.xml': content },
  })
  const nine = '&lol;'.repeat(9)
  const sheetWith = (xml: string) => `<worksheet>${xml}<sheetData>${row}</sheetData></worksheet>`

  it.each<[string, WorkbookParts, Partial<TableLimits>, string]>([
    ['a bomb by its ratio', part(bomb), {}, 'compressed_too_much'],
    ['a bomb by its size', part(bomb), { unzippedBytes: 1_000_000 }, 'unzips_too_large'],
    [
      'two parts that are too large together',
      part(bomb),
      { unzippedBytes: 3_000_100, ratio: 1e9 },
      'unzips_too_large',
    ],
    [
      'a document type',
      part(`<!DOCTYPE w [<!ENTITY lol "lol">]><worksheet>${nine}</worksheet>`),
      {},
      'has_document_type',
    ],
    ['an entity that is not declared', part(`<worksheet>${nine}</worksheet>`), {}, 'damaged_file'],
    ['XML that is cut off', part('<worksheet><sheetData><row r="1"><c>'), {}, 'damaged_file'],
    [
      'elements in elements without end',
      part(sheetWith(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`)),
      {},
      'damaged_file',
    ],
    [
      'a comment of two million characters',
      part(sheetWith(`<!--${'b'.repeat(2_000_000)}-->`)),
      { ratio: 1e9 },
      'damaged_file',
    ],
    ['bytes that are no UTF-8', part(Buffer.from([0x3c, 0x61, 0x3e, 0xff])), {}, 'damaged_file'],
    [
      'a shared text that is not there',
      { sheets: { A: '<row><c t="s"><v>7</v></c></row>' } },
      {},
      'damaged_file',
    ],
    ['a number that is none', { sheets: { A: '<row><c><v>abc</v></c></row>' } }, {}, 'damaged_file'],
    ['rows that go backwards', { sheets: { A: '<row r="2"/><row r="1"/>' } }, {}, 'damaged_file'],
    ['cells that go backwards', { sheets: { A: '<row><c r="B1"/><c r="A1"/></row>' } }, {}, 'damaged_file'],
    ['macros', { sheets: { A: row }, more: { 'xl/vbaProject.bin': 'x' } }, {}, 'has_macros'],
    [
      'too many cells, empty ones included',
      { sheets: { A: `<row>${'<c/>'.repeat(50)}</row>` } },
      { cells: 49 },
      'too_many_cells',
    ],
    [
      'a column too far right',
      { sheets: { A: '<row><c r="XFD1"><v>1</v></c></row>' } },
      {},
      'too_many_columns',
    ],
    ['too many rows', { sheets: { A: `${row}<row><c><v>2</v></c></row>` } }, { rows: 1 }, 'too_many_rows'],
    [
      'too many shared texts',
      { sheets: { A: row }, sharedStrings: '<si/><si/>' },
      { sharedStrings: 1 },
      'too_many_shared_strings',
    ],
    [
      'too long shared texts',
      { sheets: { A: row }, sharedStrings: '<si><t>abc</t></si>' },
      { sharedCharacters: 2 },
      'too_many_shared_strings',
    ],
    [
      'a text that is too long',
      { sheets: { A: '<row><c t="str"><v>abcd</v></c></row>' } },
      { cellLength: 3 },
      'cell_too_long',
    ],
    ['no value at all', { sheets: { A: '<row r="1"><c/></row>' } }, {}, 'no_data'],
  ])('%s', async (_, book, limits, code) => {
    expect(await codeOf(read(book, limits))).toBe(code)
  })

  it('a zip that is no workbook, and a zip in a zip', async () => {
    const inner = await workbookOf({ sheets: { A: row } })
    expect(await codeOf(rowsOf(await zipOf({ 'a.txt': 'x' })))).toBe('not_a_workbook')
    expect(await codeOf(rowsOf(await zipOf({ 'book.xlsx': inner })))).toBe('not_a_workbook')
    expect(await codeOf(read(part(inner)))).toBe('damaged_file')
  })

  it('an encrypted part', async () => {
    const bytes = await workbookOf({ sheets: { A: row } })
    // The flags of each entry of the central directory.
    for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1))
      bytes[at + 8]! |= 1
    expect(await codeOf(rowsOf(bytes))).toBe('encrypted_file')
  })

  it('a part with another checksum than it says', async () => {
    const bytes = await workbookOf({ sheets: { A: row } })
    // The last time that the name occurs, it stands in the central directory, 46 bytes after the beginning of its entry.
    const entry = bytes.lastIndexOf('xl/worksheets/sheet0.xml') - 46
    bytes[entry + 16]! ^= 1
    expect(await codeOf(rowsOf(bytes))).toBe('damaged_file')
  })

  it('a file that is cut off or has a wrong byte is refused, never half read', async () => {
    const A = Array.from(
      { length: 300 },
      (_, at) => `<row r="${at + 1}"><c><v>${at * 7919}</v></c></row>`,
    ).join('')
    const whole = await workbookOf({ sheets: { A } })
    const expected = await rowsOf(whole)
    expect(expected).toHaveLength(300)
    expect(await codeOf(rowsOf(whole.subarray(0, whole.length >> 1)))).toBe('damaged_file')
    for (let at = 4; at < whole.length; at += 97) {
      const broken = Buffer.from(whole)
      broken[at]! ^= 0x55
      const rows = await rowsOf(broken).catch((error: unknown) => error)
      if (!(rows instanceof SheetError)) expect(rows, `byte ${at}`).toEqual(expected)
    }
  })
})

describe('all characters of a table', () => {
  const text = 'x'.repeat(100)
  const cells = '<c t="s"><v>0</v></c>'.repeat(10)
  const book = {
    sheets: { A: `<row>${cells}</row><row>${cells}</row>` },
    sharedStrings: `<si><t>${text}</t></si>`,
  }

  it('a shared text counts in each cell that refers to it', async () => {
    expect(await codeOf(read(book, { characters: 2_000 }))).toBe('read')
    expect(await codeOf(read(book, { characters: 1_999 }))).toBe('too_many_characters')
  })

  it('empty cells before a filled one count, because they are stored', async () => {
    const sheets = { A: '<row><c r="Z1"><v>1</v></c></row><row><c r="Z2"><v>1</v></c></row>' }
    expect(await codeOf(read({ sheets }, { cells: 52 }))).toBe('read')
    expect(await codeOf(read({ sheets }, { cells: 51 }))).toBe('too_many_cells')
  })
})
