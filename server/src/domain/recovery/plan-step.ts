import type { LocalCalendar } from '../contact/calendar.ts'
import type { Channel } from '../contact/channel.ts'
import type { Because, ContactFile } from '../contact/contact-rules.ts'
import { nextLegalSlot, type Shift } from '../contact/next-legal-slot.ts'
import { addDays, type Instant, instantOf, type LocalDate, localTime } from '../time.ts'
import type { Cascade, Step } from './cascade.ts'
import { type FormalNotice, nextContactOn } from './formal-notice.ts'

export const gapDaysAfterContact = 3
const gapDaysAfterSkip = 1

/**
 * A moment as it was judged, the wish behind it (the moment without regard to other contacts of the person), and the channel
 * that it was judged for.
 */
export type PlannedMoment =
  | { at: Instant; because: Because | null; shifts: readonly Shift[]; wish: Instant; channel: Channel | null }
  | { at: null; because: Because; shifts: readonly Shift[]; wish: null; channel: Channel | null }

const zoneOf = (calendar: LocalCalendar | null) => calendar?.zones[0] ?? null

/** A step that a person decides is not a contact: only the calendar moves it. */
const withoutContacts = (file: ContactFile): ContactFile => ({
  ...file,
  contacts: [],
  month: [],
  caps: null,
  quietUntil: null,
})

/** The given moment if the rules allow it, otherwise the next one that they allow, spread over that day. */
function slotFrom(
  file: ContactFile,
  channel: Channel | null,
  from: Instant,
  seed: string,
  isReported: (shift: Shift) => boolean = () => true,
): PlannedMoment {
  const rules = channel === null ? withoutContacts(file) : file
  const plan = nextLegalSlot(rules, channel ?? 'email', from, { spreadSeed: seed })
  if (plan.at === null) return { ...plan, shifts: [], wish: null, channel }
  const shifts = plan.shifts.filter(isReported)
  // Without a shift or without contacts, the calendar alone decided: the wish is the moment itself.
  const hasContacts = rules.contacts.length + rules.month.length > 0 || rules.quietUntil !== null
  const wanted =
    plan.shifts.length > 0 && hasContacts
      ? nextLegalSlot(withoutContacts(rules), channel ?? 'email', from, { spreadSeed: seed }).at
      : null
  // The end of a contact's cool-down may come before the moment of that day that the spread would have chosen.
  const wish = Math.min(wanted ?? plan.at, plan.at)
  // Of several obstacles, the last one determines the moment.
  return { at: plan.at, because: shifts.at(-1)?.because ?? null, shifts, wish, channel }
}

/** Plans for a day. The search begins at midnight, outside the hours; this is not reported as a reason. */
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

/**
 * The first step: at once if the debt is overdue and the window is open. A debt that is not overdue waits for the day after its
 * due date.
 */
export function planFirstStep(
  file: ContactFile,
  cascade: Cascade,
  dueDate: LocalDate,
  now: Instant,
  seed: string,
): PlannedMoment {
  const zone = zoneOf(file.calendar)
  const { channel } = cascade.steps[0]!
  const overdueOn = addDays(dueDate, 1)
  return zone && localTime(zone, now).date < overdueOn
    ? slotOn(file, channel, zone, overdueOn, seed)
    : slotFrom(file, channel, now, seed)
}

export interface Timing {
  readonly anchor: Instant
  /** The last step that was executed or skipped. */
  readonly last: { readonly at: Instant; readonly wasContact: boolean } | null
  readonly notice: FormalNotice | null
}

/**
 * A later step. Its day is counted from the anchor, so that one delay does not move all later steps. It keeps a gap to the
 * previous step, and after a formal notice it waits until the time to pay is over.
 */
export function planStep(
  file: ContactFile,
  step: Pick<Step, 'day'>,
  channel: Channel | null,
  { anchor, last, notice }: Timing,
  /** A step whose day has passed is planned from now on, never in the past. */
  now: Instant,
  seed: string,
): PlannedMoment {
  const zone = zoneOf(file.calendar)
  if (!zone) return { at: null, because: 'calendar_missing', shifts: [], wish: null, channel }
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
export const planAt = (
  file: ContactFile,
  channel: Channel | null,
  from: Instant,
  seed: string,
): PlannedMoment => slotFrom(file, channel, from, seed)

/** The moment from which the days of the cascade are counted. */
export function anchorOf(calendar: LocalCalendar | null, startedAt: Instant, dueDate: LocalDate): Instant {
  const zone = zoneOf(calendar)
  if (!zone) return startedAt
  const overdueOn = addDays(dueDate, 1)
  return localTime(zone, startedAt).date < overdueOn ? instantOf(zone, overdueOn, 0) : startedAt
}
