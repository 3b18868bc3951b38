import { isIban } from './iban.ts'

/** EPC069-12: the data that a banking app reads from the code on a bill. */
export interface TransferRequest {
  name: string
  iban: string
  amountCents: number
  remittance: string
}

type EpcResult =
  | { allowed: true; payload: string }
  | { allowed: false; because: 'iban' | 'name' | 'amount' | 'remittance' | 'too_long' }

const nameMax = 70
const remittanceMax = 140
const amountMax = 999_999_999_99
/** A code of version 13 at level M, the largest that is allowed, holds this many bytes. */
const bytesMax = 331

/** Removes line breaks, which would begin the next field, and invisible characters, which banking apps reject. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const truncate = (text: string, max: number): string => [...text].slice(0, max).join('').trim()

const bytesOf = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0)!
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/**
 * Version 002, where the BIC may be left out; UTF-8; a SEPA credit transfer; the reference as text, since an invoice number
 * is no RF creditor reference.
 */
export function epcPayload({ name, iban, amountCents, remittance }: TransferRequest): EpcResult {
  const payee = truncate(oneLine(name), nameMax)
  const reference = oneLine(remittance)
  if (!isIban(iban)) return { allowed: false, because: 'iban' }
  if (payee === '') return { allowed: false, because: 'name' }
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > amountMax)
    return { allowed: false, because: 'amount' }
  // A truncated reference could name another invoice.
  if (reference === '' || [...reference].length > remittanceMax)
    return { allowed: false, because: 'remittance' }
  const digits = String(amountCents).padStart(3, '0')
  const amount = `EUR${digits.slice(0, -2)}.${digits.slice(-2)}`
  const payload = ['BCD', '002', '1', 'SCT', '', payee, iban, amount, '', '', reference].join('\n')
  return bytesOf(payload) > bytesMax ? { allowed: false, because: 'too_long' } : { allowed: true, payload }
}
