import { timingSafeEqual } from 'node:crypto'
import { plainSha256 } from '../kit/crypto.ts'

/** Compares in constant time. */
export const matchesSecret = (expected: string, given: string | undefined): boolean =>
  timingSafeEqual(plainSha256(given ?? ''), plainSha256(expected)) && given !== undefined

export const bearerOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? /^Bearer (\S+)$/i.exec(header)?.[1] : undefined

export const basicPasswordOf = (header: string | string[] | undefined): string | undefined => {
  const [, encoded] = typeof header === 'string' ? (/^Basic (\S+)$/i.exec(header) ?? []) : []
  return encoded && /^[^:]*:([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1]
}
