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
  limitationEnds,
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

const never = { acknowledgedOn: null, demandedOn: null }

test('a debt of a business ends after five years, of a consumer after two', () => {
  expect(limitationEnds('business', '2026-10-15', never)).toBe('2031-10-15')
  expect(limitationEnds('consumer', '2026-10-15', never)).toBe('2028-10-15')
})

test('a part payment or a promise starts the time again, one before the due date does not', () => {
  expect(limitationEnds('consumer', '2026-10-15', { ...never, acknowledgedOn: '2027-03-01' })).toBe(
    '2029-03-01',
  )
  expect(limitationEnds('consumer', '2026-10-15', { ...never, acknowledgedOn: '2026-10-15' })).toBe(
    '2028-10-15',
  )
  expect(limitationEnds('consumer', '2026-10-15', { ...never, acknowledgedOn: '2026-01-01' })).toBe(
    '2028-10-15',
  )
})

test('29 February ends on 28 February of a year that has no other', () => {
  expect(limitationEnds('consumer', '2028-02-29', never)).toBe('2030-02-28')
  expect(limitationEnds('business', '2028-02-29', never)).toBe('2033-02-28')
  expect(limitationEnds('consumer', '2026-02-28', never)).toBe('2028-02-28')
})

test('a debt of a public body ends after four years that begin on 1 January after the due date', () => {
  expect(limitationEnds('public_body', '2026-02-10', never)).toBe('2030-12-31')
  expect(limitationEnds('public_body', '2026-01-01', never)).toBe('2030-12-31')
  expect(limitationEnds('public_body', '2026-12-31', never)).toBe('2030-12-31')
})

test('within the four years a written demand or an acknowledgement starts them again, after them nothing does', () => {
  const ends = (acknowledgedOn: string | null, demandedOn: string | null) =>
    limitationEnds('public_body', '2026-02-10', { acknowledgedOn, demandedOn })
  expect(ends(null, '2028-05-05')).toBe('2032-12-31')
  expect(ends('2030-12-31', null)).toBe('2034-12-31')
  expect(ends('2030-12-31', '2033-01-01')).toBe('2037-12-31')
  expect(ends('2033-01-01', '2030-12-31')).toBe('2037-12-31')
  expect(ends(null, '2031-01-01')).toBe('2030-12-31')
  expect(ends('2026-02-09', '2026-02-10')).toBe('2030-12-31')
  // A demand does not start the time of anybody else again.
  expect(limitationEnds('business', '2026-02-10', { acknowledgedOn: null, demandedOn: '2028-05-05' })).toBe(
    '2031-02-10',
  )
})

const ready: CourtCase = {
  notice: { at, receiptAt: null },
  isDisputed: false,
  limitationEnds: '2028-10-15',
  today: '2026-12-21',
  now: at + 20 * DAY,
}

test('a debt with a notice whose time is over, undisputed and in time, may go to court', () => {
  expect(courtObstacles(ready)).toEqual([])
})

test.each<[string, Partial<CourtCase>, string]>([
  ['without a formal notice', { notice: null }, 'formal_notice_missing'],
  ['a millisecond before the deadline', { now: at + 20 * DAY - 1 }, 'deadline_running'],
  ['while it is disputed', { isDisputed: true }, 'dispute_open'],
  ['the day after it is time-barred', { today: '2028-10-16' }, 'time_barred'],
])('%s it may not', (_when, change, obstacle) => {
  expect(courtObstacles({ ...ready, ...change })).toEqual([obstacle])
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
