import { expect, it } from 'vitest'
import { lookupOf, maskKey, newKey } from './key-format.ts'

it('finds the public part of a key it made, and of nothing that was mistyped', () => {
  const key = newKey('sandbox', 'e1')
  expect(key.text).toMatch(/^fk_test_e1/)
  expect(lookupOf(key.text)).toBe(key.lookup)
  const swapped = key.text.slice(0, 30) + (key.text[30] === 'a' ? 'b' : 'a') + key.text.slice(31)
  expect(lookupOf(swapped)).toBeNull()
  expect(lookupOf(`${key.text} `)).toBeNull()
  expect(lookupOf('')).toBeNull()
})

it('shows only the first and last characters of a key', () => {
  const { text } = newKey('production', 'e1')
  expect(maskKey(text)).toHaveLength(17)
  expect(maskKey(text).startsWith('fk_live_e1')).toBe(true)
})
