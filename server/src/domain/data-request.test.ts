import { expect, it } from 'vitest'
import { answerDueOn, dataRequestDecisions, holdsReminders, mayDecide } from './data-request.ts'

it.each([
  ['2026-11-16', '2026-12-16'],
  ['2026-12-16', '2027-01-16'],
  ['2027-01-31', '2027-02-28'],
  ['2028-01-30', '2028-02-29'],
  ['2026-08-31', '2026-09-30'],
  ['2026-11-30', '2026-12-30'],
  // A Sunday stays a Sunday.
  ['2026-11-20', '2026-12-20'],
])('a request of %s is answered by %s', (receivedOn, dueOn) => {
  expect(answerDueOn(receivedOn)).toBe(dueOn)
})

it('an open request is granted or refused, a granted one is lifted, and nothing is decided twice', () => {
  const allowed = [null, ...dataRequestDecisions].map(current =>
    dataRequestDecisions.filter(next => mayDecide(current, next)),
  )
  expect(allowed).toEqual([['granted', 'refused'], ['lifted'], [], []])
})

it('reminders wait while a request is open or granted', () => {
  expect([null, ...dataRequestDecisions].filter(holdsReminders)).toEqual([null, 'granted'])
})
