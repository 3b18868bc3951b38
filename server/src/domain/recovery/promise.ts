import { holidayOn, type LocalCalendar } from '../contact/calendar.ts'
import { addDays, DAY, type Instant, instantOf, type LocalDate, weekday } from '../time.ts'

/** A promised payment may take two working days to arrive. */
const graceWorkingDays = 2
/** After a response of the debtor (an answer, a part payment, a promise) no message is sent for at least three days. */
export const quietPeriodAfterResponse = 3 * DAY

/** The longest wait for a payment that is only promised. */
export const promiseDaysMax = 60

/** Whether a debtor may promise to pay on a day; `today` is the debtor's local date. */
export const judgePayDay = (payOn: LocalDate, today: LocalDate): 'past' | 'too_far' | null =>
  payOn < today ? 'past' : payOn > addDays(today, promiseDaysMax) ? 'too_far' : null

/** A debtor may make a promise and move it once; then a person decides. */
const ownPromisesMax = 2
/** How long a debtor can postpone an invoice by its own promises, counted from the first one. */
const ownPromiseDays = 90

/** The last day a debtor itself may promise for an invoice; null: a person has to decide. `today` is the debtor's local date. */
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
