import type { ContactFile } from '../contact/contact-rules.ts'
import type { DebtorType } from '../debtor-type.ts'
import { addDays, type Instant, type LocalDate, localTime } from '../time.ts'

/**
 * What the time bar of a claim is counted from. Only dates of facts: what the creditor notes about a debtor is not among them,
 * because nobody makes his own proof (art. 1363 C. civ.).
 */
export interface LimitedClaim {
  readonly type: DebtorType
  readonly issueDate: LocalDate
  /** When the supply was completed; null: not known, the issue date stands for it. */
  readonly suppliedOn: LocalDate | null
  /** A special time of the law, such as one year for carriage; null: the time of this kind of debtor. */
  readonly limitationMonths: number | null
  /** Days on which the debtor itself acknowledged the debt: on the page, in a call, by money that was received. */
  readonly acknowledgedOn: readonly LocalDate[]
  /** Days on which a written demand was received, with proof. It counts for public bodies only. */
  readonly demandedOn?: readonly LocalDate[]
  /** When a claim or an order of a court was served on the debtor. */
  readonly servedOn?: LocalDate | null
  /** When the claim was declared in insolvency proceedings. */
  readonly declaredOn?: LocalDate | null
}

export const timeBarCauses = [
  'issue_date',
  'supply',
  'acknowledgement',
  'written_demand',
  'served',
  'declared',
] as const
export type TimeBarCause = (typeof timeBarCauses)[number]

/** The last day on which a court would hear of the claim, and what it is counted from. */
export interface TimeBar {
  readonly endsOn: LocalDate
  readonly from: LocalDate
  readonly because: TimeBarCause
}

/** Art. L110-4 C. com. and 2224 C. civ.: five years; art. L218-2 C. conso.: two years. */
const monthsOf: Record<Exclude<DebtorType, 'public_body'>, number> = { business: 60, consumer: 24 }

/** The same day some months later, or the last day of that month if it has no such day. */
function addMonths(date: LocalDate, months: number): LocalDate {
  const sum = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  const dayOf = (count: number, day: string) => {
    const month = (count % 12) + 1
    return `${Math.floor(count / 12)}-${month < 10 ? '0' : ''}${month}-${day}`
  }
  const same = dayOf(sum, date.slice(8))
  if (same.slice(8) <= '28') return same
  const last = addDays(dayOf(sum + 1, '01'), -1)
  return same < last ? same : last
}

/** Law of 31 December 1968: four years from the first day of the following year. */
const endOfFourYears = (day: LocalDate): LocalDate => `${Number(day.slice(0, 4)) + 4}-12-31`

/** The last day of a time that begins after this day. */
function endAfter({ type, limitationMonths }: LimitedClaim, day: LocalDate): LocalDate {
  if (type !== 'public_body') return addMonths(day, limitationMonths ?? monthsOf[type])
  const special = limitationMonths === null ? null : addMonths(day, limitationMonths)
  const usual = endOfFourYears(day)
  return special !== null && special < usual ? special : usual
}

/**
 * The time bar is counted from the supply (Com. 26 Feb. 2020, 18-25.036; 1re civ. 19 May 2021, 20-12.520). Each interruption on
 * or before its end starts the same time again (art. 2231, 2240 C. civ.); one after its end changes nothing (1re civ. 19 May
 * 2021, 19-26.253). The order in which they are known does not matter, only their days.
 */
export function timeBarOf(claim: LimitedClaim): TimeBar {
  const { type, suppliedOn, limitationMonths, issueDate, servedOn = null, declaredOn = null } = claim
  const demands = type === 'public_body' && limitationMonths === null ? (claim.demandedOn ?? []) : []
  const because = (cause: TimeBarCause) => (from: LocalDate) => ({ from, because: cause })
  const interruptions = [
    ...claim.acknowledgedOn.map(because('acknowledgement')),
    ...demands.map(because('written_demand')),
    ...(servedOn === null ? [] : [servedOn]).map(because('served')),
    ...(declaredOn === null ? [] : [declaredOn]).map(because('declared')),
  ].toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))
  const from = suppliedOn ?? issueDate
  const start: TimeBar = {
    endsOn: endAfter(claim, from),
    from,
    because: suppliedOn === null ? 'issue_date' : 'supply',
  }
  return interruptions.reduce<TimeBar>((bar, interruption) => {
    const endsOn = endAfter(claim, interruption.from)
    return interruption.from <= bar.endsOn && endsOn > bar.endsOn ? { ...interruption, endsOn } : bar
  }, start)
}

/** A claim with its stored end. */
export interface BarredFrom {
  readonly limitationEndsOn: LocalDate
}

/** Whether the last day is over where the debtor is. Then neither a court is named, nor a promise taken. */
export const isTimeBarred = (
  { calendar }: Pick<ContactFile, 'calendar'>,
  { limitationEndsOn }: BarredFrom,
  now: Instant,
): boolean => localTime(calendar?.zones[0] ?? 'UTC', now).date > limitationEndsOn

/** Nothing more is asked of a consumer when the claim is time-barred. */
export const isNothingAsked = (
  rules: Pick<ContactFile, 'calendar' | 'isConsumer'>,
  claim: BarredFrom,
  now: Instant,
): boolean => rules.isConsumer && isTimeBarred(rules, claim, now)

/** How many months before its end the creditor is alerted. */
export const alertMonths = [12, 6, 3, 1] as const

/** The nearest of these months that has begun; null: none has, or the time is over. */
export function alertReached(endsOn: LocalDate, today: LocalDate): number | null {
  if (today > endsOn) return null
  return alertMonths.findLast(months => addMonths(endsOn, -months) <= today) ?? null
}

/** What the creditor was alerted of counts for a new end too, unless that end is far away again. */
export function alertedAfter(endsOn: LocalDate, today: LocalDate, alerted: number | null): number | null {
  const reached = alertReached(endsOn, today)
  return reached === null || alerted === null ? null : Math.max(reached, alerted)
}

/** The day of the next alert, which may be over; null: the last one was made, or the time is over. */
export function nextAlertOn(endsOn: LocalDate, today: LocalDate, alerted: number | null): LocalDate | null {
  if (today > endsOn) return null
  const reached = alertReached(endsOn, today)
  const isDue = reached !== null && (alerted === null || reached < alerted)
  const next = isDue ? reached : alertMonths.find(months => months < (reached ?? Infinity))
  return next === undefined ? null : addMonths(endsOn, -next)
}
