import { expect, test } from 'vitest'
import { compareClocks } from './database-clock.ts'

test.each([
  [0, 0, 0, true],
  [0, 2_000, 0, true],
  [0, 2_001, 0, false],
  [2_001, 0, 2_001, false],
  // A round trip of a second: the database may have answered at its beginning or at its end.
  [0, 3_000, 1_000, true],
  [0, 3_001, 1_000, false],
  [2_001, 0, 3_001, false],
  [2_000, 0, 3_000, true],
])('asked at %i, the database says %i, heard at %i: right is %s', (before, database, after, isRight) => {
  expect(compareClocks(before, database, after).isRight).toBe(isRight)
})
