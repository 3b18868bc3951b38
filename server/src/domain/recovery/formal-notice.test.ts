import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paris } from '../../../test/simulation/contact-file.ts'
import { cents } from '../money/money.ts'
import { DAY, type Instant, localTime } from '../time.ts'
import {
  type CourtCase,
  courtObstacles,
  courtRoutes,
  daysToPay,
  deadlineOf,
  nextContactOn,
  routeOf,
} from './formal-notice.ts'

const at = paris('2026-12-01 10:00')
const dateOf = (instant: Instant) => localTime('Europe/Paris', instant).date

test('the deadline is eight days after the first receipt, or twenty after posting without one', () => {
  expect(daysToPay).toBe(8)
  expect(deadlineOf({ at, receiptAt: at + 2 * DAY })).toBe(at + 10 * DAY)
  expect(deadlineOf({ at, receiptAt: null })).toBe(at + 20 * DAY)
})

test('the next contact may follow eight days after the receipt, and 23 after posting at the latest', () => {
  const next = (receiptAt: Instant | null) => nextContactOn({ at, receiptAt }, dateOf)
  expect(next(null)).toBe('2026-12-24')
  expect(next(paris('2026-12-03 18:00'))).toBe('2026-12-11')
  expect(next(paris('2026-12-15 18:00'))).toBe('2026-12-23')
  expect(next(paris('2026-12-16 18:00'))).toBe('2026-12-24')
  expect(next(paris('2026-12-24 18:00'))).toBe('2026-12-24')
})

const ready: CourtCase = {
  notice: { at, receiptAt: at + 2 * DAY },
  isNoticeConfirmed: false,
  isDisputed: false,
  limitationEnds: '2028-10-15',
  today: '2026-12-21',
  now: at + 10 * DAY,
}

test('the amicable stage of a debt with a proven notice whose time is over, undisputed and in time, may end', () => {
  expect(courtObstacles(ready)).toEqual([])
})

test.each<[string, Partial<CourtCase>, string]>([
  ['without a formal notice', { notice: null }, 'formal_notice_missing'],
  ['a millisecond before the deadline', { now: at + 10 * DAY - 1 }, 'deadline_running'],
  ['while it is disputed', { isDisputed: true }, 'dispute_open'],
  ['the day after it is time-barred', { today: '2028-10-16' }, 'time_barred'],
])('%s it may not', (_when, change, obstacle) => {
  expect(courtObstacles({ ...ready, ...change })).toEqual([obstacle])
})

test('without a receipt the creditor may confirm that the notice was received; then its longer time counts', () => {
  const unproven = { ...ready, notice: { at, receiptAt: null }, now: at + 20 * DAY }
  expect(courtObstacles(unproven)).toEqual(['formal_notice_unproven'])
  expect(courtObstacles({ ...unproven, isNoticeConfirmed: true })).toEqual([])
  expect(courtObstacles({ ...unproven, now: at + 20 * DAY - 1 })).toEqual([
    'formal_notice_unproven',
    'deadline_running',
  ])
  expect(courtObstacles({ ...ready, notice: null, isNoticeConfirmed: true })).toEqual([
    'formal_notice_missing',
  ])
})

test('on its last day a debt may still go, and everything that is missing is named at once', () => {
  expect(courtObstacles({ ...ready, today: '2028-10-15' })).toEqual([])
  const worst = { ...ready, notice: null, isDisputed: true, today: '2030-01-01' }
  expect(courtObstacles(worst)).toEqual(['formal_notice_missing', 'dispute_open', 'time_barred'])
})

test('up to 5,000 € of principal and interest the route is that of small claims; a public body’s is its own court', () => {
  const sums = (principal: number, interest: number) => ({
    principal: cents(principal),
    interest: cents(interest),
  })
  expect(routeOf('business', sums(5_000_00, 0))).toBe('small_claims')
  expect(routeOf('business', sums(5_000_01, 0))).toBe('payment_order')
  expect(routeOf('business', sums(4_999_00, 1_01))).toBe('payment_order')
  expect(routeOf('consumer', sums(4_999_00, 1_00))).toBe('small_claims')
  expect(routeOf('public_body', sums(100_00, 0))).toBe('administrative_court')
  expect(courtRoutes).toEqual(['small_claims', 'payment_order', 'administrative_court'])
})

test('the next contact is never within the days to pay, and never more than 23 days after posting', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) }),
      fc.option(fc.integer({ min: 0, max: 30 * DAY })),
      (posted, after) => {
        const receiptAt = after === null ? null : posted + after
        const days = (date: string) => Date.parse(date) / DAY
        const waited = days(nextContactOn({ at: posted, receiptAt }, dateOf)) - days(dateOf(posted))
        expect(waited).toBe(
          receiptAt === null ? 23 : Math.min(23, days(dateOf(receiptAt)) - days(dateOf(posted)) + 8),
        )
      },
    ),
  )
})
