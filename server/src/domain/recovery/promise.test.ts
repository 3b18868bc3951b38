import { expect, test } from 'vitest'
import { clock, paris } from '../../../test/simulation/contact-file.ts'
import { calendarFor } from '../contact/calendar.ts'
import { DAY } from '../time.ts'
import { gracePeriodEnds, isPromiseKept, lastOwnPromiseDay, quietPeriodAfterResponse } from './promise.ts'

const lyon = calendarFor({ country: 'FR', postalCode: '69003' })!
const colmar = calendarFor({ country: 'FR', postalCode: '68000' })!

test.each([
  ['a Tuesday', '2026-11-17', '2026-11-19'],
  ['a Thursday', '2026-11-19', '2026-11-23'],
  ['a Friday', '2026-11-20', '2026-11-24'],
  ['a Saturday', '2026-11-21', '2026-11-24'],
  ['a Sunday', '2026-11-22', '2026-11-24'],
  ['the day before 11 November', '2026-11-10', '2026-11-13'],
  ['the day before Christmas', '2026-12-24', '2026-12-29'],
  ['the leap day', '2028-02-29', '2028-03-02'],
])('money promised for %s has two working days to arrive', (_day, payOn, ends) => {
  expect(gracePeriodEnds(lyon, payOn)).toBe(paris(`${ends} 08:00`))
})

test('working days are those of the region', () => {
  // Good Friday and Easter Monday.
  expect(gracePeriodEnds(lyon, '2026-04-01')).toBe(paris('2026-04-03 08:00'))
  expect(gracePeriodEnds(colmar, '2026-04-01')).toBe(paris('2026-04-07 08:00'))
})

test('the morning is that of the debtor', () => {
  const reunion = calendarFor({ country: 'FR', postalCode: '97400' })!
  expect(gracePeriodEnds(reunion, '2026-11-17')).toBe(clock('Indian/Reunion', '2026-11-19 08:00'))
})

test('a response of the debtor starts a quiet period of three days', () => {
  expect(quietPeriodAfterResponse).toBe(3 * DAY)
})

test('a promise is kept when what came since covers it', () => {
  const promise = { amount: 100_00, paidBefore: 50_00 }
  expect(isPromiseKept(promise, 150_00)).toBe(true)
  expect(isPromiseKept(promise, 160_00)).toBe(true)
  expect(isPromiseKept(promise, 149_99)).toBe(false)
  expect(isPromiseKept(promise, 50_00)).toBe(false)
})

test.each([
  ['the first promise', { made: 0, firstOn: null }, '2026-11-16', '2027-01-15'],
  ['a move, days later', { made: 1, firstOn: '2026-11-16' }, '2026-11-20', '2027-01-19'],
  ['a move, weeks later', { made: 1, firstOn: '2026-11-16' }, '2027-01-05', '2027-02-14'],
  ['a move on the ninetieth day', { made: 1, firstOn: '2026-11-16' }, '2027-02-14', '2027-02-14'],
  ['a move after ninety days', { made: 1, firstOn: '2026-11-16' }, '2027-02-15', null],
  ['a second move', { made: 2, firstOn: '2026-11-16' }, '2026-11-20', null],
])('a debtor’s own promise: %s', (_what, before, today, last) => {
  expect(lastOwnPromiseDay(before, today)).toBe(last)
})
