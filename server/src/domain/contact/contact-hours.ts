import { addDays, type Instant, instantOf, type LocalTime, localTime } from '../time.ts'
import type { LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'

/** Minutes of the day: open from the first, closed from the second on. */
type Window = readonly [opens: number, closes: number]

/** When a channel may be used, in the debtor's local time. Sundays and holidays are checked before. */
export interface ContactHours {
  readonly because: 'outside_hours' | 'call_hours'
  readonly description: string
  readonly windows: readonly Window[]
  /** 6: also on Saturdays; 5: Monday to Friday. */
  readonly lastWeekday: 5 | 6
}

const toMinutes = (hour: number, minute = 0) => hour * 60 + minute

/** The usual hours, for everything that is written. */
const writtenHours: ContactHours = {
  because: 'outside_hours',
  description: 'from 08:00 to 20:00',
  windows: [[toMinutes(8), toMinutes(20)]],
  lastWeekday: 6,
}
const businessCallHours: ContactHours = {
  because: 'call_hours',
  description: 'from 09:00 to 12:30 and from 14:00 to 18:30, Monday to Friday',
  windows: [
    [toMinutes(9), toMinutes(12, 30)],
    [toMinutes(14), toMinutes(18, 30)],
  ],
  lastWeekday: 5,
}
const consumerCallHours: ContactHours = {
  because: 'call_hours',
  description: 'from 10:00 to 13:00 and from 14:00 to 20:00, Monday to Friday',
  windows: [
    [toMinutes(10), toMinutes(13)],
    [toMinutes(14), toMinutes(20)],
  ],
  lastWeekday: 5,
}

export const hoursFor = (channel: Channel, isConsumer: boolean): ContactHours =>
  channel !== 'voice' ? writtenHours : isConsumer ? consumerCallHours : businessCallHours

// Sunday is not checked here: the rule for the day refuses it, with a better reason.
const isClosedDay = (hours: ContactHours, weekday: number) => weekday === 6 && hours.lastWeekday === 5

const windowOf = (hours: ContactHours, { minuteOfDay, weekday }: LocalTime): Window | undefined =>
  isClosedDay(hours, weekday)
    ? undefined
    : hours.windows.find(([opens, closes]) => minuteOfDay >= opens && minuteOfDay < closes)

export const isOpenAt = (hours: ContactHours, local: LocalTime): boolean =>
  windowOf(hours, local) !== undefined

/** The open window around an instant, as instants of that zone. */
export function windowAt(hours: ContactHours, zone: string, instant: Instant): { closes: Instant } | null {
  const local = localTime(zone, instant)
  const window = windowOf(hours, local)
  return window ? { closes: instantOf(zone, local.date, window[1]) } : null
}

/** The next instant inside the hours of every zone; null when their days have no hour in common. */
export function nextOpening(calendar: LocalCalendar, hours: ContactHours, from: Instant): Instant | null {
  let opening = from
  for (let round = 0; round < 12; round++) {
    const before = opening
    for (const zone of calendar.zones) opening = openingIn(zone, hours, opening)
    if (opening === before) return opening
  }
  return null
}

function openingIn(zone: string, hours: ContactHours, instant: Instant): Instant {
  const local = localTime(zone, instant)
  if (isOpenAt(hours, local)) return instant
  const later = hours.windows.find(([opens]) => local.minuteOfDay < opens)
  if (later && !isClosedDay(hours, local.weekday)) return instantOf(zone, local.date, later[0])
  // If that day is closed too, the next round of `nextOpening` moves on.
  return instantOf(zone, addDays(local.date, 1), hours.windows[0]![0])
}

/** When the first of the zones closes; the instant itself if one of them is closed already. */
export const closingAt = (calendar: LocalCalendar, hours: ContactHours, instant: Instant): Instant =>
  Math.min(...calendar.zones.map(zone => windowAt(hours, zone, instant)?.closes ?? instant))
