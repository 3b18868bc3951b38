import { isTwoDecimalCurrency } from '../../../domain/money/money.ts'
import { readCents, type Sum } from './amount-cell.ts'
import { type Currencies, commonOf, currenciesOfCell } from './currency-names.ts'
import type { CellVerdict } from './row-codes.ts'
import type { ImportField } from './row-fields.ts'
import type { RowReader } from './row-reader.ts'

interface OpenAmount {
  cents?: number
  isPaid?: true
}

const paidWords = /^(?:oui|yes|vrai|true)$/i
const unpaidWords = /^(?:non|no|faux|false)$/i

/** Sums have a column in units of the currency, or in cents. */
const centsColumns = { amount: 'amountCents', balance: 'balanceCents', paid: 'paidCents' } as const
type SumColumn = keyof typeof centsColumns

/** The sums of a row, each read once, and the currencies they name. */
class RowSums {
  readonly currencies: Currencies[] = []
  private readonly reader: RowReader

  constructor(reader: RowReader) {
    this.reader = reader
  }

  columnOf(name: SumColumn): ImportField {
    return this.reader.has(name) ? name : centsColumns[name]
  }

  has(name: SumColumn): boolean {
    return this.reader.has(this.columnOf(name))
  }

  read(name: SumColumn): Sum | undefined {
    const { reader } = this
    const cents = centsColumns[name]
    const sum = reader.has(name)
      ? reader.sum(name)
      : reader.read(
          cents,
          'amountCents',
          () => readCents(reader.cell(cents)),
          value => String(value.cents),
        )
    if (sum?.currencies) this.currencies.push(sum.currencies)
    return sum
  }

  /** The paid part of the total. Some programs export only yes or no. */
  readPaid(totalCents: number): number {
    const text = this.reader.text('paid')
    if (paidWords.test(text)) return totalCents
    return unpaidWords.test(text) ? 0 : (this.read('paid')?.cents ?? 0)
  }
}

/** The open amount, and its currency. Money that is paid is never claimed: an empty balance is refused, and a part payment is subtracted. */
export function readOpenAmount(reader: RowReader): OpenAmount & { currency: string | undefined } {
  const sums = new RowSums(reader)
  const open = readSums(reader, sums)
  return { ...open, currency: open.isPaid ? undefined : readCurrency(reader, sums.currencies) }
}

function readSums(reader: RowReader, sums: RowSums): OpenAmount {
  const hasBalance = sums.has('balance')
  const total = sums.read('amount')
  const balance = hasBalance ? sums.read('balance') : undefined
  const paid = hasBalance ? 0 : sums.readPaid(total?.cents ?? 0)
  if (reader.refused.some(({ field }) => field === 'amountCents')) return {}
  if (hasBalance && !balance) {
    reader.refuse(sums.columnOf('balance'), 'balance_missing', 'amountCents')
    return {}
  }
  const totalColumn = sums.columnOf('amount')
  if (sums.has('amount') && !reader.require(totalColumn, 'amountCents', total)) return {}
  const open = balance?.cents ?? total!.cents - paid
  const column = balance ? sums.columnOf('balance') : totalColumn
  if (total && total.cents > 0 && open > total.cents) {
    reader.refuse(column, 'balance_above_amount', 'amountCents')
    return {}
  }
  if (balance ? open === 0 : open <= 0 && paid > 0) return { isPaid: true }
  if (reader.isInThousands) {
    reader.refuse(column, 'amount_in_thousands', 'amountCents')
    return {}
  }
  if (open <= 0) {
    reader.refuse(column, open === 0 ? 'amount_zero' : 'amount_negative', 'amountCents')
    return {}
  }
  if (total && open < total.cents)
    reader.recordHealed(totalColumn, 'amountCents', String(open), 'balance_taken')
  return { cents: open }
}

/**
 * The currency, undefined where the file names none. Whatever names one counts: its column, the cells of the sums and their number
 * formats, the titles, the lines above them. What they say together must have one meaning.
 */
function readCurrency(reader: RowReader, ofSums: readonly Currencies[]): string | undefined {
  const read = (text: string): CellVerdict<Currencies> => {
    const value = currenciesOfCell(text)
    return value ? { value } : { fault: 'currency_unknown' }
  }
  // A sign alone is no missing value.
  const own = currenciesOfCell(reader.text('currency'))
    ? reader.read('currency', 'currency', read)
    : reader.readOptional('currency', 'currency', read)
  const named: Currencies[] = [...(own ? [own] : []), ...ofSums, ...reader.currenciesOfFile()]
  if (named.length === 0) return undefined
  const meant = named.reduce(commonOf)
  const column = own || !reader.has('amount') ? 'currency' : 'amount'
  if (meant.length === 1 && isTwoDecimalCurrency(meant[0]!)) return meant[0]!
  const code =
    meant.length > 1 ? 'currency_ambiguous' : meant.length === 1 ? 'currency_unknown' : 'currency_conflict'
  reader.refuse(column, code, 'currency')
  return undefined
}
