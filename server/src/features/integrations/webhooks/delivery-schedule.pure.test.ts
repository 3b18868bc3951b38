import fc from 'fast-check'
import { expect, it } from 'vitest'
import { afterFailure, afterOurFault, attemptsMax } from './delivery-schedule.ts'

const second = 1_000
const minute = 60 * second

it('the five attempts follow each other after 0, 30 s, 5 min, 30 min and 2 h, counted from the failure before', () => {
  const failedAt = Date.parse('2026-11-16T09:00:00.123Z')
  const waits = [1, 2, 3, 4].map(attempt => {
    const next = afterFailure(attempt, failedAt)
    return next.kind === 'retry' ? next.at - failedAt : null
  })
  expect(waits).toEqual([30 * second, 5 * minute, 30 * minute, 120 * minute])
  expect(afterFailure(5, failedAt)).toEqual({ kind: 'give_up' })
  expect(attemptsMax).toBe(5)
})

it('the owner is warned from the third failure of one delivery on', () => {
  const isWarned = (attempt: number) => {
    const next = afterFailure(attempt, 0)
    return next.kind === 'retry' && next.isWarned
  }
  expect([1, 2, 3, 4].map(isWarned)).toEqual([false, false, true, true])
})

it('a fault of ours is tried again soon, later each time, and never later than half an hour', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.integer({ min: 0, max: 4e12 }), (times, at) => {
      const [wait, next] = [afterOurFault(times, at) - at, afterOurFault(times + 1, at) - at]
      expect(wait).toBeGreaterThanOrEqual(30 * second)
      expect(next).toBeGreaterThanOrEqual(wait)
      expect(next).toBeLessThanOrEqual(30 * minute)
    }),
  )
})
