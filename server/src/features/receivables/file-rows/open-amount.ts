import { isTwoDecimalCurrency } from '../../../domain/money/money.ts'
import { currencyCode, readCents } from './amount-cell.ts'
import type { ImportField } from './row-fields.ts'
import type { RowReader } from './row-reader.ts'

interface OpenAmount {
  cents?: number
  currency: string | null
  isPaid?: true
}

const centsOfColumn = (reader: RowReader) => {
  const cents = reader.read('amountCents', 'amountCents', () => readCents(reader.cell('amountCents')))
  return cents === undefined ? undefined : { cents, currency: null }
}

const paidWords = /^(?:oui|yes|vrai|true)$/i
const unpaidWords = /^(?:non|no|faux|false)$/i

/** The paid part of the total. Some programs export only yes or no. */
function readPaid(reader: RowReader, totalCents: number): number {
  const text = reader.text('paid')
  if (paidWords.test(text)) return totalCents
  return unpaidWords.test(text) ? 0 : (reader.sum('paid')?.cents ?? 0)
}

/** The open amount. Money that is paid is never claimed: an empty balance is refused, and a part payment is subtracted. */
export function readOpenAmount(reader: RowReader): OpenAmount {
  const hasBalance = reader.has('balance')
  const totalColumn = reader.has('amount') ? 'amount' : 'amountCents'
  const hasTotal = reader.has(totalColumn)
  const total = totalColumn === 'amount' ? reader.sum('amount') : centsOfColumn(reader)
  const balance = hasBalance ? reader.sum('balance') : undefined
  const paid = hasBalance ? 0 : readPaid(reader, total?.cents ?? 0)
  const currency = total?.currency ?? balance?.currency ?? null
  if (reader.refused.some(({ field }) => field === 'amountCents')) return { currency }
  if (hasBalance && !balance) {
    reader.refuse('balance', 'balance_missing', 'amountCents')
    return { currency }
  }
  if (hasTotal && !reader.require(totalColumn, 'amountCents', total)) return { currency }
  const open = balance?.cents ?? total!.cents - paid
  const column = balance ? 'balance' : totalColumn
  if (total && total.cents > 0 && open > total.cents) {
    reader.refuse(column, 'balance_above_amount', 'amountCents')
    return { currency }
  }
  if (balance ? open === 0 : open <= 0 && paid > 0) return { currency, isPaid: true }
  if (total && open > 0 && open < total.cents)
    reader.recordHealed('amountCents', String(total.cents), String(open), 'balance_taken')
  return judgeOpenAmount(reader, column, open, currency)
}

function judgeOpenAmount(
  reader: RowReader,
  column: ImportField,
  cents: number | undefined,
  currency: string | null,
) {
  if (cents === undefined) return { currency }
  if (cents <= 0) {
    reader.refuse(column, cents === 0 ? 'amount_zero' : 'amount_negative', 'amountCents')
    return { currency }
  }
  return { cents, currency }
}

export function readCurrency(reader: RowReader, ofAmount: string | null): string | undefined {
  const own = reader.readOptional('currency', 'currency', text => ({ value: currencyCode(text) }))
  const code = own ?? ofAmount ?? undefined
  if (own !== undefined && ofAmount !== null && own !== ofAmount)
    reader.refuse('currency', 'currency_conflict')
  else if (code !== undefined && !isTwoDecimalCurrency(code))
    reader.refuse(own === undefined ? 'amount' : 'currency', 'currency_unknown', 'currency')
  return code
}
