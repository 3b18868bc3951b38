import { expect, test } from 'vitest'
import { calendarOfDebtor } from '../../src/features/recovery/case/debtor-calendar.ts'
import { randomFrom } from '../chaos/random.ts'
import { compareCalendars, debtorAt } from './calendar.ts'

test('a piece of the calendar is open exactly when the gate lets a message leave at that instant', () => {
  const { cases, open, wrong, faulty } = compareCalendars(5_000, 42)
  expect(cases).toBeGreaterThanOrEqual(5_000)
  expect(open).toBeGreaterThan(250)
  expect(wrong).toEqual([])
  expect(faulty).toEqual([])
})

test('42 days of four channels have some hundred pieces', () => {
  const random = randomFrom(1)
  const { file, rules, span } = debtorAt(random)
  const month = { from: span.from, until: span.from + 42 * 24 * 3_600_000 }
  const pieces = calendarOfDebtor(file, rules, month).flatMap(channel => channel.pieces)
  expect(pieces.length).toBeLessThan(1_000)
})
