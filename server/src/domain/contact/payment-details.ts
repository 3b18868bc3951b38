import { isIban, isRegisteredIban } from '../money/iban.ts'
import { withoutDisguise } from './forbidden-words.ts'

export interface PaymentDetail {
  kind: 'link' | 'account'
  /** As it was read, without its disguise. */
  found: string
}

/** Domains that are recognised even if the dot is written as a word or has spaces around it. */
const commonDomains = 'com|net|org|fr|eu|io|info|biz|ch|uk|app|shop|online|site|link|example'

/** A scheme, also `hxxp` and one with spaces in it. */
const linkWithScheme = /[a-z][a-z0-9+-]{0,30}\s*:\s*[/\\]\s*[/\\]\s*\S*/g

const links: readonly RegExp[] = [
  linkWithScheme,
  /(?<![\p{L}\p{N}])www(?![\p{L}\p{N}]).{0,40}/gu,
  /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+\.\p{L}[\p{L}\p{N}-]*\p{L}(?![\p{L}\p{N}])\S*/gu,
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])\S*/g,
  /[\p{L}\p{N}]\s+\.\p{L}{2,}/gu,
  new RegExp(
    `(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]+\\s+(?:\\.|dot|point)\\s+(?:${commonDomains})(?![\\p{L}\\p{N}])`,
    'gu',
  ),
  /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+\.\s+(?:com|org|fr|io)(?![\p{L}\p{N}])/gu,
]

/** `evil[.]example`, `evil (dot) example`, after spaces are joined. */
const bracketedDot = /\s?[[({]\s?(?:\.|dot|point)\s?[\])}]\s?/g

const fifteenDigits = /\d(?:[ ._*/-]{0,2}\d){14,}/g
const sixDigits = /\d(?:[ ._*/-]{0,2}\d){5,}/g
const accountWord =
  /\b(?:iban|rib|bic|swift|sort code|routing number|account (?:no|number)|(?:numero|n°|no) de compte)\b/
/** The address of a wallet, or an account written in one piece. */
const longToken = /(?<![a-z0-9])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{25,}(?![a-z0-9])/g

/**
 * Links and bank accounts in a text that a company wrote. A message may contain only those of the program, so that an attacker
 * with a stolen key cannot redirect payments.
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
    ...matchesOf(fifteenDigits),
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

/** A fast check, because it runs for every invoice: an account has ten digits, a link has a colon or a slash. */
const mayHoldPayment = (text: string) =>
  /[:：﹕︓/／⁄∕\\＼]/.test(text) || (text.match(/\p{N}/gu)?.length ?? 0) >= 10

/** Domains after which a slash makes a link: mail programs let people click on it. */
const linkDomains = `${commonDomains}|me|ly|co|to|gl|cc|be|de|es|it|nl|lu|pt|xyz|top|club|store|dev|cloud|page|pay|money|bank|cash`

/** A page of a domain, without a scheme: `evil.example/pay`. A domain alone may be a name (`Booking.com`). */
const pageOfDomain = new RegExp(`(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]+\\.(?:${linkDomains})[/\\\\]\\S+`, 'gu')

/** Also one that is joined to a number before it. */
const anyScheme = /[a-z0-9+-]{0,10}[a-z]\s?:\s?[/\\]\s?[/\\]\s?\S*/g

/**
 * Accounts and links in the data of an invoice, a debtor or a company that is shown to debtors. Fewer are found than in a text
 * that a company wrote: names and numbers may contain dots, digits and domains for good reasons.
 */
export function foreignPaymentIn(text: string): PaymentDetail[] {
  if (!mayHoldPayment(text)) return []
  // Spaces first: a line break is an invisible character too, and removing it would join the words around it.
  const read = withoutDisguise(text.replaceAll(/\s+/g, ' ').replaceAll(/[。｡]/g, '.'))
  const found = (kind: PaymentDetail['kind'], match: string) => ({ kind, found: match.trim() })
  const links = read.match(anyScheme) ?? read.match(pageOfDomain) ?? []
  return [
    ...links.map(match => found('link', match)),
    ...ibansIn(read, isRegisteredIban).map(match => found('account', match.toUpperCase())),
  ]
}

/** IBANs, with any characters in between. */
function ibansIn(text: string, isAccount = isIban): string[] {
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
      if (isAccount(candidate.toUpperCase())) ibans.push(text.slice(first, last + 1))
    }
  }
  return ibans
}
