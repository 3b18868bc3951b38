import { hash } from 'node:crypto'
import type { Row } from '../../../kit/sheets/cell.ts'
import { type DecimalSign, provenDecimal } from './amount-cell.ts'
import { cellOf, cleanText } from './cell-text.ts'
import type { Currencies } from './currency-names.ts'
import { type ColumnOrder, type DateOrder, provenOrder } from './date-cell.ts'
import type { Header } from './match-header.ts'
import type { ColumnMapping, ImportField } from './row-fields.ts'
import { skipReason } from './skip-row.ts'
import { isEnglishHeader, SumNotes } from './sum-notes.ts'

/** The result of a pass over the whole file: how to read cells that are ambiguous on their own. */
export interface ImportPlan {
  header: { line: number; titles: ReadonlyMap<number, string> }
  mapping: ColumnMapping
  dateOrders: Readonly<Partial<Record<ImportField, ColumnOrder>>>
  decimals: Readonly<Partial<Record<ImportField, DecimalSign>>>
  /** What the titles of the sums and the lines above them say about the currency of every row. */
  currencies: readonly Currencies[]
  /** Columns without a known title that have a currency in each of their cells. */
  currencyColumns: readonly number[]
  isInThousands: boolean
  /** The lines of each invoice number that appears more than once with different contents. */
  differing: ReadonlyMap<string, readonly number[]>
  /** The first line of each invoice number that appears more than once with the same contents. */
  repeated: ReadonlyMap<string, number>
}

/** A plan can be stored between the two passes. */
export const planToJson = ({ header, differing, repeated, ...plan }: ImportPlan) => ({
  ...plan,
  header: { line: header.line, titles: [...header.titles] },
  differing: [...differing],
  repeated: [...repeated],
})
export const planOfJson = ({
  header,
  differing,
  repeated,
  ...plan
}: ReturnType<typeof planToJson>): ImportPlan => ({
  ...plan,
  header: { line: header.line, titles: new Map(header.titles) },
  differing: new Map(differing),
  repeated: new Map(repeated),
})

const dateFields = ['issueDate', 'dueDate', 'suppliedOn'] as const
const amountFields = ['amount', 'balance', 'paid'] as const
/** Rows with the same number are the same invoice if these are equal. */
const identityFields = [
  'amount',
  'balance',
  'amountCents',
  'balanceCents',
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
const numberMax = 100
/** The most lines that a sentence lists; more would not help. */
const linesMax = 20

/**
 * The first of two passes over a file: `observe` every row below the header, then `finish`. An ambiguous cell is judged by its
 * column, and a number that appears twice is known before its first row is imported.
 */
export class FileSurvey {
  private readonly header: Header
  private readonly titles: ReadonlyMap<number, string>
  private readonly mapping: ColumnMapping
  private readonly orders = new Map<ImportField, Set<DateOrder>>()
  private readonly dateCells = new Set<ImportField>()
  private readonly notes: SumNotes
  private readonly signs = new Map<ImportField, Set<DecimalSign>>()
  private readonly seen = new Map<string, { lines: number[]; contents: string; isDiffering: boolean }>()

  /** `mapping` is the proposal of the header, or the mapping that a person chose. */
  constructor(header: Header, mapping: ColumnMapping = header.mapping) {
    this.header = header
    this.titles = new Map(header.columns.map(({ column, title }) => [column, title]))
    this.mapping = mapping
    this.notes = new SumNotes(this.titles, mapping)
  }

  observe(row: Row): void {
    if (row.line < this.header.line) this.notes.observeAbove(row)
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
    // The number of a row that is no invoice is not counted.
    if (skipReason(row, { header: { titles: this.titles }, mapping: this.mapping }) !== null) return
    this.notes.observe(row)
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
    // If nothing proves the order, the day comes first, as everywhere in France; but not in a file that looks foreign.
    const isForeign = everySign.has('.') || isEnglishHeader(this.titles, this.mapping)
    const unproven = isForeign ? 'mixed' : 'assumed'
    const dateOrders: Partial<Record<ImportField, ColumnOrder>> = {}
    for (const field of dateFields) {
      const own = orderOf(this.orders.get(field) ?? new Set())
      const order = own ?? everyOrder ?? unproven
      dateOrders[field] = { order, isRewritten: own === 'month_first' && this.dateCells.has(field) }
    }
    const decimals: Partial<Record<ImportField, DecimalSign>> = {}
    for (const field of amountFields) {
      const signs = this.signs.get(field) ?? everySign
      if (signs.size === 1) decimals[field] = [...signs][0]!
    }
    const differing = new Map<string, readonly number[]>()
    const repeated = new Map<string, number>()
    for (const [number, { lines, isDiffering }] of this.seen)
      if (isDiffering) differing.set(number, lines)
      else if (lines.length > 1) repeated.set(number, lines[0]!)
    return {
      header: { line: this.header.line, titles: this.titles },
      mapping: this.mapping,
      dateOrders,
      decimals,
      ...this.notes.finish(),
      differing,
      repeated,
    }
  }
}
