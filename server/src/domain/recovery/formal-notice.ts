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

/** Art. L110-4 Code de commerce, L218-2 Code de la consommation, law of 31 December 1968. */
const limitationYears: Record<DebtorType, number> = { business: 5, consumer: 2, public_body: 4 }

/** The last day on which the debt can be taken to court. A part payment or a promise starts the period again. */
export function limitationEnds(
  type: DebtorType,
  dueDate: LocalDate,
  acknowledgedOn: LocalDate | null,
): LocalDate {
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

export type CourtObstacle = 'formal_notice_missing' | 'deadline_running' | 'dispute_open' | 'time_barred'

/** Why a debt cannot be taken to court yet. */
export function courtObstacles(courtCase: CourtCase): CourtObstacle[] {
  const obstacles: CourtObstacle[] = []
  if (courtCase.notice === null) obstacles.push('formal_notice_missing')
  else if (courtCase.now < deadlineOf(courtCase.notice)) obstacles.push('deadline_running')
  if (courtCase.isDisputed) obstacles.push('dispute_open')
  if (courtCase.today > courtCase.limitationEnds) obstacles.push('time_barred')
  return obstacles
}

/** Art. L125-1 CPCEx: the simplified procedure for small claims ends at 5,000 €. */
const smallClaimsMax = 5_000_00

export const courtRoutes = ['small_claims', 'payment_order'] as const
export const routeOf = (balance: Cents): (typeof courtRoutes)[number] =>
  balance <= smallClaimsMax ? 'small_claims' : 'payment_order'
