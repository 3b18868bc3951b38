import { type Instant, localTime, MINUTE } from '../time.ts'
import type { LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'
import { type ContactHours, hoursFor, windowAt } from './contact-hours.ts'
import { type Because, type ContactFile, judgeStart } from './contact-rules.ts'

/** A message spread over the day is never planned so late that a short delay would miss the window. */
const SPREAD_MARGIN = 30 * MINUTE

export interface Shift {
  because: Because
  detail: string
  from: Instant
  until: Instant
}

export type Plan = { at: Instant; shifts: readonly Shift[] } | { at: null; because: Because; detail: string }

/**
 * The first legal instant at or after `from`, with every reason why it was moved. A time that is moved to the opening of a
 * day is spread over that day by the seed, so that not everything is sent at 08:00. Without a seed it stays at the opening.
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
  // The loop ends: every obstacle ends after the instant at which it is met, and the calendar has a horizon.
  for (;;) {
    const verdict = judgeStart(file, channel, at)
    if (verdict.allowed) break
    const { because, until, detail } = verdict
    if (until === null) return { at: null, because, detail }
    atOpening = because === 'outside_hours' || because === 'call_hours'
    const last = shifts.at(-1)
    // A blocked day ends at midnight; the night that follows is part of the same reason.
    if (atOpening && last !== undefined && blocksWholeDay(last.because)) last.until = until
    else shifts.push({ because, detail, from: at, until })
    at = until
  }
  if (atOpening && options.spreadSeed !== undefined && file.calendar !== null) {
    const later = spread(file.calendar, hoursFor(channel, file.isConsumer), at, options.spreadSeed)
    // A contact reserved for the coming days may block the afternoon but not the morning.
    if (judgeStart(file, channel, later).allowed) at = later
  }
  return { at, shifts }
}

function blocksWholeDay(because: Because): boolean {
  return because === 'sunday' || because === 'public_holiday' || because === 'one_contact_a_day'
}

function spread(calendar: LocalCalendar, hours: ContactHours, opening: Instant, seed: string): Instant {
  const closings = calendar.zones.map(zone => windowAt(hours, zone, opening)?.closes ?? opening)
  const seconds = Math.floor((Math.min(...closings) - SPREAD_MARGIN - opening) / 1000)
  if (seconds <= 0) return opening
  const { date } = localTime(calendar.zones[0], opening)
  return opening + (hash(`${seed} ${date}`) % seconds) * 1000
}

/** FNV-1a with a final mix; the same seed and day give the same second in every process and every version. */
export function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
