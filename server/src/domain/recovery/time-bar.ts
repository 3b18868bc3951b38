import type { ContactFile } from '../contact/contact-rules.ts'
import type { DebtorType } from '../debtor-type.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { limitationEnds } from './formal-notice.ts'

/** The dates that the limitation period is counted from. */
export interface LimitedDebt {
  readonly dueDate: LocalDate
  /** When the debtor last paid a part of it, or promised to pay. */
  readonly acknowledgedAt: Instant | null
  /** When it was last demanded in writing, if that is certain: by a formal notice. */
  readonly demandedAt?: Instant | null
}

/** The last day on which the debt can be taken to court, as the debtor's local date. */
export const lastDayInCourt = (
  type: DebtorType,
  { dueDate, acknowledgedAt, demandedAt = null }: LimitedDebt,
  zone: string,
): LocalDate => {
  const dateOf = (at: Instant | null) => (at === null ? null : localTime(zone, at).date)
  return limitationEnds(type, dueDate, {
    acknowledgedOn: dateOf(acknowledgedAt),
    demandedOn: dateOf(demandedAt),
  })
}

/** A consumer is not reminded of a time-barred debt. */
export const isTimeBarred = (
  { calendar, isConsumer }: Pick<ContactFile, 'calendar' | 'isConsumer'>,
  debt: LimitedDebt,
  now: Instant,
): boolean =>
  isConsumer &&
  calendar !== null &&
  localTime(calendar.zones[0], now).date > lastDayInCourt('consumer', debt, calendar.zones[0])
