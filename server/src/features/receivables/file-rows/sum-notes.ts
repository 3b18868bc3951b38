import { type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { cleanText } from './cell-text.ts'
import { type Currencies, isCurrencyText, splitTitle } from './currency-names.ts'
import { type ColumnMapping, type ImportField, titleMax } from './row-fields.ts'

const sumFields: readonly ImportField[] = ['amount', 'balance', 'paid']

/** A line above the titles that speaks of sums or their currency. */
const aboutSums =
  /\b(?:devises?|monnaies?|currency|currencies|montants?|amounts?|sommes?|chiffres|valeurs)\b/i
const thousands = /\bk ?€|\bkeur\b|\bk ?usd\b|\bmilliers?\b|\bmillions?\b|\bthousands?\b|\bm€/i

const englishWords = new Set(
  'invoice customer company issue issued billing due amount balance outstanding paid number name currency phone street city country postcode zip status'.split(
    ' ',
  ),
)

/** Whether at least half of the titles that are read have an English word. */
export function isEnglishHeader(titles: ReadonlyMap<number, string>, mapping: ColumnMapping): boolean {
  const read = Object.values(mapping).map(column => titles.get(column) ?? '')
  const isEnglish = (title: string) =>
    title
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-zà-ÿ]+/)
      .some(word => englishWords.has(word))
  return read.filter(isEnglish).length * 2 >= read.length
}

/** Gathers what a file says about the currency of its sums outside of the sums and the column of the currency. */
export class SumNotes {
  private readonly currencies: Currencies[] = []
  private readonly mapping: ColumnMapping
  private readonly mapped: ReadonlySet<number>
  /** Columns that no field is read from: whether every cell so far is a currency. */
  private readonly others = new Map<number, boolean>()
  private isInThousands = false

  constructor(titles: ReadonlyMap<number, string>, mapping: ColumnMapping) {
    this.mapping = mapping
    this.mapped = new Set(Object.values(mapping))
    for (const field of sumFields) {
      const found = splitTitle(titles.get(mapping[field] ?? -1) ?? '').currencies
      if (found) this.currencies.push(found)
    }
  }

  observeAbove(row: Row): void {
    const text = row.cells
      .map(cell => textOfCell(cell).slice(0, titleMax))
      .join(' ')
      .slice(0, titleMax)
    if (!aboutSums.test(text)) return
    const found = splitTitle(text).currencies
    if (found) this.currencies.push(found)
    this.isInThousands ||= thousands.test(text)
  }

  observe(row: Row): void {
    if (this.mapping.currency !== undefined) return
    for (const [column, cell] of row.cells.entries()) {
      if (cell === null || this.mapped.has(column) || this.others.get(column) === false) continue
      const text = cleanText(cell)
      if (text !== '') this.others.set(column, isCurrencyText(text))
    }
  }

  finish(): { currencies: Currencies[]; currencyColumns: number[]; isInThousands: boolean } {
    const currencyColumns = [...this.others].filter(([, isCurrency]) => isCurrency).map(([column]) => column)
    return { currencies: this.currencies, currencyColumns, isInThousands: this.isInThousands }
  }
}
