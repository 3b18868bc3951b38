import { isTwoDecimalCurrency } from '../../../domain/money/money.ts'
import { currencyCode, readCents } from './amount-cell.ts'
import type { ImportField } from './import-fields.ts'
import type { RowReader } from './row-reader.ts'

/** What is left to pay. Money that is paid already is never claimed: an empty balance is a doubt, and a part payment is taken off. */
export function readOpenAmount(reader: RowReader): {
  cents?: number
  currency: string | null
  isPaid?: true
} {
  if (reader.has('amountCents') && !reader.has('amount') && !reader.has('balance')) {
    const cents = reader.require(
      'amountCents',
      'amountCents',
      reader.read('amountCents', 'amountCents', () => readCents(reader.cell('amountCents'))),
    )
    return judgeOpenAmount(reader, 'amountCents', cents, null)
  }
  const total = reader.has('amount') ? reader.sum('amount') : undefined
  const paid = reader.has('paid') && !reader.has('balance') ? (reader.sum('paid')?.cents ?? 0) : 0
  const balance = reader.has('balance') ? reader.sum('balance') : undefined
  const currency = total?.currency ?? balance?.currency ?? null
  if (reader.refused.some(({ field }) => field === 'amountCents')) return { currency }
  if (reader.has('balance') && !balance) {
    reader.refuse('balance', 'balance_missing', 'amountCents')
    return { currency }
  }
  if (reader.has('amount') && !reader.require('amount', 'amountCents', total)) return { currency }
  const open = balance?.cents ?? total!.cents - paid
  const column = balance ? 'balance' : 'amount'
  if (total && total.cents > 0 && open > total.cents) {
    reader.refuse(column, 'balance_above_amount', 'amountCents')
    return { currency }
  }
  if (total && total.cents > 0 && open > 0 && open < total.cents)
    reader.recordHealed('amountCents', String(total.cents), String(open), 'balance_taken')
  if (open === 0 && (balance || paid > 0)) return { currency, isPaid: true }
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
