import { randomBytes } from 'node:crypto'

export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters and digits, each as likely as any other: 43 of them are 256 bits. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  while (text.length < length)
    // 248 is the largest multiple of 62 below 256: using the higher values too would favour the first characters.
    for (const byte of randomBytes(length * 2))
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  return text
}
