import { randomBytes } from 'node:crypto'
import { hmacSha256 } from '../../../kit/crypto.ts'

/** `whsec_` and 32 random bytes in base64: the format of the Standard Webhooks libraries. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The purpose a secret is sealed with: bound to its webhook, so that it cannot be opened for another one. */
export const secretPurpose = (webhookId: string): string => `webhook ${webhookId}`

/**
 * Two signatures of the same bytes with the same secret. `X-Service-Signature`: HMAC-SHA256 of the body keyed with the whole
 * secret string, in hex. `webhook-signature` (Standard Webhooks): of id, time and body, keyed with what the string encodes;
 * only this one also lets a receiver refuse an old message.
 */
export function signatureHeaders(
  secret: string,
  message: { id: string; body: string; sentAt: number },
): Record<string, string> {
  const seconds = Math.floor(message.sentAt / 1000)
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = hmacSha256(key, `${message.id}.${seconds}.${message.body}`).toString('base64')
  return {
    'x-service-signature': hmacSha256(Buffer.from(secret), message.body).toString('hex'),
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${standard}`,
  }
}
