/** A text cell is a string, an empty cell is null; every other cell has a kind. */
export type Cell = string | null | TypedCell

export interface TypedCell {
  kind: 'text' | 'number' | 'date' | 'boolean' | 'error' | 'empty'
  /**
   * number: plain decimal digits with a point, `-1234.56`. date: `2026-03-12` or `2026-03-12T09:30:00`.
   * boolean: `TRUE` or `FALSE`. error: as Excel shows it, `#N/A`.
   */
  text: string
  /** What the number format shows beside a number: `€`, `CHF`, `jours`. */
  unit?: string
  /** The cell is a formula. It is not evaluated: `text` is what the program that saved the file stored; `empty` if it stored nothing. */
  formula?: true
}

export interface Row {
  /** The row number that Excel shows. In a CSV file a row with line breaks inside quotes counts once. */
  line: number
  /** By column; rows without any value are left out. */
  cells: Cell[]
  /** Hidden by a filter or by hand. */
  hidden?: true
}

export const textOfCell = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell : (cell?.text ?? '')

const significantDigits = 15
const plainDecimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

export const isPlainDecimal = (text: string): boolean => plainDecimal.test(text)

/** Excel stores binary fractions and shows 15 digits: `1234.5599999999999` is 1234.56. Null if it is no number. */
export function plainNumber(raw: string): string | null {
  if (plainDecimal.test(raw) && raw.length <= significantDigits) return raw
  const value = raw.trim() === '' ? Number.NaN : Number(raw)
  if (!Number.isFinite(value)) return null
  const rounded = Number(value.toPrecision(significantDigits))
  const text = String(rounded)
  if (!text.includes('e')) return text
  return Math.abs(rounded) < 1 ? rounded.toFixed(20).replace(/\.?(?<!0)0+$/, '') : text
}

const DAY_MS = 86_400_000
/** The last day that Excel knows is 31 December 9999. */
const lastSerial = 2_958_465

/**
 * The date of a serial number, null if it has none. In the 1900 system day 60 is 29 February 1900, which never existed, so real
 * dates are counted from 1 March of that year.
 */
export function dateOfSerial(serial: number, from1904: boolean): string | null {
  if (!(serial >= (from1904 ? 0 : 61) && serial < lastSerial + 1)) return null
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const text = new Date(first + Math.round(serial * 86_400) * 1000).toISOString()
  return text.slice(11, 19) === '00:00:00' ? text.slice(0, 10) : text.slice(0, 19)
}

/** The serial number of a date in the 1900 system, null if it has none. */
export function serialOfDate(text: string): number | null {
  const days =
    (Date.parse(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`) - Date.UTC(1899, 11, 30)) / DAY_MS
  return days >= 61 && days < lastSerial + 1 ? days : null
}

const builtInDates = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
])

/** Whether a number format that Excel has no code for shows a day. */
export const isBuiltInDate = (id: number): boolean => builtInDates.has(id)

/** Excel writes no longer code. */
const formatCodeMax = 255

/** Formats that Excel has no code for and that show the currency of the computer. */
const builtInCurrencies = new Set([5, 6, 7, 8, 42, 44])
export const unitOfComputer = '¤'
export const unitOfBuiltIn = (id: number): string => (builtInCurrencies.has(id) ? unitOfComputer : '')

/** The text that the code of a number format shows beside a positive number, without spaces around it. */
export function unitOfFormat(code: string): string {
  if (code.length > formatCodeMax) return ''
  let unit = ''
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const sign = code[at]!
    const end = sign === '"' ? code.indexOf('"', at + 1) : sign === '[' ? code.indexOf(']', at + 1) : -1
    // `[$€-40C]` is a currency and the language it is written in; other brackets are colours and conditions.
    if (sign === '[' && code[at + 1] === '$' && end !== -1) unit += code.slice(at + 2, end).split('-', 1)[0]
    else if (sign === '"' && end !== -1) unit += code.slice(at + 1, end)
    else if (sign === '\\') unit += code[at + 1] ?? ''
    else if (/\p{Sc}/u.test(sign)) unit += sign
    if (end !== -1) at = end
    // `_€` leaves the width of a sign, `*-` fills the cell with it.
    else if (sign === '\\' || sign === '_' || sign === '*') at++
  }
  const text = unit.replace(/\s+/g, ' ').trim()
  return /[\p{L}\p{Sc}]/u.test(text) ? text : ''
}

/** Whether the code of a number format shows a day. A format of hours only does not. */
export function isDateFormat(code: string): boolean {
  if (code.length > formatCodeMax || /^(general|standard)$/i.test(code)) return false
  const letters = code
    .toLowerCase()
    // Hours, minutes and seconds in brackets are a length of time.
    .replace(/\[([hms])+\]/g, '$1')
    .replace(/"[^"]*"|\\.|\[[^[\]]*\]|_.|\*./g, '')
    .split(';', 1)[0]!
  return /[dyj]|aa/.test(letters) || (letters.includes('m') && !/[hs]/.test(letters))
}
