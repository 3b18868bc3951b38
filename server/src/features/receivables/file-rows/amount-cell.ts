import { type Cell, textOfCell } from '../../../kit/sheets/cell.ts'
import { type Currencies, currenciesOf } from './currency-names.ts'
import type { CellVerdict } from './row-codes.ts'

export type DecimalSign = ',' | '.'

interface AmountText {
  isNegative: boolean
  /** What the words beside the digits may mean; null: there are none. */
  currencies: Currencies | null
  /** Digits, signs and groups, without anything around them. */
  body: string
}

/** No sum is longer. */
const lengthMax = 60
const minusSigns = new Set('-+−–')

/** What is before or behind the digits: a sign, a currency, or both. */
function edgeOf(text: string): { sign: string; word: string } | null {
  const trimmed = text.trim()
  const isFirst = minusSigns.has(trimmed[0] ?? '')
  const isLast = trimmed.length > 1 && minusSigns.has(trimmed.at(-1)!)
  if (isFirst && isLast) return null
  const sign = isFirst ? trimmed[0]! : isLast ? trimmed.at(-1)! : ''
  return { sign, word: trimmed.slice(isFirst ? 1 : 0, isLast ? -1 : undefined).trim() }
}

/** Splits a sum into its parts; null if the text is no sum. */
export function splitAmount(text: string): AmountText | null {
  const trimmed = text.trim()
  if (trimmed.length > lengthMax) return null
  const isBracketed = trimmed.startsWith('(') && trimmed.endsWith(')')
  const inner = isBracketed ? trimmed.slice(1, -1) : trimmed
  let from = inner.search(/\d/)
  if (from === -1) return null
  // The point of ",50" is a decimal sign, the one of "Fr.50" is not.
  if (/[.,]/.test(inner[from - 1] ?? '') && !/\p{L}/u.test(inner[from - 2] ?? '')) from--
  let to = inner.length
  while (!/\d/.test(inner[to - 1]!)) to--
  while (/[.,]/.test(inner[to] ?? '')) to++
  const [before, behind] = [edgeOf(inner.slice(0, from)), edgeOf(inner.slice(to))]
  const body = inner.slice(from, to)
  if (!before || !behind || behind.sign === '+' || !/^[\d\s.,'’]+$/.test(body)) return null
  const minus = [before.sign, behind.sign].filter(sign => sign !== '' && sign !== '+').length
  if (minus > 1 || (isBracketed && minus > 0) || (before.word !== '' && behind.word !== '')) return null
  const word = before.word + behind.word
  const currencies = word === '' ? null : currenciesOf(word)
  if (word !== '' && !currencies) return null
  return {
    isNegative: isBracketed || minus === 1,
    currencies,
    body: body.trim().replace(/\s/g, ' ').replaceAll('’', "'"),
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

export interface Sum {
  cents: number
  currencies: Currencies | null
}

/** What a number format shows beside a number, and is no currency. */
const plainUnits = /^(?:ttc|t\.t\.c\.?)$/i

/** Whole cents, possibly negative. A number cell of Excel is rounded as Excel shows it; a text with more decimals is refused. */
export function readAmount(cell: Cell | undefined, decimal: DecimalSign | null): CellVerdict<Sum> {
  const number = typeof cell === 'object' && cell?.kind === 'number' ? cell : null
  const amount = splitAmount(textOfCell(cell))
  if (!amount) return { fault: 'amount_not_a_number' }
  const divided = divide(amount.body, number ? '.' : decimal)
  if (divided === 'doubt') return { fault: 'amount_ambiguous' }
  if (divided === null || !isWhole(divided.whole) || !/^\d*$/.test(divided.fraction))
    return { fault: 'amount_not_a_number' }
  const unit = number?.unit && !plainUnits.test(number.unit) ? number.unit : null
  const ofFormat = unit === null ? null : currenciesOf(unit)
  if (unit !== null && !ofFormat) return { fault: 'amount_unit_unknown' }
  const isExact = /^\d{0,2}0*$/.test(divided.fraction)
  if (!isExact && !number) return { fault: 'amount_decimals' }
  const cents = toCents(divided.whole.replace(/\D/g, ''), divided.fraction)
  if (cents > centsMax) return { fault: 'amount_too_large' }
  const value = {
    cents: amount.isNegative && cents > 0n ? -Number(cents) : Number(cents),
    currencies: amount.currencies ?? ofFormat,
  }
  if (!isExact) return { value, healed: 'amount_rounded' }
  return divided.isByColumn ? { value, healed: 'amount_by_column' } : { value }
}

/** A column that says that it is in cents. */
export function readCents(cell: Cell | undefined): CellVerdict<Sum> {
  const text = textOfCell(cell).trim()
  if (!/^-?\d{1,13}$/.test(text)) return { fault: 'amount_not_a_number' }
  return Number(text) > Number(centsMax)
    ? { fault: 'amount_too_large' }
    : { value: { cents: Number(text), currencies: null } }
}
