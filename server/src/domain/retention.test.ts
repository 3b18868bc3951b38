import { expect, test } from 'vitest'
import { keptMonths } from './retention.ts'

test.each([
  ['business', 60, 60],
  ['business', 120, 120],
  ['consumer', 24, 24],
  ['consumer', 3, 3],
  ['public_body', 60, 48],
  ['public_body', 36, 36],
] as const)('a %s whose company chose %i months is kept for %i', (type, chosen, months) => {
  expect(keptMonths(type, chosen)).toBe(months)
})
