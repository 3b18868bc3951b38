import { isRealDate } from '../../../domain/time.ts'
import { type Cell, dateOfSerial, textOfCell } from '../../../kit/sheets/cell.ts'
import type { CellVerdict } from './row-codes.ts'

/** How a file writes its days: the day first, the month first, or both. `assumed`: the day first, and nothing proves it. */
export type DateOrder = 'day_first' | 'month_first' | 'mixed' | 'assumed'

/**
 * How a column writes its days. `isRewritten`: its texts have the month first, but other cells are dates of Excel. A French Excel
 * that opened an American file has converted the dates that it could read, and exchanged day and month in them.
 */
export interface ColumnOrder {
  order: DateOrder
  isRewritten: boolean
}

const months: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'janvier janv jan january',
    'fevrier fevr fev february feb',
    'mars mar march',
    'avril avr april apr',
    'mai may',
    'juin jun june',
    'juillet juil jul july',
    'aout aou august aug',
    'septembre sept sep september',
    'octobre oct october',
    'novembre nov november',
    'decembre dec december',
  ].flatMap((names, at) => names.split(' ').map(name => [name, at + 1])),
)

const time = '(?:[T ]+\\d{1,2}[:h]\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?)?'
/** Programs write midnight in France as 22:00 or 23:00 of the day before, in UTC. */
const lateInUtc = /[T ]2[23][:H]\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]00:?00)$/
const yearFirst = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${time}$`)
const yearLast = new RegExp(`^(\\d{1,2})([-/. ])(\\d{1,2})\\2(\\d{4}|\\d{2})${time}$`)
const dayMonthName = /^(?:[a-z]+\.? )?(\d{1,2})(?:er|st|nd|rd|th)?[ -]([a-z]+)\.?,?[ -](\d{4}|\d{2})$/
const monthNameDay = /^([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/

/** No date is longer. The limit keeps the patterns fast. */
const lengthMax = 60

const plain = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()

const fullYear = (year: string) => (year.length === 4 ? year : `${Number(year) < 80 ? 20 : 19}${year}`)

function day(year: string, month: number | string, dayOfMonth: string): CellVerdict<string> {
  const value = `${fullYear(year)}-${String(month).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  if (!isRealDate(value)) return { fault: 'date_not_a_day' }
  return year.length === 2 ? { value, healed: 'year_completed' } : { value }
}

/** What a text proves about the order of its file: a number above 12 is the day, if the whole is a day of the calendar. */
export function provenOrder(cell: Cell | undefined): DateOrder | null {
  const parts = typeof cell === 'string' && cell.length <= lengthMax ? yearLast.exec(cell.trim()) : null
  if (!parts) return null
  const [first, second, year] = [parts[1]!, parts[3]!, parts[4]!]
  if (Number(first) > 12) return 'value' in day(year, second, first) ? 'day_first' : null
  return Number(second) > 12 && 'value' in day(year, first, second) ? 'month_first' : null
}

function twoNumbers(parts: RegExpExecArray, order: DateOrder): CellVerdict<string> {
  const [first, second, year] = [parts[1]!, parts[3]!, parts[4]!]
  const isMonthFirst = Number(second) > 12 || (order === 'month_first' && Number(first) <= 12)
  const isOpen = Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)
  if (isOpen && order === 'mixed') return { fault: 'date_ambiguous' }
  const read = isMonthFirst ? day(year, first, second) : day(year, second, first)
  if (!isOpen || !('value' in read)) return read
  if (isMonthFirst) return { ...read, healed: 'date_by_column' }
  return order === 'assumed' ? { ...read, healed: 'date_day_first' } : read
}

const lastOfCentury = 80_000

/** 46093 is a day of Excel; 20260312 and 12032026 are days without separators. */
function digitsOnly(text: string): CellVerdict<string> {
  if (text.length === 8) {
    const read = day(text.slice(0, 4), text.slice(4, 6), text.slice(6))
    return 'value' in read ? read : day(text.slice(4), text.slice(2, 4), text.slice(0, 2))
  }
  const value = Number(text) < lastOfCentury ? dateOfSerial(Number(text), false) : null
  return value !== null && isRealDate(value)
    ? { value, healed: 'date_from_serial' }
    : { fault: 'date_not_a_day' }
}

/** A day as `2026-03-12`. */
export function readDate(
  cell: Cell | undefined,
  { order, isRewritten }: ColumnOrder = { order: 'assumed', isRewritten: false },
): CellVerdict<string> {
  if (textOfCell(cell).length > lengthMax) return { fault: 'date_not_a_day' }
  const text = plain(textOfCell(cell))
  if (typeof cell === 'object' && cell?.kind === 'date') {
    const value = cell.text.slice(0, 10)
    if (!isRealDate(value)) return { fault: 'date_not_a_day' }
    const isExchangeable = Number(value.slice(8)) <= 12 && value.slice(8) !== value.slice(5, 7)
    return isRewritten && isExchangeable ? { fault: 'date_ambiguous' } : { value }
  }
  if (/^\d{5}$|^\d{8}$/.test(text)) return digitsOnly(text)
  if (lateInUtc.test(text.toUpperCase())) return { fault: 'date_with_zone' }
  const iso = yearFirst.exec(text.toUpperCase())
  if (iso) return day(iso[1]!, iso[3]!, iso[4]!)
  const numbers = yearLast.exec(text.toUpperCase())
  if (numbers) return twoNumbers(numbers, order)
  const named = dayMonthName.exec(text)
  if (named && months[named[2]!]) return day(named[3]!, months[named[2]!]!, named[1]!)
  const english = monthNameDay.exec(text)
  if (english && months[english[1]!]) return day(english[3]!, months[english[1]!]!, english[2]!)
  return { fault: 'date_not_a_day' }
}
