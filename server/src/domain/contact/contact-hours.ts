import { addDays, type Instant, instantOf, type LocalTime, localTime } from '../time.ts'
import type { LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'

/** From the first minute, until just before the second. */
type Window = readonly [opens: number, closes: number]

/** When a channel may be used, in the debtor's local time. Sundays and holidays are judged before. */
export interface ContactHours {
  readonly because: 'outside_hours' | 'call_hours'
  readonly inWords: string
  readonly windows: readonly Window[]
  /** 6: also on Saturdays; 5: Monday to Friday. */
  readonly lastWeekday: 5 | 6
}

const at = (hour: number, minute = 0) => hour * 60 + minute

/** The law's own hours, for everything that is written. */
const written: ContactHours = {
  because: 'outside_hours',
  inWords: 'from 08:00 to 20:00',
  windows: [[at(8), at(20)]],
  lastWeekday: 6,
}
const businessCalls: ContactHours = {
  because: 'call_hours',
  inWords: 'from 09:00 to 12:30 and from 14:00 to 18:30, Monday to Friday',
  windows: [
    [at(9), at(12, 30)],
    [at(14), at(18, 30)],
  ],
  lastWeekday: 5,
}
const consumerCalls: ContactHours = {
  because: 'call_hours',
  inWords: 'from 10:00 to 13:00 and from 14:00 to 20:00, Monday to Friday',
  windows: [
    [at(10), at(13)],
    [at(14), at(20)],
  ],
  lastWeekday: 5,
}

export const hoursFor = (channel: Channel, isConsumer: boolean): ContactHours =>
  channel !== 'voice' ? written : isConsumer ? consumerCalls : businessCalls

// Sunday is not judged here: the day's own rule refuses it, with the better reason.
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
  // Should that be a closed day too, the next round passes over it.
  return instantOf(zone, addDays(local.date, 1), hours.windows[0]![0])
}

/** The end of the window one is in, in all zones together; the instant itself when one of them is closed. */
export const closingAt = (calendar: LocalCalendar, hours: ContactHours, instant: Instant): Instant =>
  Math.min(...calendar.zones.map(zone => windowAt(hours, zone, instant)?.closes ?? instant))
