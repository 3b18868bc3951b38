import type { Language } from '../lib/language.tsx'

/** Spaces of every kind, also the narrow ones that sheets and bank pages paste. */
const spaces = /[\s\u00a0\u202f\u2009]/g
const unit = /^(?:\p{Sc}|[A-Z]{3})+|(?<![\p{Sc}A-Z])(?:\p{Sc}|[A-Z]{3})+$/gu

/**
 * The cents of an amount as typed or pasted: `1 234,50 €`, `1234.5`, `€1,234.50`. Null if the text is no amount or is ambiguous:
 * `1.234` is refused, and so is `1,234` unless the language is English.
 */
export function centsOf(text: string, language: Language): number | null {
  const bare = text.replace(spaces, ' ').trim().replace(unit, '').trim()
  const mark = Math.max(bare.lastIndexOf(','), bare.lastIndexOf('.'))
  const hasDecimals = mark >= 0 && bare.length - mark - 1 <= 2
  const whole = hasDecimals ? bare.slice(0, mark) : bare
  const decimals = hasDecimals ? bare.slice(mark + 1) : ''
  // Where the decimals are marked, the other sign can only separate thousands.
  const separator = hasDecimals ? (bare[mark] === ',' ? '.' : ',') : language === 'en' ? ',' : ' '
  const [first = '', ...groups] = whole.replaceAll(separator, ' ').split(' ')
  const isWhole =
    groups.length === 0
      ? /^\d{1,12}$/.test(first)
      : /^\d{1,3}$/.test(first) && groups.length <= 3 && groups.every(group => /^\d{3}$/.test(group))
  if (!isWhole || !/^\d{0,2}$/.test(decimals) || (hasDecimals && decimals === '')) return null
  return Number([first, ...groups].join('')) * 100 + Number(decimals.padEnd(2, '0'))
}
