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

export interface CourtCase {
  readonly notice: FormalNotice | null
  /** The creditor confirms that the debtor received the notice, although no receipt says so. */
  readonly isNoticeConfirmed: boolean
  readonly isDisputed: boolean
  readonly limitationEnds: LocalDate
  readonly today: LocalDate
  readonly now: Instant
}

export const courtObstacleCodes = [
  'formal_notice_missing',
  'formal_notice_unproven',
  'deadline_running',
  'dispute_open',
  'time_barred',
] as const
export type CourtObstacle = (typeof courtObstacleCodes)[number]

/**
 * A registered letter that was presented, signed, refused or not collected. An email proves no receipt, nor does a letter of which
 * nothing was heard.
 */
export const isProven = ({ receiptAt }: FormalNotice): boolean => receiptAt !== null

/** Why the amicable stage cannot end yet. */
export function courtObstacles(courtCase: CourtCase): CourtObstacle[] {
  const obstacles: CourtObstacle[] = []
  const { notice } = courtCase
  if (notice === null) obstacles.push('formal_notice_missing')
  else {
    if (!isProven(notice) && !courtCase.isNoticeConfirmed) obstacles.push('formal_notice_unproven')
    if (courtCase.now < deadlineOf(notice)) obstacles.push('deadline_running')
  }
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
