import type { LocalCalendar } from '../contact/calendar.ts'
import type { Channel } from '../contact/channel.ts'
import { type Because, type ContactFile, nextLegalSlot, type Shift } from '../contact/contact-rules.ts'
import { addDays, type Instant, instantOf, type LocalDate, localTime } from '../time.ts'
import type { Cascade, Step } from './cascade.ts'
import { type FormalNotice, nextContactOn } from './formal-notice.ts'

export const gapDaysAfterContact = 3
const gapDaysAfterSkip = 1

export type Planned =
  | { at: Instant; because: Because | null; shifts: readonly Shift[] }
  | { at: null; because: Because; shifts: readonly Shift[] }

const zoneOf = (calendar: LocalCalendar | null) => calendar?.zones[0] ?? null

/** What a person decides on is no contact: only the calendar moves it. */
const withoutContacts = (file: ContactFile): ContactFile => ({
  ...file,
  contacts: [],
  month: [],
  caps: null,
  quietUntil: null,
})

/** The moment something may happen: its own if the rules allow it, else the next that they do, spread over that day. */
function slotFrom(
  file: ContactFile,
  channel: Channel | null,
  from: Instant,
  seed: string,
  isWorthTelling: (shift: Shift) => boolean = () => true,
): Planned {
  const rules = channel === null ? withoutContacts(file) : file
  const plan = nextLegalSlot(rules, channel ?? 'email', from, { spreadSeed: seed })
  if (plan.at === null) return { ...plan, shifts: [] }
  const shifts = plan.shifts.filter(isWorthTelling)
  // Of several obstacles the last is the one that decides the moment.
  return { at: plan.at, because: shifts.at(-1)?.because ?? null, shifts }
}

/** On a day: that its midnight is outside the hours is no reason worth telling. */
const slotOn = (file: ContactFile, channel: Channel | null, zone: string, date: LocalDate, seed: string) => {
  const midnight = instantOf(zone, date, 0)
  const isNight = (shift: Shift) =>
    shift.from === midnight && (shift.because === 'outside_hours' || shift.because === 'call_hours')
  const night = { zone, date }
  return slotFrom(
    file,
    channel,
    midnight,
    seed,
    shift => !(isNight(shift) && localTime(night.zone, shift.until).date === night.date),
  )
}

/** The first step: at once if the debt is overdue and the window open; a debt not yet due waits for the day after. */
export function planFirst(
  file: ContactFile,
  cascade: Cascade,
  dueDate: LocalDate,
  now: Instant,
  seed: string,
): Planned {
  const zone = zoneOf(file.calendar)
  const { channel } = cascade.steps[0]!
  const overdueOn = addDays(dueDate, 1)
  return zone && localTime(zone, now).date < overdueOn
    ? slotOn(file, channel, zone, overdueOn, seed)
    : slotFrom(file, channel, now, seed)
}

export interface Timing {
  readonly anchor: Instant
  /** The last thing done: what was executed, or left out. */
  readonly last: { readonly at: Instant; readonly wasContact: boolean } | null
  readonly notice: FormalNotice | null
}

/**
 * A later step: anchored to the start, so that one shift does not push all that follow, but never on the heels of the last,
 * and after a formal notice not before its time is over.
 */
export function planStep(
  file: ContactFile,
  step: Pick<Step, 'day'>,
  channel: Channel | null,
  { anchor, last, notice }: Timing,
  /** Not before: a step whose day has passed is planned from here, never back. */
  now: Instant,
  seed: string,
): Planned {
  const zone = zoneOf(file.calendar)
  if (!zone) return { at: null, because: 'calendar_missing', shifts: [] }
  const dateOf = (instant: Instant) => localTime(zone, instant).date
  const offsetDay = addDays(dateOf(anchor), step.day)
  const gapDay = last
    ? addDays(dateOf(last.at), last.wasContact ? gapDaysAfterContact : gapDaysAfterSkip)
    : offsetDay
  const ownDay = gapDay > offsetDay ? gapDay : offsetDay
  const noticeDay = notice ? nextContactOn(notice, dateOf) : ownDay
  const day = noticeDay > ownDay ? noticeDay : ownDay
  if (day <= dateOf(now)) return slotFrom(file, channel, now, seed)
  const planned = slotOn(file, channel, zone, day, seed)
  return noticeDay > ownDay && planned.because === null ? { ...planned, because: 'notice_running' } : planned
}

/** At a given moment or the next legal one. */
export const planAt = (file: ContactFile, channel: Channel | null, from: Instant, seed: string): Planned =>
  slotFrom(file, channel, from, seed)

/** Where the recovery counts its days from. */
export function anchorOf(calendar: LocalCalendar | null, startedAt: Instant, dueDate: LocalDate): Instant {
  const zone = zoneOf(calendar)
  if (!zone) return startedAt
  const overdueOn = addDays(dueDate, 1)
  return localTime(zone, startedAt).date < overdueOn ? instantOf(zone, overdueOn, 0) : startedAt
}
