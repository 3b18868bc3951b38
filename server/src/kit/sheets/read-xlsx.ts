import { type Cell, dateOfSerial, plainNumber, type Row, type TypedCell } from './cell.ts'
import { readXml, type XmlEvents } from './read-xml.ts'
import { SheetError, type TableLimits } from './sheet-error.ts'
import { type CellStyle, decodeEscapes, openWorkbook, type SheetName, type Workbook } from './workbook.ts'
import { ZipParts } from './zip-parts.ts'

/** `AB12` is column 27, counted from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

const plainStyle: CellStyle = { isDate: false, unit: '' }

/** A cell while it is read. */
interface OpenCell {
  column: number
  type: string
  style: CellStyle
  isFormula: boolean
  text: string
}

function typedCell({ type, style, text }: OpenCell, workbook: Workbook, line: number): Cell {
  if (type === 's') {
    const shared = workbook.sharedStrings[Number(text)]
    if (shared === undefined) throw new SheetError('damaged_file', { line })
    return shared
  }
  if (type === 'str' || type === 'inlineStr') return decodeEscapes(text)
  if (type === 'b') return { kind: 'boolean', text: text.trim() === '1' ? 'TRUE' : 'FALSE' }
  if (type === 'e') return { kind: 'error', text: text.trim() }
  if (type === 'd') return { kind: 'date', text: text.replace(/(?:T00:00:00)?(?:\.\d+)?Z?$/, '') }
  const number = plainNumber(text)
  if (number === null) throw new SheetError('damaged_file', { line })
  const date = style.isDate ? dateOfSerial(Number(number), workbook.from1904) : null
  if (date !== null) return { kind: 'date', text: date }
  return { kind: 'number', text: number, ...(style.unit !== '' && { unit: style.unit }) }
}

function finishedCell(open: OpenCell, workbook: Workbook, line: number): Cell {
  if (!open.isFormula) return open.text === '' ? null : typedCell(open, workbook, line) || null
  if (open.text === '' && open.type !== 'str') return { kind: 'empty', text: '', formula: true }
  const cell = typedCell(open, workbook, line)
  return { ...(typeof cell === 'string' ? { kind: 'text', text: cell } : (cell as TypedCell)), formula: true }
}

/** Gathers the rows of a sheet while its XML is read. */
function collectRows(workbook: Workbook, limits: TableLimits): { events: XmlEvents; take(): Row[] } {
  let rows: Row[] = []
  let [line, column, rowCount, cellCount] = [0, -1, 0, 0]
  let [isHidden, isInText, isInline, isPhonetic] = [false, false, false, false]
  let cells: Cell[] = []
  let open: OpenCell | null = null

  const openRow = (attributes: Readonly<Record<string, string>>) => {
    const next = attributes.r === undefined ? line + 1 : Number(attributes.r)
    if (!Number.isSafeInteger(next) || next <= line) throw new SheetError('damaged_file', { line })
    line = next
    column = -1
    cells = []
    isHidden = attributes.hidden === '1' || attributes.hidden === 'true'
  }
  const openCell = (attributes: Readonly<Record<string, string>>) => {
    if (++cellCount > limits.cells) throw new SheetError('too_many_cells', { limit: limits.cells })
    const next = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
    if (next <= column) throw new SheetError('damaged_file', { line })
    column = next
    const style = workbook.styles[Number(attributes.s ?? 0)] ?? plainStyle
    open = { column, type: attributes.t ?? 'n', style, isFormula: false, text: '' }
  }
  const closeCell = (closed: OpenCell) => {
    const cell = finishedCell(closed, workbook, line)
    if (cell === null) return
    if (closed.column >= limits.columns)
      throw new SheetError('too_many_columns', { line, limit: limits.columns })
    while (cells.length < closed.column) cells.push(null)
    cells.push(cell)
  }
  const closeRow = () => {
    if (cells.length === 0) return
    if (++rowCount > limits.rows) throw new SheetError('too_many_rows', { limit: limits.rows })
    rows.push(isHidden ? { line, cells, hidden: true } : { line, cells })
  }

  const events: XmlEvents = {
    open(name, attributes) {
      if (name === 'row') openRow(attributes)
      else if (name === 'c') openCell(attributes)
      else if (name === 'v') isInText = open !== null
      else if (name === 'f' && open) open.isFormula = true
      else if (name === 'is') isInline = open !== null
      else if (name === 't') isInText = isInline && !isPhonetic
      else if (name === 'rPh') isPhonetic = true
    },
    text(content) {
      if (!isInText || !open) return
      open.text += content
      if (open.text.length > limits.cellLength)
        throw new SheetError('cell_too_long', { line, limit: limits.cellLength })
    },
    close(name) {
      if (name === 'v' || name === 't') isInText = false
      else if (name === 'is') isInline = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && open) {
        closeCell(open)
        open = null
      } else if (name === 'row') closeRow()
    },
  }
  return {
    events,
    take() {
      const taken = rows
      rows = []
      return taken
    },
  }
}

async function* rowsOf(
  zip: ZipParts,
  part: string,
  workbook: Workbook,
  limits: TableLimits,
): AsyncGenerator<Row> {
  const { events, take } = collectRows(workbook, limits)
  for await (const _ of readXml(zip.text(part), events)) yield* take()
  yield* take()
}

async function* withFirst(first: Row, rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

export interface OpenSheet {
  sheets: SheetName[]
  sheet: string
  rows: AsyncGenerator<Row>
}

/** The named sheet, or the first visible one that has a value. A merged area has its value in its first cell; the others are empty. */
export async function readXlsx(bytes: Uint8Array, limits: TableLimits, chosen?: string): Promise<OpenSheet> {
  const zip = await ZipParts.open(bytes, limits)
  const workbook = await openWorkbook(zip, limits)
  const sheets = workbook.sheets.map(({ name, hidden }) => ({ name, hidden }))
  for (const { name, hidden, part } of workbook.sheets) {
    if ((chosen === undefined ? hidden : name !== chosen) || !zip.has(part)) continue
    const rows = rowsOf(zip, part, workbook, limits)
    const first = await rows.next()
    if (!first.done) return { sheets, sheet: name, rows: withFirst(first.value, rows) }
    // A person may choose an empty sheet: it has no titles.
    if (chosen !== undefined) return { sheets, sheet: name, rows }
  }
  throw new SheetError('no_data')
}
