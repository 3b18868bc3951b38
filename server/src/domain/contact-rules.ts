import { beyondHorizon, holidayOn, horizon, type LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'
import { addDays, HOUR, type Instant, instantOf, type LocalDate, localTime, MINUTE } from './time.ts'

/** Stored with every verdict; raised whenever a verdict could change for the same inputs. */
export const RULES_VERSION = 1

/** Three days, and a quarter of an hour so that a send that slips a little stays on the right side of them. */
export const COOLDOWN = 72 * HOUR + 15 * MINUTE

/** The hours of the day between which anybody may be contacted: from the first, until just before the second. */
const OPENING_MINUTE = 8 * 60
export const CLOSING_MINUTE = 20 * 60

/** A message spread over the day is never planned so late that a short delay would miss the window. */
const SPREAD_MARGIN = 30 * MINUTE

export type Because =
  | 'outside_hours'
  | 'sunday'
  | 'public_holiday'
  | 'one_contact_a_day'
  | 'channel_cooldown'
  | 'calendar_missing'
  | 'calendar_horizon'

/** A contact that counts, already made or already reserved. */
export interface PastContact {
  at: Instant
  channel: Channel
}

export interface ContactFile {
  calendar: LocalCalendar | null
  contacts: readonly PastContact[]
}

export interface Refusal {
  allowed: false
  because: Because
  /** The first instant at which this one obstacle is over; null when nobody can say. */
  until: Instant | null
  detail: string
}

export type Verdict = { allowed: true } | Refusal

export interface Shift {
  because: Because
  detail: string
  from: Instant
  until: Instant
}

export type Plan = { at: Instant; shifts: readonly Shift[] } | { at: null; because: Because; detail: string }

function refuse(because: Because, until: Instant | null, detail: string): Refusal {
  return { allowed: false, because, until, detail }
}

const allowed: Verdict = { allowed: true }

/**
 * May this person be contacted on this channel at this instant? The floor of the law, which no setting lowers.
 * Obstacles are named in a fixed order, the whole day first, the hour last.
 */
export function judgeContact(file: ContactFile, channel: Channel, at: Instant): Verdict {
  const { calendar, contacts } = file
  if (calendar === null) return refuse('calendar_missing', null, 'no public holidays known for this country')
  return (
    judgeDay(calendar, at) ??
    judgeOnePerDay(calendar, contacts, at) ??
    judgeCooldown(calendar, contacts, channel, at) ??
    judgeHour(calendar, at) ??
    allowed
  )
}

function judgeDay(calendar: LocalCalendar, at: Instant): Refusal | null {
  for (const zone of calendar.zones) {
    const { date, weekday } = localTime(zone, at)
    if (beyondHorizon(date)) {
      return refuse('calendar_horizon', null, `public holidays known from ${horizon.from} to ${horizon.to}`)
    }
    if (weekday === 7) return refuse('sunday', midnightAfter(zone, date), `Sunday ${date}`)
    const holiday = holidayOn(calendar, date)
    if (holiday !== null) {
      return refuse('public_holiday', midnightAfter(zone, date), `${holiday.name}, ${holiday.place}`)
    }
  }
  return null
}

/** The day is the debtor's, not that of UTC: two messages at 23:30 and 00:30 UTC may be one day in Paris. */
function judgeOnePerDay(
  calendar: LocalCalendar,
  contacts: readonly PastContact[],
  at: Instant,
): Refusal | null {
  for (const zone of calendar.zones) {
    const { date } = localTime(zone, at)
    const other = contacts.find(contact => localTime(zone, contact.at).date === date)
    if (other !== undefined) {
      const detail = `${other.channel} on ${date}, one message a day`
      return refuse('one_contact_a_day', midnightAfter(zone, date), detail)
    }
  }
  return null
}

function judgeCooldown(
  calendar: LocalCalendar,
  contacts: readonly PastContact[],
  channel: Channel,
  at: Instant,
): Refusal | null {
  let latest: Instant | null = null
  for (const contact of contacts) {
    // A contact reserved for later keeps the days before it free as well.
    if (contact.channel !== channel || Math.abs(at - contact.at) >= COOLDOWN) continue
    if (latest === null || contact.at > latest) latest = contact.at
  }
  if (latest === null) return null
  const { date } = localTime(calendar.zones[0], latest)
  const detail = `${channel} on ${date}, 3 days between two messages on one channel`
  return refuse('channel_cooldown', latest + COOLDOWN, detail)
}

function judgeHour(calendar: LocalCalendar, at: Instant): Refusal | null {
  for (const zone of calendar.zones) {
    const { minuteOfDay } = localTime(zone, at)
    if (isOpen(minuteOfDay)) continue
    const clock = `${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}`
    return refuse('outside_hours', nextOpening(calendar, at), `${clock} in ${zone}, open from 08:00 to 20:00`)
  }
  return null
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function isOpen(minuteOfDay: number): boolean {
  return minuteOfDay >= OPENING_MINUTE && minuteOfDay < CLOSING_MINUTE
}

function midnightAfter(zone: string, date: LocalDate): Instant {
  return instantOf(zone, addDays(date, 1), 0)
}

/** The next instant inside the hours of every zone; null when their days have no hour in common. */
function nextOpening(calendar: LocalCalendar, at: Instant): Instant | null {
  let opening = at
  for (let round = 0; round < 4; round++) {
    const before = opening
    for (const zone of calendar.zones) {
      const { date, minuteOfDay } = localTime(zone, opening)
      if (isOpen(minuteOfDay)) continue
      const day = minuteOfDay < OPENING_MINUTE ? date : addDays(date, 1)
      opening = instantOf(zone, day, OPENING_MINUTE)
    }
    if (opening === before) return opening
  }
  return null
}

/**
 * The first legal instant not before `from`, with every reason it was moved.
 * `from` itself when that is legal. A time moved to the opening of the day is spread over that day by the seed,
 * so that 08:00 is not a cliff; without a seed it stays at the opening.
 */
export function nextLegalSlot(
  file: ContactFile,
  channel: Channel,
  from: Instant,
  options: { spreadSeed?: string } = {},
): Plan {
  const shifts: Shift[] = []
  let at = from
  let atOpening = false
  // Every obstacle ends later than it is met and the calendar's horizon ends them all, so this loop does too.
  for (;;) {
    const verdict = judgeContact(file, channel, at)
    if (verdict.allowed) break
    const { because, until, detail } = verdict
    if (until === null) return { at: null, because, detail }
    atOpening = because === 'outside_hours'
    const last = shifts.at(-1)
    // A blocked day ends at midnight; the night that follows is part of the same reason.
    if (atOpening && last !== undefined && blocksTheDay(last.because)) last.until = until
    else shifts.push({ because, detail, from: at, until })
    at = until
  }
  if (atOpening && options.spreadSeed !== undefined && file.calendar !== null) {
    const later = spread(file.calendar, at, options.spreadSeed)
    // A contact reserved for the coming days may forbid the afternoon and not the morning.
    if (judgeContact(file, channel, later).allowed) at = later
  }
  return { at, shifts }
}

function blocksTheDay(because: Because): boolean {
  return because === 'sunday' || because === 'public_holiday' || because === 'one_contact_a_day'
}

function spread(calendar: LocalCalendar, opening: Instant, seed: string): Instant {
  const closings = calendar.zones.map(zone => instantOf(zone, localTime(zone, opening).date, CLOSING_MINUTE))
  const seconds = Math.floor((Math.min(...closings) - SPREAD_MARGIN - opening) / 1000)
  if (seconds <= 0) return opening
  const { date } = localTime(calendar.zones[0], opening)
  return opening + (hash(`${seed} ${date}`) % seconds) * 1000
}

/** FNV-1a with a final mix; the same seed and day give the same second in every process and every version. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
