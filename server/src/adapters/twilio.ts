import { createHmac, timingSafeEqual } from 'node:crypto'

/** A HMAC-SHA1 in base64. */
const signatureLength = 28
/** More than Twilio ever sends; a larger form is not read. */
const formBytesMax = 64 * 1024

const byNameThenValue = ([name, value]: [string, string], [otherName, otherValue]: [string, string]) =>
  name < otherName ? -1 : name > otherName ? 1 : value < otherValue ? -1 : Number(value > otherValue)

/** Twilio signs the address it calls, followed by the fields of the form in the order of their names, each value once. */
export function isSignedByTwilio(
  authToken: string,
  signature: string | string[] | undefined,
  url: string,
  form: URLSearchParams,
): boolean {
  if (typeof signature !== 'string' || signature.length !== signatureLength || form.size > 200) return false
  const fields = [...form]
    .sort(byNameThenValue)
    .filter(([name, value], i, all) => i === 0 || all[i - 1]![0] !== name || all[i - 1]![1] !== value)
  const signed = url + fields.map(([name, value]) => name + value).join('')
  const expected = createHmac('sha1', authToken).update(signed).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The form of a callback, of a size that is worth reading. */
export const twilioForm = (body: Buffer): URLSearchParams =>
  new URLSearchParams(body.length > formBytesMax ? '' : body.toString('utf8'))

/** What is wrong with our sender or our account, not with the person written to or called. */
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
