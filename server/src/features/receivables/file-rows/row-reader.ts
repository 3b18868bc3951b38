import { type Cell, type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { readAmount, type Sum } from './amount-cell.ts'
import { cellOf, cleanText } from './cell-text.ts'
import { type Currencies, currenciesOfCell } from './currency-names.ts'
import { readDate } from './date-cell.ts'
import { isPlaceholder } from './debtor-cells.ts'
import { fieldNames } from './file-sentences.ts'
import {
  type CellVerdict,
  type Language,
  type Place,
  type RowFaultCode,
  type RowHealCode,
  rowFaults,
} from './row-codes.ts'
import { cellMax, type ImportField } from './row-fields.ts'
import type { ImportPlan } from './survey-file.ts'

export interface HealedCell {
  /** The field of the invoice, as the API names it. */
  field: string
  /** The title of the column in the file. */
  title: string
  from: string
  to: string
  code: RowHealCode
}

export interface RowFault {
  field: string
  code: RowFaultCode
  message: string
}

/** A sentence names less of a cell. */
const placeMax = 100

/** Reads the cells of one row, and collects the healed and the refused values. */
export class RowReader {
  readonly healed: HealedCell[] = []
  readonly refused: RowFault[] = []
  readonly row: Row
  private readonly plan: ImportPlan
  private readonly language: Language

  constructor(row: Row, plan: ImportPlan, language: Language) {
    this.row = row
    this.plan = plan
    this.language = language
  }

  cell(field: ImportField): Cell | undefined {
    return cellOf(this.row, this.plan.mapping, field)
  }

  text(field: ImportField): string {
    return cleanText(this.cell(field))
  }

  has(field: ImportField): boolean {
    return this.plan.mapping[field] !== undefined
  }

  refuse(column: ImportField, code: RowFaultCode, field: string = column, lines?: string): void {
    const place = { ...this.place(column), ...(lines !== undefined && { lines }) }
    this.refused.push({ field, code, message: rowFaults[code][this.language](place) })
  }

  private place(column: ImportField): Place {
    const title =
      this.plan.header.titles.get(this.plan.mapping[column] ?? -1) ?? fieldNames[column][this.language]
    const cell = this.cell(column)
    const unit = typeof cell === 'object' && cell?.unit ? ` ${cell.unit}` : ''
    return { title, value: `${this.text(column)}${unit}`.slice(0, placeMax) }
  }

  /** What a sentence about a field names, for each column. */
  places(): Partial<Record<ImportField, Place>> {
    const columns = Object.keys(this.plan.mapping) as ImportField[]
    return Object.fromEntries(columns.map(column => [column, this.place(column)]))
  }

  recordHealed(column: ImportField, field: string, to: string, code: RowHealCode): void {
    this.healed.push({ field, title: this.place(column).title, from: this.text(column), to, code })
  }

  get isInThousands(): boolean {
    return this.plan.isInThousands
  }

  /** The currencies that the titles of the sums, the lines above the titles and columns without a known title name. */
  currenciesOfFile(): Currencies[] {
    const { currencies, currencyColumns } = this.plan
    const ofColumns = currencyColumns.flatMap(column => {
      const found = currenciesOfCell(cleanText(this.row.cells[column]))
      return found ? [found] : []
    })
    return [...currencies, ...ofColumns]
  }

  /** Undefined if the cell is empty or refused. A faulty cell of Excel is refused before its text is read. */
  read<T>(
    column: ImportField,
    field: string,
    parse: (text: string) => CellVerdict<T>,
    show: (value: T) => string = String,
  ): T | undefined {
    const cell = this.cell(column)
    if (typeof cell === 'object' && cell?.kind === 'error') {
      this.refuse(column, 'cell_error', field)
      return undefined
    }
    if (typeof cell === 'object' && cell?.formula && (cell.kind === 'empty' || cell.text.startsWith('='))) {
      this.refuse(column, 'formula_without_value', field)
      return undefined
    }
    if (textOfCell(cell).length > cellMax[column]) {
      this.refuse(column, 'text_too_long', field)
      return undefined
    }
    const text = this.text(column)
    if (text === '') return undefined
    const verdict = parse(text)
    if ('fault' in verdict) {
      this.refuse(column, verdict.fault, field)
      return undefined
    }
    if (verdict.healed) this.recordHealed(column, field, show(verdict.value), verdict.healed)
    return verdict.value
  }

  /** The same for a column that may be empty: "néant" and "-" mean that it is. */
  readOptional<T>(
    column: ImportField,
    field: string,
    parse: (text: string) => CellVerdict<T>,
    show: (value: T) => string = String,
  ): T | undefined {
    const text = this.text(column)
    if (text !== '' && isPlaceholder(text)) {
      this.recordHealed(column, field, '', 'placeholder_left_out')
      return undefined
    }
    return this.read(column, field, parse, show)
  }

  require<T>(column: ImportField, field: string, value: T | undefined): T | undefined {
    const isRefused = this.refused.some(fault => fault.field === field)
    if (value === undefined && !isRefused) this.refuse(column, 'value_missing', field)
    return value
  }

  date(column: 'issueDate' | 'dueDate'): string | undefined {
    return this.require(column, column, this.read(column, column, this.dateParser(column)))
  }

  optionalDate(column: 'suppliedOn'): string | undefined {
    return this.readOptional(column, column, this.dateParser(column))
  }

  private dateParser(column: ImportField): () => CellVerdict<string> {
    return () => readDate(this.cell(column), this.plan.dateOrders[column])
  }

  sum(column: 'amount' | 'balance' | 'paid'): Sum | undefined {
    const decimal = this.plan.decimals[column] ?? null
    return this.read(
      column,
      'amountCents',
      () => readAmount(this.cell(column), decimal),
      ({ cents }) => String(cents),
    )
  }
}
