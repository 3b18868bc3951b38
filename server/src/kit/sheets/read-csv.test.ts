import { expect, it } from 'vitest'
import type { Row } from './cell.ts'
import { parseCsv } from './read-csv.ts'
import { readTable } from './read-table.ts'
import { defaultTableLimits, type SheetError, type TableLimits } from './sheet-error.ts'

const rowsOf = async (bytes: Uint8Array, limits?: Partial<TableLimits>): Promise<Row[]> => {
  const rows: Row[] = []
  for await (const row of (await readTable(bytes, { ...defaultTableLimits, ...limits })).rows) rows.push(row)
  return rows
}
const read = (text: string, limits?: Partial<TableLimits>) => rowsOf(Buffer.from(text), limits)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error: SheetError) => error.code,
  )

it.each([
  ['a;b\n1;2\n', ';'],
  ['a,b\n"1,5",2\n', ','],
  ['a\tb\n1,5\t2,5\n', '\t'],
  ['a|b\n1;x|2\n', '|'],
  ['numéro;montant\nF1;12,50\nF2;1,5\nF3;7,25\n', ';'],
  ['Société, SARL;montant\nUn, deux;12,50\n', ';'],
  ['sep=|\na;b|c;d\n', '|'],
  ['only\none\ncolumn\n', ';'],
])('the separator of %j is %j', async (text, separator) => {
  expect((await readTable(Buffer.from(text))).separator).toBe(separator)
})

it('quotes, doubled quotes, and line breaks inside of quotes', async () => {
  expect(await read('a;b\r\n"x ""y"" z";"1\n2"\r\n\r\n3" pipe;end')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x "y" z', '1\n2'] },
    { line: 4, cells: ['3" pipe', 'end'] },
  ])
})

it.each(['\n', '\r\n', '\r'])('lines end with %j', async end => {
  expect(await read(['a;b', '1;2', '', '3;4'].join(end))).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', '2'] },
    { line: 4, cells: ['3', '4'] },
  ])
})

it('a line `sep=` is no row, and is counted', async () => {
  expect(await read('sep=,\na,b\n')).toEqual([{ line: 2, cells: ['a', 'b'] }])
})

it('cells without a value are null, and a row of separators is no row', async () => {
  expect(await read('a;b;c\n;2;\n;;;\n')).toEqual([
    { line: 1, cells: ['a', 'b', 'c'] },
    { line: 2, cells: [null, '2'] },
  ])
})

it('the division into pieces changes nothing', () => {
  const text = 'a;"b ""c""\r\nd";e\r\n"";"x";\r\n\r\nlast;"y"'
  const whole = [...parseCsv([text], ';', defaultTableLimits)]
  for (let size = 1; size < text.length; size++) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!
    expect([...parseCsv(pieces, ';', defaultTableLimits)]).toEqual(whole)
  }
})

const accents = 'Échéance;Société\n12 €;L’Œuvre\n'
const windows1252 = Uint8Array.from(
  [...'12 '].map(letter => letter.charCodeAt(0)).concat(0x80, 0x3b, 0x4c, 0x92, 0x8c, 0x75),
)
const bigEndian = () => Buffer.from(`\ufeff${accents}`, 'utf16le').swap16()
it.each([
  ['utf-8', Buffer.from(accents)],
  ['utf-8', Buffer.from(`\ufeff${accents}`)],
  ['utf-16le', Buffer.from(`\ufeff${accents}`, 'utf16le')],
  ['utf-16be', bigEndian()],
])('%s is recognised', async (encoding, bytes) => {
  expect((await readTable(bytes)).encoding).toBe(encoding)
  expect(await rowsOf(bytes)).toEqual([
    { line: 1, cells: ['Échéance', 'Société'] },
    { line: 2, cells: ['12 €', 'L’Œuvre'] },
  ])
})

