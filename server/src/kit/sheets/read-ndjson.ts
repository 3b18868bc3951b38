import { type Cell, plainNumber, type Row } from './cell.ts'
import { decodeText, type Encoding } from './decode-text.ts'
import { SheetError, type TableLimits } from './sheet-error.ts'

const depthMax = 3
/** Values below the columns are written as JSON, which needs a stack as deep as they are. */
const nestingMax = 100

function* linesOf(bytes: Uint8Array, encoding: Encoding, limits: TableLimits): Generator<[number, string]> {
  const longest = limits.cellLength * 4
  let rest = ''
  let line = 1
  const check = (text: string) => {
    if (text.length > longest) throw new SheetError('cell_too_long', { line, limit: longest })
    return text
  }
  for (const chunk of decodeText(bytes, encoding)) {
    const parts = (rest + chunk).split('\n')
    rest = check(parts.pop()!)
    for (const part of parts) {
      if (part.trim() !== '') yield [line, check(part)]
      line++
    }
  }
  if (rest.trim() !== '') yield [line, rest]
}

/** The values of an object by their path: `debtor.name`. Deeper values and lists stay JSON. */
function* valuesOf(object: object, path = '', depth = 1): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(object)) {
    const place = path + key
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && depth < depthMax)
      yield* valuesOf(value, `${place}.`, depth + 1)
    else yield [place, value]
  }
}

function isTooDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nestingMax) return true
    level = level.flatMap(one => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

function objectOf(text: string, line: number): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new SheetError('bad_json_line', { line }, { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SheetError('bad_json_line', { line })
  if (isTooDeep(value)) throw new SheetError('too_deep', { line, limit: nestingMax })
  return value
}

function cellOf(value: unknown): Cell {
  if (value === null || value === '') return null
  if (typeof value === 'string') return value
  if (typeof value === 'number') return { kind: 'number', text: plainNumber(String(value)) ?? String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: value ? 'TRUE' : 'FALSE' }
  return JSON.stringify(value)
}

/**
 * The first row has the names and the line 0, because it is no line of the file. Keys may be missing in any object, so the file is
 * walked once before to collect them.
 */
export function* readNdjson(bytes: Uint8Array, encoding: Encoding, limits: TableLimits): Generator<Row> {
  const columns = new Map<string, number>()
  let [rows, cellCount] = [0, 0]
  for (const [line, text] of linesOf(bytes, encoding, limits)) {
    if (++rows > limits.rows) throw new SheetError('too_many_rows', { limit: limits.rows })
    for (const [key] of valuesOf(objectOf(text, line))) {
      if (++cellCount > limits.cells) throw new SheetError('too_many_cells', { limit: limits.cells })
      if (columns.has(key)) continue
      if (columns.size >= limits.columns)
        throw new SheetError('too_many_columns', { line, limit: limits.columns })
      columns.set(key, columns.size)
    }
  }
  yield { line: 0, cells: [...columns.keys()] }
  for (const [line, text] of linesOf(bytes, encoding, limits)) {
    const cells: Cell[] = new Array(columns.size).fill(null)
    for (const [key, value] of valuesOf(objectOf(text, line))) {
      const cell = cellOf(value)
      if (typeof cell === 'string' && cell.length > limits.cellLength)
        throw new SheetError('cell_too_long', { line, limit: limits.cellLength })
      cells[columns.get(key)!] = cell
    }
    if (cells.some(cell => cell !== null)) yield { line, cells }
  }
}
