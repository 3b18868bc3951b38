import { isTwoDecimalCurrency } from '../../../domain/money/money.ts'
import { unitOfComputer } from '../../../kit/sheets/cell.ts'

/** The currencies that a text may mean: one for `€`, several for `$`. Where two texts speak of one sum, what both may mean counts. */
export type Currencies = readonly string[]

/** Without spaces, accents and capitals. A code of three letters is not listed: it means itself. */
const listed: readonly (readonly [names: string, codes: string])[] = [
  ['€ euro euros €uro', 'EUR'],
  ['£ livresterling livressterling sterling poundsterling poundssterling', 'GBP'],
  ['us$ $us u$s usd$ $usd dollarus dollarsus usdollar usdollars', 'USD'],
  ['dollaramericain dollarsamericains dollardesetats-unis', 'USD'],
  ['ca$ c$ $ca $can dollarcanadien dollarscanadiens canadiandollar canadiandollars', 'CAD'],
  ['a$ au$ $au', 'AUD'],
  ['nz$', 'NZD'],
  ['hk$', 'HKD'],
  ['r$', 'BRL'],
  ['fr. sfr. sfr francsuisse francssuisses swissfranc swissfrancs', 'CHF'],
  ['zł', 'PLN'],
  ['kc', 'CZK'],
  ['₺', 'TRY'],
  ['₹', 'INR'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['₽', 'RUB'],
  ['₱', 'PHP'],
  ['₦', 'NGN'],
  ['฿', 'THB'],
  ['元 rmb yuan yuans', 'CNY'],
  ['yen yens', 'JPY'],
  ['₩', 'KRW'],
  ['₫', 'VND'],
  ['fcfa cfa', 'XOF XAF'],
  // These have more than one meaning.
  ['$ dollar dollars', 'USD CAD AUD NZD HKD SGD MXN'],
  ['¥ ￥', 'JPY CNY'],
  ['kr kr.', 'SEK NOK DKK ISK'],
  ['livre livres pound pounds', 'GBP EGP LBP'],
  ['f fr franc francs', 'CHF XOF XAF XPF'],
]
const byName = new Map<string, Currencies>(
  listed.flatMap(([names, codes]) => names.split(' ').map(name => [name, codes.split(' ')] as const)),
)

// The sign of the computer that shows the cell may be any.
byName.set(unitOfComputer, [...new Set([...byName.values()].flat())])

/** Codes that mean nothing else in a title or a note, unlike `ALL` or `TOP`. */
const usualCodes = new Set(
  'EUR USD GBP CHF CAD AUD NZD JPY CNY HKD SGD SEK NOK DKK ISK PLN CZK HUF RON MAD TND DZD XOF XAF XPF INR BRL MXN ZAR AED ILS UAH RUB'.split(
    ' ',
  ),
)
const plainWords = new Set('euro euros dollar dollars fr. sfr. zł kr kr. yen yens'.split(' '))
/** Names that are too short to mean a currency without a title. */
const shortNames = new Set(['f', 'fr'])

const nameMax = 40
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}|\s/gu, '')
    .toLowerCase()

/** What a text may mean as a currency; null if it is none. A code is not checked: its refusal names it. */
export function currenciesOf(text: string): Currencies | null {
  if (text.length > nameMax) return null
  const code = text.trim()
  return byName.get(plain(text)) ?? (/^[A-Za-z]{3}$/.test(code) ? [code.toUpperCase()] : null)
}

/** The same for a cell that should have a currency and nothing else: "Euro (EUR)", "EUR - €". */
export function currenciesOfCell(text: string): Currencies | null {
  const whole = currenciesOf(text)
  if (whole || text.length > nameMax) return whole
  const words = text.split(/[\s()/–-]+/).filter(word => word !== '')
  const each = words.map(word => byName.get(plain(word)) ?? (isTwoDecimalCurrency(word) ? [word] : null))
  return words.length === 0 ? null : each.reduce((found, meant) => found && meant && commonOf(found, meant))
}

/** What both may mean. */
export const commonOf = (one: Currencies, other: Currencies): Currencies =>
  one.filter(code => other.includes(code))

/** Whether a word of a title or of a note is a currency. */
function isCurrencyWord(word: string): boolean {
  if (word.length > nameMax) return false
  if (usualCodes.has(word)) return true
  const name = plain(word)
  return byName.has(name) && (/\p{Sc}/u.test(name) || plainWords.has(name))
}

/** Whether the whole text of a cell is a currency, also where no title says so. */
export function isCurrencyText(text: string): boolean {
  if (usualCodes.has(text.trim().toUpperCase())) return true
  if (/^[A-Za-z]{3}$/.test(text.trim())) return false
  return !shortNames.has(plain(text.slice(0, nameMax))) && currenciesOfCell(text) !== null
}

/** Divides a title into its currency and the rest: `Montant TTC (US $)` is `Montant TTC` in dollars. */
export function splitTitle(title: string): { text: string; currencies: Currencies | null } {
  const words = title.split(/[\s()[\]:,;/]+/).filter(word => word !== '')
  const rest: string[] = []
  let currencies: Currencies | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const pair = plain(`${word}${words[at + 1] ?? ''}`)
    const isPair = at + 1 < words.length && byName.has(pair) && (/\p{Sc}/u.test(pair) || pair.length > 6)
    const meant = isPair ? byName.get(pair)! : isCurrencyWord(word) ? currenciesOf(word) : null
    if (isPair) at++
    if (meant) currencies = currencies ? commonOf(currencies, meant) : meant
    else rest.push(word)
  }
  return { text: currencies ? rest.join(' ') : title, currencies }
}
