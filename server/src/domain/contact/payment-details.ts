import { isIban } from '../money/iban.ts'
import { withoutDisguise } from './forbidden-words.ts'

export interface PaymentDetail {
  kind: 'link' | 'account'
  /** As it was read, without its disguise. */
  found: string
}

/** Domains that are recognised even when a word stands for the dot, or spaces around it. */
const commonDomains = 'com|net|org|fr|eu|io|info|biz|ch|uk|app|shop|online|site|link|example'

const links: readonly RegExp[] = [
  // A scheme, also `hxxp` and one with spaces in it.
  /(?<![a-z0-9])[a-z][a-z0-9+-]*\s*:\s*[/\\]\s*[/\\]\s*\S*/g,
  /(?<![\p{L}\p{N}])www(?![\p{L}\p{N}]).{0,40}/gu,
  /(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*\p{L}(?![\p{L}\p{N}])\S*/gu,
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])\S*/g,
  /[\p{L}\p{N}]\s+\.\p{L}{2,}/gu,
  new RegExp(`[\\p{L}\\p{N}-]+\\s+(?:\\.|dot|point)\\s+(?:${commonDomains})(?![\\p{L}\\p{N}])`, 'gu'),
  /[\p{L}\p{N}-]+\.\s+(?:com|org|fr|io)(?![\p{L}\p{N}])/gu,
]

/** `evil[.]example`, `evil (dot) example`. */
const bracketedDot = /\s*[[({]\s*(?:\.|dot|point)\s*[\])}]\s*/g

const digitRun = (least: number) => new RegExp(`\\d(?:[ ._*/-]{0,2}\\d){${least - 1},}`, 'g')
const longDigits = digitRun(15)
const sixDigits = digitRun(6)
const accountWord =
  /\b(?:iban|rib|bic|swift|sort code|routing number|account (?:no|number)|(?:numero|n°|no) de compte)\b/
/** The address of a wallet, or an account written in one piece. */
const longToken = /(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{25,}(?![a-z0-9])/g

/**
 * Links and bank accounts in a text of a company's own. A message contains no others than the program's, so that whoever gets
 * hold of a key cannot redirect payments by words.
 */
export function paymentDetailsIn(text: string): PaymentDetail[] {
  const read = withoutDisguise(text.replaceAll(/\{\{[^{}]*\}\}/g, 'x').replaceAll(/[。｡]/g, '.'))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(bracketedDot, '.')
  const found = (kind: PaymentDetail['kind'], matches: readonly string[]) =>
    [...new Set(matches)].map(match => ({ kind, found: match.trim() }))
  const matchesOf = (pattern: RegExp) => read.match(pattern) ?? []
  const accounts = [
    ...ibansIn(read),
    ...matchesOf(longDigits),
    ...matchesOf(longToken),
    ...(accountWord.test(read) ? matchesOf(sixDigits) : []),
  ]
  return [
    ...found('link', links.flatMap(matchesOf)),
    ...found(
      'account',
      accounts.map(account => account.toUpperCase()),
    ),
  ]
}

/** IBANs, whatever stands between their characters. */
function ibansIn(text: string): string[] {
  const characters = [...text.matchAll(/[a-z0-9]/g)]
  const compact = characters.map(([character]) => character).join('')
  const isInWord = (at: number) => /[a-z0-9]/.test(text[at] ?? ' ')
  const ibans: string[] = []
  for (const { index: start } of compact.matchAll(/(?=[a-z]{2}\d{2})/g)) {
    const first = characters[start]!.index
    if (isInWord(first - 1)) continue
    for (let length = 15; length <= 34 && start + length <= compact.length; length++) {
      const candidate = compact.slice(start, start + length)
      const last = characters[start + length - 1]!.index
      // Eight digits after the check digits, so that a date in a sentence is not taken for an account by chance.
      if (isInWord(last + 1) || candidate.replaceAll(/\D/g, '').length < 10) continue
      if (isIban(candidate.toUpperCase())) ibans.push(text.slice(first, last + 1))
    }
  }
  return ibans
}
