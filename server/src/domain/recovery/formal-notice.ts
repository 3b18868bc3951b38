import type { DebtorType } from '../debtor-type.ts'
import type { Cents } from '../money/money.ts'
import { addDays, DAY, type Instant, type LocalDate } from '../time.ts'

/** A formal notice that was given, and when something was first heard of it: presented, signed, refused, returned. */
export interface FormalNotice {
  readonly at: Instant
  readonly newsAt: Instant | null
}

/** What the letter grants. */
export const daysToPay = 8

/** After a letter nobody has heard of: when its time to pay is taken to be over, and when the next contact may follow. */
const daysWithoutNews = 20
const daysToNextContactWithoutNews = 23

export const deadlineOf = ({ at, newsAt }: FormalNotice): Instant =>
  newsAt === null ? at + daysWithoutNews * DAY : newsAt + daysToPay * DAY

/**
 * Nobody is reminded while the time they were given runs. Counted in days of the calendar: in the week the clocks go back,
 * 8 × 24 hours after a receipt just past midnight is still the seventh day.
 */
export function nextContactOn(
  { at, newsAt }: FormalNotice,
  dateOf: (instant: Instant) => LocalDate,
): LocalDate {
  const atTheLatest = addDays(dateOf(at), daysToNextContactWithoutNews)
  const afterNews = newsAt === null ? atTheLatest : addDays(dateOf(newsAt), daysToPay)
  return afterNews < atTheLatest ? afterNews : atTheLatest
}

/** Art. L110-4 Code de commerce, L218-2 Code de la consommation, law of 31 December 1968. */
const limitationYears: Record<DebtorType, number> = { business: 5, consumer: 2, public_body: 4 }

/** The last day on which the debt can be taken to court; a part payment or a promise starts the time again. */
export function limitationEnds(
  type: DebtorType,
  dueDate: LocalDate,
  acknowledgedOn: LocalDate | null,
): LocalDate {
  const from = acknowledgedOn !== null && acknowledgedOn > dueDate ? acknowledgedOn : dueDate
  const year = String(Number(from.slice(0, 4)) + limitationYears[type]).padStart(4, '0')
  // 29 February ends on 28 February of a year that has no other.
  return from.slice(5) === '02-29' ? addDays(`${year}-03-01`, -1) : `${year}${from.slice(4)}`
}

export interface CourtCase {
  readonly notice: FormalNotice | null
  readonly isDisputed: boolean
  readonly limitationEnds: LocalDate
  readonly today: LocalDate
  readonly now: Instant
}

export type CourtObstacle = 'formal_notice_missing' | 'deadline_running' | 'dispute_open' | 'time_barred'

/** What stands between a debt and the court. */
export function courtObstacles(of: CourtCase): CourtObstacle[] {
  const missing: CourtObstacle[] = []
  if (of.notice === null) missing.push('formal_notice_missing')
  else if (of.now < deadlineOf(of.notice)) missing.push('deadline_running')
  if (of.isDisputed) missing.push('dispute_open')
  if (of.today > of.limitationEnds) missing.push('time_barred')
  return missing
}

/** Art. L125-1 CPCEx: the simplified procedure for small claims ends at 5,000 €. */
const smallClaimsMost = 5_000_00

export const courtRoutes = ['small_claims', 'payment_order'] as const
export const routeOf = (balance: Cents): (typeof courtRoutes)[number] =>
  balance <= smallClaimsMost ? 'small_claims' : 'payment_order'
