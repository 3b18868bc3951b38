import { hash } from 'node:crypto'
import { type Cell, type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { type DecimalSign, provenDecimal } from './amount-cell.ts'
import { type DateOrder, provenOrder } from './date-cell.ts'
import type { ColumnMapping, ImportField } from './import-fields.ts'
import type { Header } from './match-header.ts'

/** What one look over the whole file says about cells that alone could mean two things. */
export interface ImportPlan {
  header: { line: number; titles: ReadonlyMap<number, string> }
  mapping: ColumnMapping
  dateOrders: Readonly<Partial<Record<ImportField, { order: DateOrder; isRewritten: boolean }>>>
  decimals: Readonly<Partial<Record<ImportField, DecimalSign>>>
  /** The lines of each invoice number that appears more than once with different contents. */
  differing: ReadonlyMap<string, readonly number[]>
}

/** Most cells have nothing to clean, and a file has a million of them. */
const needsCleaning = /[\u200b\ufeff\u00ad]|[^\S ]|\s\s|^\s|\s$/

/** One line without invisible characters, with single spaces. */
export function cleanText(cell: Cell | undefined): string {
  const text = textOfCell(cell)
  if (!needsCleaning.test(text)) return text
  return text
    .replace(/[\u200b\ufeff\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function cellOf(row: Row, mapping: ColumnMapping, field: ImportField): Cell | undefined {
  const column = mapping[field]
  return column === undefined ? undefined : row.cells[column]
}

const dateFields = ['issueDate', 'dueDate'] as const
const amountFields = ['amount', 'balance', 'paid'] as const
/** Rows with the same number are the same invoice if these are equal. */
const identityFields = [
  'amount',
  'balance',
  'amountCents',
  'issueDate',
  'dueDate',
  'debtor.name',
  'debtor.email',
] as const

/** A digest: cells may be long, and the file has many. */
const contentsOf = (row: Row, mapping: ColumnMapping): string =>
  hash('sha1', identityFields.map(field => cleanText(cellOf(row, mapping, field))).join('\u001f'))

const orderOf = (orders: ReadonlySet<DateOrder>): DateOrder | null =>
  orders.size > 1 ? 'mixed' : ([...orders][0] ?? null)

/** Longer numbers are refused, and need not be remembered. */
export const numberMax = 100
/** Listed in a sentence; more of them help nobody. */
const linesMax = 20

/**
 * The first of two passes over a file: `observe` every row below the header, then `finish`. An ambiguous cell is judged by its column,
 * and a number that appears twice is known before its first row is imported.
 */
export class FileSurvey {
  private readonly header: Header
  private readonly mapping: ColumnMapping
  private readonly orders = new Map<ImportField, Set<DateOrder>>()
  private readonly dateCells = new Set<ImportField>()
  private readonly signs = new Map<ImportField, Set<DecimalSign>>()
  private readonly seen = new Map<string, { lines: number[]; contents: string; isDiffering: boolean }>()

  /** `mapping` is the proposal of the header, or what a person made of it. */
  constructor(header: Header, mapping: ColumnMapping = header.mapping) {
    this.header = header
    this.mapping = mapping
  }

  observe(row: Row): void {
    if (row.line <= this.header.line || row.hidden) return
    for (const field of dateFields) {
      const cell = cellOf(row, this.mapping, field)
      const order = provenOrder(cell)
      if (order) this.orders.set(field, (this.orders.get(field) ?? new Set()).add(order))
      if (typeof cell === 'object' && cell?.kind === 'date') this.dateCells.add(field)
    }
    for (const field of amountFields) {
      const cell = cellOf(row, this.mapping, field)
      const sign = typeof cell === 'string' ? provenDecimal(cell) : null
      if (sign) this.signs.set(field, (this.signs.get(field) ?? new Set()).add(sign))
    }
    this.observeNumber(row, cleanText(cellOf(row, this.mapping, 'invoiceNumber')))
  }

  private observeNumber(row: Row, number: string): void {
    if (number === '' || number.length > numberMax) return
    const contents = contentsOf(row, this.mapping)
    const known = this.seen.get(number)
    if (!known) this.seen.set(number, { lines: [row.line], contents, isDiffering: false })
    else {
      if (known.lines.length < linesMax) known.lines.push(row.line)
      known.isDiffering ||= known.contents !== contents
    }
  }

  finish(): ImportPlan {
    const everyOrder = orderOf(new Set([...this.orders.values()].flatMap(orders => [...orders])))
    const everySign = new Set([...this.signs.values()].flatMap(signs => [...signs]))
    const dateOrders: Partial<Record<ImportField, { order: DateOrder; isRewritten: boolean }>> = {}
    for (const field of dateFields) {
      const own = orderOf(this.orders.get(field) ?? new Set())
      // Nothing proves the order: the day stands first, as everywhere in France.
      const order = own ?? everyOrder ?? 'day_first'
      dateOrders[field] = { order, isRewritten: own === 'month_first' && this.dateCells.has(field) }
    }
    const decimals: Partial<Record<ImportField, DecimalSign>> = {}
    for (const field of amountFields) {
      const signs = this.signs.get(field) ?? everySign
      if (signs.size === 1) decimals[field] = [...signs][0]!
    }
    const differing = new Map<string, readonly number[]>()
    for (const [number, { lines, isDiffering }] of this.seen) if (isDiffering) differing.set(number, lines)
    const titles = new Map(this.header.columns.map(({ column, title }) => [column, title]))
    return {
      header: { line: this.header.line, titles },
      mapping: this.mapping,
      dateOrders,
      decimals,
      differing,
    }
  }
}
