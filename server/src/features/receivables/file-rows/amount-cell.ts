import { type Cell, textOfCell } from '../../../kit/sheets/cell.ts'
import type { CellVerdict } from './row-codes.ts'

export type DecimalSign = ',' | '.'

export interface AmountText {
  isNegative: boolean
  currency: string | null
  /** Digits, signs and groups, without anything around them. */
  body: string
}

const symbols: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', EURO: 'EUR', EUROS: 'EUR' }
export const currencyCode = (text: string): string => symbols[text.toUpperCase()] ?? text.toUpperCase()

const currencyWord = '(?:[A-Za-z]{3}|euros?|[€$£])'
const shape = new RegExp(
  `^(?:(${currencyWord})\\s*)?(?:([-+−–])\\s*)?(?:(${currencyWord})\\s*)?(\\d[\\d\\s.,'’]*|[.,]\\d+\\s*)(?:([-−–])\\s*)?(?:(${currencyWord})\\s*)?([-−–]?)$`,
  'i',
)

/** No sum is longer. */
const lengthMax = 60

/** Splits a sum into its parts; null if the text is no sum. */
export function splitAmount(text: string): AmountText | null {
  const trimmed = text.trim()
  if (trimmed.length > lengthMax) return null
  const inner = /^\((.*)\)$/.exec(trimmed)?.[1]
  const parts = shape.exec((inner ?? trimmed).trim())
  if (!parts) return null
  const [, first, before, second, digits, behind, last, atEnd] = parts
  const signs = [before, behind, atEnd].filter(sign => sign && sign !== '+')
  const currencies = [first, second, last].filter(word => word !== undefined)
  if (signs.length > 1 || currencies.length > 1 || (inner !== undefined && signs.length > 0)) return null
  return {
    isNegative: inner !== undefined || signs.length === 1,
    currency: currencies[0] === undefined ? null : currencyCode(currencies[0]),
    body: digits!.trim().replace(/\s/g, ' ').replaceAll('’', "'"),
  }
}

type Parts = { whole: string; fraction: string; isByColumn?: true }

/** Which of the signs is the decimal one; `doubt` if it could be either. */
function divide(body: string, decimal: DecimalSign | null): Parts | 'doubt' | null {
  const signs = body.replace(/[^.,]/g, '')
  const last = signs.at(-1) as DecimalSign | undefined
  if (last === undefined) return { whole: body, fraction: '' }
  const at = body.lastIndexOf(last)
  const divided = { whole: body.slice(0, at), fraction: body.slice(at + 1) }
  const isOnce = signs.indexOf(last) === signs.length - 1
  if (signs.length > 1)
    return isOnce ? divided : signs.replaceAll(last, '') === '' ? { whole: body, fraction: '' } : null
  const couldBeGroup = divided.fraction.length === 3 && /^[1-9]\d{0,2}$/.test(divided.whole)
  if (!couldBeGroup) return divided
  if (decimal === null) return 'doubt'
  return decimal === last ? divided : { whole: body, fraction: '', isByColumn: true }
}

/** Groups of three digits with one kind of sign between them, or no groups. */
const isWhole = (text: string) => /^\d*$/.test(text) || /^\d{1,3}([ .,'])\d{3}(?:\1\d{3})*$/.test(text)

/** The decimal sign that an amount proves, null if it could be either. */
export function provenDecimal(text: string): DecimalSign | null {
  const body = splitAmount(text)?.body
  if (body === undefined || !/[.,]/.test(body)) return null
  const divided = divide(body, null)
  if (divided === null || divided === 'doubt' || !isWhole(divided.whole)) return null
  const last = body.replace(/[^.,]/g, '').at(-1) as DecimalSign
  // A repeated sign separates groups, so the other one is the decimal sign.
  return divided.fraction === '' ? (last === ',' ? '.' : ',') : last
}

const centsMax = 1_000_000_000_000n

/** Rounds half a cent up, with decimal digits and never with binary fractions. */
function toCents(whole: string, fraction: string): bigint {
  const cents = BigInt(`${whole || '0'}${fraction.slice(0, 2).padEnd(2, '0')}`)
  return fraction.length > 2 && fraction[2]! >= '5' ? cents + 1n : cents
}

/** Whole cents, possibly negative. A number cell of Excel is rounded as Excel shows it; a text with more decimals is refused. */
export function readAmount(
  cell: Cell | undefined,
  decimal: DecimalSign | null,
): CellVerdict<{ cents: number; currency: string | null }> {
  const isNumber = typeof cell === 'object' && cell?.kind === 'number'
  const amount = splitAmount(textOfCell(cell))
  if (!amount) return { fault: 'amount_not_a_number' }
  const divided = divide(amount.body, isNumber ? '.' : decimal)
  if (divided === 'doubt') return { fault: 'amount_ambiguous' }
  if (divided === null || !isWhole(divided.whole) || !/^\d*$/.test(divided.fraction))
    return { fault: 'amount_not_a_number' }
  const isExact = /^\d{0,2}0*$/.test(divided.fraction)
  if (!isExact && !isNumber) return { fault: 'amount_decimals' }
  const cents = toCents(divided.whole.replace(/\D/g, ''), divided.fraction)
  if (cents > centsMax) return { fault: 'amount_too_large' }
  const value = {
    cents: amount.isNegative && cents > 0n ? -Number(cents) : Number(cents),
    currency: amount.currency,
  }
  if (!isExact) return { value, healed: 'amount_rounded' }
  return divided.isByColumn ? { value, healed: 'amount_by_column' } : { value }
}

/** A column that our own export names in cents. */
export function readCents(cell: Cell | undefined): CellVerdict<number> {
  const text = textOfCell(cell).trim()
  if (!/^-?\d{1,13}$/.test(text)) return { fault: 'amount_not_a_number' }
  return Number(text) > Number(centsMax) ? { fault: 'amount_too_large' } : { value: Number(text) }
}
