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
