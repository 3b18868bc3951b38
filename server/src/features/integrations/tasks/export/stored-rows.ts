import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Cell } from '../../../../kit/sheets/cell.ts'
import { defaultTableLimits } from '../../../../kit/sheets/sheet-error.ts'
import type { ExportInput } from './schema.ts'
import { type Column, decimal, type StoredCell } from './source.ts'

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** Small enough that no other request waits long while a part is turned into rows. */
const partCharacters = 256 * 1024

const { cellLength } = defaultTableLimits

/** Cells are limited to the longest cell of a table; only texts of the audit log can be cut. */
const shortened = (cell: StoredCell): StoredCell =>
  cell !== null && cell.length > cellLength ? `${cell.slice(0, cellLength - 1)}…` : cell

/**
 * Collects rows in their stored form: lines of JSON in zipped parts, each of which can be read by itself. The first line of a
 * file has its columns, so that a later release reads it the same way.
 */
export class PartWriter {
  readonly parts: Buffer[] = []
  characters = 0
  private lines = ''

  async add(line: readonly StoredCell[] | readonly Column[]): Promise<void> {
    const written = `${JSON.stringify(line)}\n`
    this.characters += written.length
    this.lines += written
    if (this.lines.length >= partCharacters) await this.finish()
  }

  addRow = (cells: readonly StoredCell[]): Promise<void> => this.add(cells.map(shortened))

  async finish(): Promise<void> {
    if (this.lines === '') return
    this.parts.push(await zip(this.lines, { level: 4 }))
    this.lines = ''
  }
}

async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const part of parts) {
    const text = (await unzip(part)).toString()
    for (let from = 0, end = text.indexOf('\n'); end !== -1; from = end + 1, end = text.indexOf('\n', from))
      yield text.slice(from, end)
  }
}

/** The stored columns and rows, for a kind of file; the rows are read on demand. */
export async function readStored(
  parts: AsyncIterable<Buffer>,
  format: ExportInput['format'],
): Promise<{ columns: Column[]; rows: AsyncGenerator<Cell[]> }> {
  const lines = linesOf(parts)
  const first = await lines.next()
  const columns: Column[] = first.done ? [] : JSON.parse(first.value)
  const toCell = (stored: StoredCell, at: number): Cell => {
    const { kind } = columns[at]!
    if (stored === null || kind === 'text') return stored
    if (kind !== 'cents') return { kind, text: stored }
    return { kind: 'number', text: format === 'ndjson' ? stored : decimal(Number(stored)) }
  }
  async function* rows() {
    for await (const line of lines) yield (JSON.parse(line) as StoredCell[]).map(toCell)
  }
  return { columns, rows: rows() }
}
