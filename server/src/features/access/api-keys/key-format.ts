import { crc32 } from 'node:zlib'
import type { Environment } from '../../../kit/actor.ts'
import { alphabet, randomAlphanumeric } from '../../../kit/random-alphanumeric.ts'

/**
 * `fk_live_` or `fk_test_`, cell (2), lookup (16), secret (43 letters and digits, 256 bits), checksum (6).
 * The cell names the database that stores the key; the checksum lets a secret scanner recognise a key.
 */
const pattern = /^fk_(live|test)_([a-z0-9]{2})([0-9A-Za-z]{16})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

function checksum(text: string): string {
  let rest = crc32(text)
  let word = ''
  for (let i = 0; i < 6; i++) {
    word = alphabet[rest % 62] + word
    rest = Math.floor(rest / 62)
  }
  return word
}

export function newKey(environment: Environment, cell: string): { text: string; lookup: string } {
  const lookup = randomAlphanumeric(16)
  const body = `fk_${environment === 'production' ? 'live' : 'test'}_${cell}${lookup}${randomAlphanumeric(43)}`
  return { text: body + checksum(body), lookup }
}

/** The public part of a well-formed key, or null: a typing error never reaches the database. */
export function lookupOf(text: string): string | null {
  const parts = pattern.exec(text)
  return parts && checksum(text.slice(0, -6)) === parts[5] ? parts[3]! : null
}

export const maskKey = (text: string): string => `${text.slice(0, 12)}…${text.slice(-4)}`
