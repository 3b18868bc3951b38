import type { DebtorType } from '../debtor-type.ts'
import type { Cents } from '../money/money.ts'
import { addDays, DAY, type Instant, type LocalDate } from '../time.ts'

/** A formal notice that was sent, and the time of its first receipt: presented, signed, refused or returned. */
export interface FormalNotice {
  readonly at: Instant
  readonly receiptAt: Instant | null
}

/** The time to pay that the letter gives. */
export const daysToPay = 8

/** For a letter without a receipt: after how many days the time to pay counts as over, and the next contact may follow. */
const daysWithoutReceipt = 20
const daysToNextContactWithoutReceipt = 23

export const deadlineOf = ({ at, receiptAt }: FormalNotice): Instant =>
  receiptAt === null ? at + daysWithoutReceipt * DAY : receiptAt + daysToPay * DAY

/**
 * No reminder is sent while the time to pay runs. It is counted in calendar days, not in hours: in the week the clocks go
 * back, 8 × 24 hours after a receipt just past midnight is still the seventh day.
 */
export function nextContactOn(
  { at, receiptAt }: FormalNotice,
  dateOf: (instant: Instant) => LocalDate,
): LocalDate {
  const latest = addDays(dateOf(at), daysToNextContactWithoutReceipt)
  const afterReceipt = receiptAt === null ? latest : addDays(dateOf(receiptAt), daysToPay)
  return afterReceipt < latest ? afterReceipt : latest
}

/** Art. L110-4 Code de commerce, L218-2 Code de la consommation. */
const limitationYears = { business: 5, consumer: 2 }

/** Events that restart the limitation period. */
export interface Interruptions {
  /** A part payment or a promise. */
  readonly acknowledgedOn: LocalDate | null
  /** A written demand; it counts for public bodies only. */
  readonly demandedOn: LocalDate | null
}

/**
 * Law of 31 December 1968: four years from the first day of the following year. A written demand or an acknowledgement within
 * them starts four new years; after them neither does.
 */
function limitationOfPublicBody(dueDate: LocalDate, interruptions: readonly LocalDate[]): LocalDate {
  const endAfter = (day: LocalDate) => `${Number(day.slice(0, 4)) + 4}-12-31`
  return interruptions
    .toSorted()
    .reduce((end, day) => (day > dueDate && day <= end ? endAfter(day) : end), endAfter(dueDate))
}

/** The last day on which the debt can be taken to court. */
export function limitationEnds(
  type: DebtorType,
  dueDate: LocalDate,
  { acknowledgedOn, demandedOn }: Interruptions,
): LocalDate {
  if (type === 'public_body')
    return limitationOfPublicBody(
      dueDate,
      [acknowledgedOn, demandedOn].filter(day => day !== null),
    )
  const from = acknowledgedOn !== null && acknowledgedOn > dueDate ? acknowledgedOn : dueDate
  const year = String(Number(from.slice(0, 4)) + limitationYears[type]).padStart(4, '0')
  // From 29 February the period ends on 28 February, unless that year is a leap year.
  return from.slice(5) === '02-29' ? addDays(`${year}-03-01`, -1) : `${year}${from.slice(4)}`
}

export interface CourtCase {
  readonly notice: FormalNotice | null
  readonly isDisputed: boolean
  readonly limitationEnds: LocalDate
  readonly today: LocalDate
  readonly now: Instant
}

export const courtObstacleCodes = [
  'formal_notice_missing',
  'deadline_running',
  'dispute_open',
  'time_barred',
] as const
export type CourtObstacle = (typeof courtObstacleCodes)[number]

/** Why a debt cannot be taken to court yet. */
export function courtObstacles(courtCase: CourtCase): CourtObstacle[] {
  const obstacles: CourtObstacle[] = []
  if (courtCase.notice === null) obstacles.push('formal_notice_missing')
  else if (courtCase.now < deadlineOf(courtCase.notice)) obstacles.push('deadline_running')
  if (courtCase.isDisputed) obstacles.push('dispute_open')
  if (courtCase.today > courtCase.limitationEnds) obstacles.push('time_barred')
  return obstacles
}

/** Art. R125-1 CPCEx: the simplified procedure for small claims ends at 5,000 € of principal and interest. */
const smallClaimsMax = 5_000_00

export const courtRoutes = ['small_claims', 'payment_order', 'administrative_court'] as const

/** A public contract goes to the administrative court, which has no order to pay. */
export function routeOf(
  type: DebtorType,
  { principal, interest }: { principal: Cents; interest: Cents },
): (typeof courtRoutes)[number] {
  if (type === 'public_body') return 'administrative_court'
  return principal + interest <= smallClaimsMax ? 'small_claims' : 'payment_order'
}
