import { expect, it } from 'vitest'
import { hasValidCheckDigit } from './siret.ts'

it('accepts a number with its check digit and refuses the same with one digit changed', () => {
  expect(hasValidCheckDigit('73282932000074')).toBe(true)
  expect(hasValidCheckDigit('73282932000075')).toBe(false)
  expect(hasValidCheckDigit('7328293200007')).toBe(false)
})

it('accepts the establishments of La Poste, whose digits sum to a multiple of five', () => {
  expect(hasValidCheckDigit('35600000000048')).toBe(true)
  expect(hasValidCheckDigit('35600000049837')).toBe(true)
  expect(hasValidCheckDigit('35600000049838')).toBe(false)
})
