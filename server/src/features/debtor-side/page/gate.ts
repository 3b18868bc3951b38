import type { FastifyRequest } from 'fastify'
import { matchesSecret } from '../../../adapters/shared-secret.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { cookieHeader, readCookie } from '../../../kit/http/pages.ts'
import type { Parties, ShownInvoice } from './view-store.ts'

/** What a link asks before it shows anything. */
export type GateQuestion = 'postal_code' | 'invoice_number'

/** A phone number may have a new owner, and other people may see the mailbox, the phone or the letters of a private person. */
export const isGated = ({ channel, debtor }: Pick<Parties, 'channel' | 'debtor'>): boolean =>
  channel === 'sms' || debtor.type === 'consumer'

/** `F-2026 0042` and `f20260042` are the same answer. */
export const plainAnswer = (text: string): string =>
  text
    // Before too: to sort many marks takes quadratic time.
    .replaceAll(/\p{M}/gu, '')
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/** The answers that open the link: the postal code, or without one the number of any invoice of the message. */
export function questionOf(
  { debtor }: Pick<Parties, 'debtor'>,
  invoices: readonly Pick<ShownInvoice, 'number'>[],
): { question: GateQuestion; answers: string[] } {
  const postalCode = plainAnswer(debtor.postalCode ?? '')
  return postalCode === ''
    ? { question: 'invoice_number', answers: invoices.map(({ number }) => plainAnswer(number)) }
    : { question: 'postal_code', answers: [postalCode] }
}

/** Every answer is compared, so that the response time reveals nothing. */
export const isRightAnswer = (answers: readonly string[], given: string): boolean =>
  given !== '' && answers.filter(answer => matchesSecret(answer, given)).length > 0

export const passMinutes = 30
const passPurpose = 'debtor_link'
/** One cookie per link, so that the answers for several messages do not replace each other. */
const cookieOf = (code: string) => `link-${code}`

/** The cookie of a browser in which the right answer was given. */
export function passCookie(keyring: Keyring, code: string, wall: number): string {
  const until = wall + passMinutes * 60_000
  const pass = `${until}.${keyring.mac(passPurpose, `${code} ${until}`)}`
  return cookieHeader(cookieOf(code), pass, passMinutes * 60)
}

export function hasPass(keyring: Keyring, request: FastifyRequest, code: string, wall: number): boolean {
  const pass = readCookie(request, `__Host-${cookieOf(code)}`) ?? ''
  const [, until, keyId, digest] = /^(\d{1,15})\.(\w{1,8})\.([\w-]+)$/.exec(pass) ?? []
  return (
    until !== undefined &&
    keyId !== undefined &&
    Number(until) > wall &&
    keyring.knows(keyId) &&
    keyring.verifyMac(passPurpose, `${code} ${until}`, `${keyId}.${digest}`)
  )
}