it('what is no UTF-8 is read as Windows-1252, also where it is longer than a piece', async () => {
  expect(await rowsOf(windows1252)).toEqual([{ line: 1, cells: ['12 €', 'L’Œu'] }])
  const lines = Buffer.concat(
    Array.from({ length: 20_000 }, () => Buffer.concat([windows1252, Buffer.from('\n')])),
  )
  const rows = await rowsOf(lines)
  expect(rows).toHaveLength(20_000)
  expect(new Set(rows.map(({ cells }) => cells.join('|')))).toEqual(new Set(['12 €|L’Œu']))
})

it('a formula is marked, and a constant in one is its text', async () => {
  expect(await read('="00123";=A1+1;"=B2"\n')).toEqual([
    {
      line: 1,
      cells: [
        { kind: 'text', text: '00123', formula: true },
        { kind: 'text', text: '=A1+1', formula: true },
        { kind: 'text', text: '=B2', formula: true },
      ],
    },
  ])
})

it.each([
  ['a;b\n"open;2\n', {}, 'quote_not_closed'],
  [`a;b\n"${'x'.repeat(200_000)}`, {}, 'cell_too_long'],
  [`a;b\n${'x'.repeat(40_000)};2\n`, {}, 'cell_too_long'],
  ['a;b\n1;2\n3;4\n', { rows: 2 }, 'too_many_rows'],
  ['a;b;c\n1;2;3\n', { columns: 2 }, 'too_many_columns'],
  [';;;;;\n;;;;;\na;b\n', { cells: 10 }, 'too_many_cells'],
  ['a;b\n', { fileBytes: 3 }, 'file_too_large'],
  ['', {}, 'no_data'],
  ['\ufeff \r\n', {}, 'no_data'],
  ['%PDF-1.7', {}, 'not_a_table'],
  ['a\0b;c', {}, 'not_a_table'],
  ['[{"a":1}]', {}, 'not_a_table'],
  ['<html><table></table></html>', {}, 'web_page'],
  ['<?xml version="1.0"?><Workbook/>', {}, 'web_page'],
  ['{"a":1}\n{"a":\n', {}, 'bad_json_line'],
  ['{"a":1}\n[1]\n', {}, 'bad_json_line'],
  ['{"a":1,"b":2}\n', { columns: 1 }, 'too_many_columns'],
  ['{"a":1}\n{"a":2}\n', { rows: 1 }, 'too_many_rows'],
])('%j with the limits %j is refused as %s', async (text, limits, code) => {
  expect(await codeOf(read(text, limits))).toBe(code)
})

it('an object that is nested too deep to be written as a cell is a fault of the file', async () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}\n`
  expect(await codeOf(read(nested(20_000)))).toBe('too_deep')
  expect(await codeOf(read(nested(90)))).toBe('read')
})

it('a refusal names the line and what to do', async () => {
  await expect(read('a;b\n1;2\n"open;2\n')).rejects.toThrow(
    'A quote that begins in line 3 is not closed. Close it or remove it.',
  )
})

it('an old Excel file and a protected one are told apart', async () => {
  const start = Buffer.from('d0cf11e0a1b11ae1', 'hex')
  const protectedFile = Buffer.concat([start, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')])
  expect(await codeOf(rowsOf(Buffer.concat([start, Buffer.alloc(600)])))).toBe('old_excel_file')
  expect(await codeOf(rowsOf(protectedFile))).toBe('encrypted_file')
})

it('objects become rows under the names of all their keys', async () => {
  const text =
    '{"number":"F1","debtor":{"name":"Durand"},"cents":120.5}\n\n{"number":"F2","open":true,"tags":[1]}\n'
  expect(await read(text)).toEqual([
    { line: 0, cells: ['number', 'debtor.name', 'cents', 'open', 'tags'] },
    { line: 1, cells: ['F1', 'Durand', { kind: 'number', text: '120.5' }, null, null] },
    { line: 3, cells: ['F2', null, null, { kind: 'boolean', text: 'TRUE' }, '[1]'] },
  ])
})
