import { randomBytes } from 'node:crypto'

export const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters and digits, each as likely as any other: 43 of them are 256 bits. */
export function randomWord(length: number): string {
  let word = ''
  while (word.length < length)
    // 248 is the largest multiple of 62 below 256: taking the rest would favour the first letters.
    for (const byte of randomBytes(length * 2))
      if (byte < 248 && word.length < length) word += alphabet[byte % 62]
  return word
}
