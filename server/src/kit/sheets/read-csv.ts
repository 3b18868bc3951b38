import { beginsFormula } from './begins-formula.ts'
import type { Cell, Row } from './cell.ts'
import { decodeText, type Encoding, firstText } from './decode-text.ts'
import { SheetError, type TableLimits } from './sheet-error.ts'

const quote = 34
const lineFeed = 10
const carriageReturn = 13

/** Where the reader is: before a cell, in one without quotes, in one with quotes, or after a quote inside of quotes. */
type State = 'start' | 'plain' | 'quoted' | 'after-quote'

function csvCell(text: string, isQuoted: boolean): Cell {
  if (text === '') return null
  // Our own export puts an apostrophe before a text that Excel would take for a formula.
  if (isQuoted && text.startsWith("'") && beginsFormula(text.slice(1))) return text.slice(1)
  if (!text.startsWith('=')) return text
  // `="00123"` is how programs keep the zeros of a text.
  return { kind: 'text', text: /^="([^"]*)"$/.exec(text)?.[1] ?? text, formula: true }
}

/** Rows of a text with separators. Every line counts, also an empty one, so that numbers are those of Excel. */
export function* parseCsv(
  chunks: Iterable<string>,
  separator: string,
  limits: TableLimits,
  firstLine = 1,
): Generator<Row> {
  const separatorCode = separator.charCodeAt(0)
  let [line, rows, cellCount] = [firstLine, 0, 0]
  let cells: Cell[] = []
  let text = ''
  let state: State = 'start'
  let isQuoted = false
  let isAfterCarriageReturn = false

  const checkLength = () => {
    if (text.length > limits.cellLength)
      throw new SheetError('cell_too_long', { line, limit: limits.cellLength })
  }
  const endCell = () => {
    checkLength()
    const cell = csvCell(text, isQuoted)
    if (cell !== null) {
      if (cells.length >= limits.columns)
        throw new SheetError('too_many_columns', { line, limit: limits.columns })
      cells.push(cell)
    } else if (cells.length < limits.columns) cells.push(null)
    if (++cellCount > limits.cells) throw new SheetError('too_many_cells', { limit: limits.cells })
    text = ''
    state = 'start'
    isQuoted = false
  }
  const endRow = (): Row | null => {
    endCell()
    while (cells.at(-1) === null) cells.pop()
    const row = { line: line++, cells }
    cells = []
    if (row.cells.length === 0) return null
    if (++rows > limits.rows) throw new SheetError('too_many_rows', { limit: limits.rows })
    return row
  }

  for (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at)
      if (isAfterCarriageReturn) {
        isAfterCarriageReturn = false
        if (code === lineFeed) {
          from = at + 1
          continue
        }
      }
      if (state === 'quoted') {
        if (code !== quote) continue
        text += chunk.slice(from, at)
        from = at + 1
        state = 'after-quote'
      } else if (code === quote && state === 'after-quote') {
        // Two quotes are one; the second becomes part of the text.
        from = at
        state = 'quoted'
      } else if (code === quote && state === 'start') {
        from = at + 1
        state = 'quoted'
        isQuoted = true
      } else if (code === separatorCode) {
        text += chunk.slice(from, at)
        from = at + 1
        endCell()
      } else if (code === lineFeed || code === carriageReturn) {
        text += chunk.slice(from, at)
        from = at + 1
        isAfterCarriageReturn = code === carriageReturn
        const row = endRow()
        if (row) yield row
      } else if (state === 'start') state = 'plain'
    }
    text += chunk.slice(from)
    checkLength()
  }
  // TypeScript does not see that the loop changes it.
  if ((state as State) === 'quoted') throw new SheetError('quote_not_closed', { line })
  const last = endRow()
  if (last) yield last
}

const separators = [';', '\t', '|', ','] as const
const sampledRows = 50

/** How many cells a separator makes, if it makes the same number in most rows. */
function fitness(sample: string, separator: string, limits: TableLimits): number {
  const widths = new Map<number, number>()
  let rows = 0
  try {
    for (const { cells } of parseCsv([sample], separator, { ...limits, columns: Number.MAX_SAFE_INTEGER })) {
      widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1)
      if (++rows === sampledRows) break
    }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error
  }
  let best = 0
  for (const [width, count] of widths) if (width > 1) best = Math.max(best, (count / rows) * width)
  return best
}

/** The separator that divides the first rows best; a line `sep=;` at the top, as Excel knows it, decides. */
export function findSeparator(
  sample: string,
  limits: TableLimits,
): { separator: string; isDeclared: boolean } {
  const declared = /^sep=(.)(?:\r|\n|$)/i.exec(sample)?.[1]
  if (declared) return { separator: declared, isDeclared: true }
  let [separator, most]: [string, number] = [';', 0]
  for (const candidate of separators) {
    const found = fitness(sample, candidate, limits)
    if (found > most) [separator, most] = [candidate, found]
  }
  return { separator, isDeclared: false }
}

export function readCsv(bytes: Uint8Array, encoding: Encoding, limits: TableLimits) {
  const { separator, isDeclared } = findSeparator(firstText(bytes, encoding), limits)
  function* rows(): Generator<Row> {
    for (const row of parseCsv(decodeText(bytes, encoding), separator, limits))
      if (!(isDeclared && row.line === 1)) yield row
  }
  return { separator, rows: rows() }
}
