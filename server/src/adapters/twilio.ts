import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Form, fieldList, parseForm } from '../kit/http/form.ts'
import type { CallbackRequest } from './callback.ts'
import { ListFailed } from './channel.ts'
import { textAt } from './http-provider.ts'

/** A HMAC-SHA1 in base64. */
const signatureLength = 28
/** A text message of 1,600 characters, each escaped. */
const formBytesMax = 32 * 1024

const byNameThenValue = ([name, value]: [string, string], [otherName, otherValue]: [string, string]) =>
  name < otherName ? -1 : name > otherName ? 1 : value < otherValue ? -1 : Number(value > otherValue)

/** Twilio signs the address it calls, followed by the fields of the form in the order of their names, each value once. */
export function isSignedByTwilio(
  authToken: string,
  signature: string | string[] | undefined,
  url: string,
  form: Form,
): boolean {
  if (typeof signature !== 'string' || signature.length !== signatureLength) return false
  const fields = [...form]
    .flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
    .sort(byNameThenValue)
    .filter(([name, value], i, all) => i === 0 || all[i - 1]![0] !== name || all[i - 1]![1] !== value)
  const signed = url + fields.map(([name, value]) => name + value).join('')
  const expected = createHmac('sha1', authToken).update(signed).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The form of a callback, if its signature is right. */
export function signedForm(
  authToken: string,
  { headers, url, body }: Pick<CallbackRequest, 'headers' | 'url' | 'body'>,
): Form | null {
  const form = parseForm(body, formBytesMax)
  return form && isSignedByTwilio(authToken, headers['x-twilio-signature'], url, form) ? form : null
}

/** The first value of a field. */
export const valueIn = (form: Form, name: string): string | null => fieldList(form, name)[0] ?? null

/** When a listed message or call was created; one that is queued has no other moment. */
export function createdAt(listed: unknown): number {
  const at = Date.parse(textAt(listed, 'date_created') ?? '')
  if (Number.isNaN(at)) throw new ListFailed('twilio list malformed')
  return at
}

/** Errors of our sender or our account, not of the recipient. */
export const accountErrorCodes: ReadonlySet<string> = new Set([
  '20003',
  '20005',
  '21210',
  '21212',
  '21603',
  '21606',
  '21659',
  '21660',
  '21704',
  '21705',
])
