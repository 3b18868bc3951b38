import type { WebhookEvent } from './generated/types.ts'

/** A delivery that is not from Relance, is too old, or was changed on the way. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type DeliveryHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How old a delivery may be, and how far its clock may be ahead: five minutes by default. */
  toleranceSeconds?: number | undefined
  /** The time to compare with, in milliseconds. */
  now?: number | undefined
}

const encoder = new TextEncoder()

const keyOf = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))

/** What the secret encodes. */
const standardKey = (secret: string) => keyOf(fromBase64(secret.replace(/^whsec_/, '')))

function headerOf(headers: DeliveryHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing.`)
  return String(value)
}

const textOf = (body: string | ArrayBuffer | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body)

/**
 * The event of a delivery, once its signature and its age are right; else it throws a `WebhookVerificationError`. `body` is the
 * raw body: re-serialised JSON does not match the signature. While a secret is being replaced, give both.
 */
export async function verifyWebhook(
  secret: string | readonly string[],
  headers: DeliveryHeaders,
  body: string | ArrayBuffer | Uint8Array,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const text = textOf(body)
  const age = now / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp) || Math.abs(age) > toleranceSeconds)
    throw new WebhookVerificationError('The delivery is too old, or from the future.')
  const signed = encoder.encode(`${id}.${timestamp}.${text}`)
  const given = signatures.split(' ').flatMap(part => /^v1,([\w+/]+=*)$/.exec(part)?.[1] ?? [])
  for (const one of [secret].flat()) {
    const key = await standardKey(one)
    // `verify` compares in constant time.
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed)) return JSON.parse(text)
  }
  throw new WebhookVerificationError('The signature is not the one of this secret.')
}

export interface TestDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A delivery as Relance would send it, for the tests of a receiver. */
export async function signTestDelivery(
  secret: string,
  event: WebhookEvent | string,
  { now = Date.now() }: { now?: number } = {},
): Promise<TestDelivery> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const id = typeof event === 'string' ? crypto.randomUUID() : event.id
  const timestamp = String(Math.floor(now / 1000))
  const sign = async (key: Awaited<ReturnType<typeof keyOf>>, text: string) =>
    new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  const plain = await sign(await keyOf(encoder.encode(secret)), body)
  const standard = await sign(await standardKey(secret), `${id}.${timestamp}.${body}`)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': Array.from(plain, byte => byte.toString(16).padStart(2, '0')).join(''),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    },
  }
}
