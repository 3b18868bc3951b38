import { holidayOn, type LocalCalendar } from '../contact/calendar.ts'
import { addDays, DAY, type Instant, instantOf, type LocalDate, weekday } from '../time.ts'

/** A promised payment may take two working days to arrive. */
const graceWorkingDays = 2
/** After a response of the debtor (an answer, a part payment, a promise) no message is sent for at least three days. */
export const quietPeriodAfterResponse = 3 * DAY

/** Nobody waits longer for a payment that was only promised. */
export const promiseDaysMax = 60

/** Whether a debtor may promise to pay on a day, today being where the debtor is. */
export const judgePayDay = (payOn: LocalDate, today: LocalDate): 'past' | 'too_far' | null =>
  payOn < today ? 'past' : payOn > addDays(today, promiseDaysMax) ? 'too_far' : null

/** A debtor promises, and may move that once; then a person decides. */
const ownPromisesMax = 2
/** So long a debtor can put off an invoice by promises of its own, from the first one on. */
const ownPromiseDays = 90

/** The last day a debtor itself may promise for an invoice, today being where the debtor is; null: a person has to decide. */
export function lastOwnPromiseDay(
  { made, firstOn }: { made: number; firstOn: LocalDate | null },
  today: LocalDate,
): LocalDate | null {
  if (made >= ownPromisesMax) return null
  const last = [addDays(today, promiseDaysMax), addDays(firstOn ?? today, ownPromiseDays)].sort()[0]!
  return last < today ? null : last
}

const isWorkingDay = (calendar: LocalCalendar, date: LocalDate) =>
  weekday(date) <= 5 && holidayOn(calendar, date) === null

/** The moment at which an unkept promise counts as broken. */
export function gracePeriodEnds(calendar: LocalCalendar, payOn: LocalDate): Instant {
  let date = payOn
  for (let left = graceWorkingDays; left > 0; ) {
    date = addDays(date, 1)
    if (isWorkingDay(calendar, date)) left--
  }
  return instantOf(calendar.zones[0], date, 8 * 60)
}

export const isPromiseKept = (promise: { amount: number; paidBefore: number }, paid: number): boolean =>
  paid - promise.paidBefore >= promise.amount
