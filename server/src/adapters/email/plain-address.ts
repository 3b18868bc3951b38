import { domainToASCII } from 'node:url'

// Quoted local parts and address literals are refused on purpose: debtors do not have them, and attackers use them.
const plainAddress = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u

/** Removes line breaks, so that a name or subject can never start a header line. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

/** Undefined: not the address of exactly one recipient. */
export function asciiDomain(address: string): string | undefined {
  if (!plainAddress.test(address)) return undefined
  const at = address.lastIndexOf('@')
  const domain = domainToASCII(address.slice(at + 1))
  return domain ? `${address.slice(0, at)}@${domain}` : undefined
}
