import type { Choices } from './choices.ts'

/** A cell before it is written: a text, or what only a workbook or JSON can hold. */
export type DrawnCell =
  | string
  | null
  | { number: string; format?: number | string }
  | { day: string }
  | { error: string }
  | { formulaWithoutValue: true }

/** How the sums of a file are written. */
export const numberStyles = [
  'space',
  'noBreakSpace',
  'narrowSpace',
  'plainComma',
  'dotGroups',
  'commaGroups',
  'plainPoint',
  'swiss',
] as const
export type NumberStyle = (typeof numberStyles)[number]

const groupSigns: Readonly<Record<NumberStyle, string>> = {
  space: ' ',
  noBreakSpace: '\u00a0',
  narrowSpace: '\u202f',
  plainComma: '',
  dotGroups: '.',
  commaGroups: ',',
  plainPoint: '',
  swiss: '’',
}
export const hasDecimalPoint = (style: NumberStyle) =>
  style === 'commaGroups' || style === 'plainPoint' || style === 'swiss'

export const pointOf = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A sum as text. `isWhole` leaves out decimals that are zero, as some programs do. */
export function writeSum(cents: number, style: NumberStyle, isWhole = false): string {
  const [whole, fraction] = pointOf(Math.abs(cents)).split('.') as [string, string]
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, groupSigns[style])
  const decimals = isWhole && fraction === '00' ? '' : `${hasDecimalPoint(style) ? '.' : ','}${fraction}`
  return `${cents < 0 ? '-' : ''}${grouped}${decimals}`
}

export const dateStyles = [
  'slash',
  'dash',
  'dot',
  'iso',
  'shortMonth',
  'longMonth',
  'twoDigitYear',
  'withTime',
  'serial',
] as const
export type DateStyle = (typeof dateStyles)[number] | 'monthFirst' | 'cell'

const shortMonths = 'janv.,févr.,mars,avr.,mai,juin,juil.,août,sept.,oct.,nov.,déc.'.split(',')
const longMonths =
  'janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre'.split(',')

const serialOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569

export function writeDay(day: string, style: DateStyle): DrawnCell {
  const [year, month, date] = day.split('-') as [string, string, string]
  switch (style) {
    case 'slash':
      return `${date}/${month}/${year}`
    case 'dash':
      return `${date}-${month}-${year}`
    case 'dot':
      return `${date}.${month}.${year}`
    case 'iso':
      return day
    case 'shortMonth':
      return `${Number(date)} ${shortMonths[Number(month) - 1]} ${year}`
    case 'longMonth':
      return `${Number(date) === 1 ? '1er' : Number(date)} ${longMonths[Number(month) - 1]} ${year}`
    case 'twoDigitYear':
      return `${date}/${month}/${year.slice(2)}`
    case 'withTime':
      return `${date}/${month}/${year} 00:00:00`
    case 'serial':
      return { number: String(serialOf(day)) }
    case 'monthFirst':
      return `${month}/${date}/${year}`
    case 'cell':
      return { day }
  }
}

/** Whether the reader of a file can tell from such a cell alone which number is the day. */
export const provesOrder = (day: string): boolean => Number(day.slice(8)) > 12
export const isNumbersOnly = (style: DateStyle): boolean =>
  ['slash', 'dash', 'dot', 'twoDigitYear', 'withTime', 'monthFirst'].includes(style)

/** A French number and how it is written. */
export function drawPhone(choices: Choices): { phone: string; text: string; number?: string } {
  const first = choices.one(['1', '2', '4', '6', '7'])
  const digits = first + String(choices.between(10_000_000, 99_999_999))
  const pairs = `0${digits}`.match(/../g)!
  const text = choices.one([
    pairs.join(' '),
    pairs.join('.'),
    pairs.join('-'),
    pairs.join('\u00a0'),
    `0${digits}`,
    `+33${digits}`,
    `+33 ${digits[0]} ${digits.slice(1).match(/../g)!.join(' ')}`,
    `+33 (0)${digits[0]} ${digits.slice(1)}`,
    `0033${digits}`,
    // Excel took it for a number.
    digits,
  ])
  // Guadeloupe, Réunion and others have country codes of their own.
  const isOverseas = /^(?:590|69\d|59[46]|26[239]|639)/.test(digits)
  return isOverseas ? drawPhone(choices) : { phone: `+33${digits}`, text }
}

const luhn = (digits: string): number =>
  [...digits].reduce((sum, digit, at) => {
    const value = (digits.length - at) % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
const withCheckDigit = (digits: string) => digits + ((10 - (luhn(`${digits}0`) % 10)) % 10)

export function drawSiret(choices: Choices): string {
  const siren = withCheckDigit(String(choices.between(10_000_000, 99_999_999)))
  // Some begin with zeros.
  const whole = choices.happens(10) ? withCheckDigit(`00${siren.slice(2, 8)}`) : siren
  return withCheckDigit(`${whole}${String(choices.between(1, 40)).padStart(4, '0')}`)
}

/** How a number of 14 or 9 digits is written; `lost`: digits are gone that nobody can restore. */
export function writeSiret(digits: string, choices: Choices): { text: string; isLost?: true } {
  const groups = digits.length === 14 ? [3, 6, 9] : [3, 6]
  const spaced = (sign: string) =>
    [...digits].map((digit, at) => (groups.includes(at) ? sign + digit : digit)).join('')
  const way = choices.between(0, 99)
  if (digits.length === 14 && way < 4) return { text: `${digits[0]},${digits.slice(1, 3)}E+13`, isLost: true }
  // By chance the rest may be a number of its own, with zeros before it: nobody can tell.
  const rest = digits.slice(0, -2)
  const padded = rest.padStart(digits.length, '0')
  const isNumber = luhn(padded) % 10 === 0 && luhn(padded.slice(0, 9)) % 10 === 0
  if (way < 8 && !isNumber) return { text: rest, isLost: true }
  if (way < 40) return { text: spaced(choices.one([' ', '\u00a0', '\u202f', '.'])) }
  // Excel removes zeros at the start.
  return { text: way < 55 ? digits.replace(/^0+/, '') : digits }
}
