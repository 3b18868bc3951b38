import { beginsFormula } from './begins-formula.ts'
import { type Cell, isPlainDecimal } from './cell.ts'
import { defaultTableLimits, SheetError } from './sheet-error.ts'
import { writeXlsx } from './write-xlsx.ts'

export type Rows = AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>

export interface NewTable {
  header: readonly string[]
  rows: Rows
  /** The name of the only sheet of a workbook. */
  sheet?: string
}

const piecesOf = 64 * 1024

/** Joins lines into pieces that are large enough for a write. */
async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < piecesOf) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

const needsQuotes = /[";\r\n]|^[\s']|\s$/

function csvText(text: string): string {
  if (beginsFormula(text)) return `"'${text.replaceAll('"', '""')}"`
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Numbers have the decimal comma that Excel expects where the semicolon separates. */
function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return csvText(cell)
  return cell.kind === 'number' && isPlainDecimal(cell.text)
    ? cell.text.replace('.', ',')
    : csvText(cell.text)
}

const csvLine = (cells: readonly Cell[]) => `${cells.map(csvCell).join(';')}\r\n`

async function* csvLines({ header, rows }: NewTable): AsyncGenerator<string> {
  yield `\ufeff${csvLine(header)}`
  for await (const cells of rows) yield csvLine(cells)
}

function jsonCell(cell: Cell | undefined): string {
  if (cell === null || cell === undefined || (typeof cell === 'object' && cell.kind === 'empty'))
    return 'null'
  if (typeof cell === 'string') return JSON.stringify(cell)
  if (cell.kind === 'number' && isPlainDecimal(cell.text)) return cell.text
  return cell.kind === 'boolean' ? String(cell.text === 'TRUE') : JSON.stringify(cell.text)
}

/** A column, or several whose names begin the same: `debtor.name` and `debtor.email` make one object. */
type JsonMember = { key: string; column: number } | { key: string; members: JsonMember[] }

function jsonMembers(header: readonly string[]): JsonMember[] {
  const top: JsonMember[] = []
  for (const [column, name] of header.entries()) {
    let members = top
    const path = name.split('.')
    for (const part of path.slice(0, -1)) {
      const key = JSON.stringify(part)
      const known = members.find(member => 'members' in member && member.key === key)
      const inner: JsonMember[] = known && 'members' in known ? known.members : []
      if (!known) members.push({ key, members: inner })
      members = inner
    }
    members.push({ key: JSON.stringify(path.at(-1)), column })
  }
  return top
}

const jsonObject = (members: readonly JsonMember[], cells: readonly Cell[]): string =>
  `{${members
    .map(member =>
      'members' in member
        ? `${member.key}:${jsonObject(member.members, cells)}`
        : `${member.key}:${jsonCell(cells[member.column])}`,
    )
    .join(',')}}`

async function* jsonLines({ header, rows }: NewTable): AsyncGenerator<string> {
  const members = jsonMembers(header)
  for await (const cells of rows) yield `${jsonObject(members, cells)}\n`
}

async function* checked(rows: Rows, columns: number): AsyncGenerator<readonly Cell[]> {
  const limit = defaultTableLimits.cellLength
  let line = 1
  for await (const cells of rows) {
    line++
    if (cells.length > columns) throw new SheetError('too_many_columns', { line, limit: columns })
    for (const cell of cells)
      if ((typeof cell === 'string' ? cell : (cell?.text ?? '')).length > limit)
        throw new SheetError('cell_too_long', { line, limit })
    yield cells
  }
}

/** The bytes of a file, in pieces. Rows are asked for as the pieces are taken, so memory does not grow with their number. */
export function writeTable(kind: 'csv' | 'xlsx' | 'ndjson', table: NewTable): AsyncIterable<Uint8Array> {
  const safe = { ...table, rows: checked(table.rows, table.header.length) }
  if (kind === 'xlsx') return writeXlsx(safe)
  return inPieces(kind === 'csv' ? csvLines(safe) : jsonLines(safe))
}
