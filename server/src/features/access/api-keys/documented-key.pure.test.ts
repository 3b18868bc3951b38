import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { lookupOf, maskKey, newKey } from './key-format.ts'
import { rotateKey } from './rotate-key.ts'
import { keysMax } from './schema.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../../docs/api-keys.md'), 'utf8')
const cell = (name: string) => new RegExp(`^\\| ${name} \\| \`([^\`]+)\` \\|$`, 'm').exec(page)![1]!

it('the key in the documentation is put together as it says there', () => {
  const key = cell('key')
  const body = cell('all but six')
  expect(key).toBe(body + cell('checksum'))
  expect(key).toHaveLength(75)
  expect(crc32(body)).toBe(Number(cell('CRC-32')))
  const digits = cell('in base 62').split(', ').map(Number)
  expect(digits.reduce((number, digit) => number * 62 + digit, 0)).toBe(crc32(body))
  const letters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
  expect(digits.map(digit => letters[digit]).join('')).toBe(cell('checksum'))
  expect(lookupOf(key)).not.toBeNull()
  expect(maskKey(key)).toBe(`${key.slice(0, 12)}…${key.slice(-4)}`)
})

it('it is nobody’s key, and says so', () => {
  expect(cell('key')).toMatch(/EXAMPLE.*NoRealKey/)
  for (const [found] of page.matchAll(/fk_(?:live|test)_[0-9A-Za-z]{20,}/g))
    expect(cell('key')).toContain(found)
})

it('the pattern in the documentation finds every key we make, inside any text, and no masked one', () => {
  const pattern = new RegExp(/^```regex\n(.+)\n```$/m.exec(page)![1]!, 'g')
  for (let i = 0; i < 1_000; i++) {
    const { text } = newKey(i % 2 === 0 ? 'production' : 'sandbox', 'e1')
    expect(`KEY="${text}"; key: ${text},\n${text}`.match(pattern)).toEqual([text, text, text])
    expect(maskKey(text)).not.toMatch(pattern)
  }
})

it('rotation every 90 days is recommended, in the documentation and in the contract', () => {
  expect(page).toContain('## Rotate every 90 days')
  expect(rotateKey.description).toContain('every 90 days')
})

it('the documentation knows how many keys there may be', () => {
  expect(page).toContain(`${keysMax} keys may be enabled at a time`)
})
