import { type Row, textOfCell } from './cell.ts'
import { type Encoding, encodingOf, firstText } from './decode-text.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import { readXlsx } from './read-xlsx.ts'
import { defaultTableLimits, SheetError, type TableLimits } from './sheet-error.ts'
import type { SheetName } from './workbook.ts'

export interface TableFacts {
  kind: 'csv' | 'xlsx' | 'ndjson'
  /** Every sheet of a workbook; empty for other files. */
  sheets: SheetName[]
  /** The sheet that is read. */
  sheet: string | null
  encoding: Encoding | null
  separator: string | null
}

export interface Table extends TableFacts {
  rows: AsyncIterable<Row> | Iterable<Row>
}

const beginsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)

const zipStart = [0x50, 0x4b, 0x03, 0x04]
/** The container of old Excel files, and of new ones that are protected by a password. */
const compoundStart = [0xd0, 0xcf, 0x11, 0xe0]
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le')

function refuseOther(bytes: Uint8Array, start: string): void {
  if (beginsWith(bytes, compoundStart))
    throw new SheetError(Buffer.from(bytes).includes(encryptedPackage) ? 'encrypted_file' : 'old_excel_file')
  if (start.includes('\0') || /^(?:%PDF|\[)/.test(start)) throw new SheetError('not_a_table')
  if (/^<(?:!doctype|\?xml|html|table|head|meta|workbook)/i.test(start)) throw new SheetError('web_page')
}

/** The rows as long as the whole table is within its limits: a small file may stand for many characters and empty cells. */
async function* withinLimits(rows: Table['rows'], limits: TableLimits): AsyncGenerator<Row> {
  let [cells, characters] = [0, 0]
  for await (const row of rows) {
    cells += row.cells.length
    for (const cell of row.cells) characters += textOfCell(cell).length
    if (cells > limits.cells) throw new SheetError('too_many_cells', { limit: limits.cells })
    if (characters > limits.characters)
      throw new SheetError('too_many_characters', { limit: limits.characters })
    yield row
  }
}

/**
 * Reads a table of any of the three kinds. The bytes decide which one it is, never the name of the file. `sheet`: the one to read of
 * a workbook; without it, the first that is visible and has a value.
 */
export async function readTable(
  bytes: Uint8Array,
  limits: TableLimits = defaultTableLimits,
  sheet?: string,
): Promise<Table> {
  const table = await openTable(bytes, limits, sheet)
  return { ...table, rows: withinLimits(table.rows, limits) }
}

async function openTable(bytes: Uint8Array, limits: TableLimits, chosen?: string): Promise<Table> {
  if (bytes.length > limits.fileBytes) throw new SheetError('file_too_large', { limit: limits.fileBytes })
  if (beginsWith(bytes, zipStart)) {
    const sheet = await readXlsx(bytes, limits, chosen)
    return { kind: 'xlsx', encoding: null, separator: null, ...sheet }
  }
  const encoding = encodingOf(bytes)
  const start = firstText(bytes, encoding, 4096).trimStart()
  refuseOther(bytes, start)
  if (start === '') throw new SheetError('no_data')
  const noSheets = { sheets: [], sheet: null }
  if (start.startsWith('{'))
    return {
      kind: 'ndjson',
      encoding,
      separator: null,
      ...noSheets,
      rows: readNdjson(bytes, encoding, limits),
    }
  return { kind: 'csv', encoding, ...noSheets, ...readCsv(bytes, encoding, limits) }
}
