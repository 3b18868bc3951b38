import type { LocalCalendar } from '../../src/domain/contact/calendar.ts'
import { type Channel, channels } from '../../src/domain/contact/channel.ts'
import type { Caps, ContactFile } from '../../src/domain/contact/contact-rules.ts'
import type { Judge } from './judge.ts'
import { dayOf, nameOfDay } from './local-clock.ts'
import { DAY } from './population.ts'

const HOUR = 3_600_000
const cooldown = 3 * DAY + 15 * 60_000

const firstDay = dayOf(2025, 1, 1)
const lastDay = dayOf(2031, 12, 31)

/** The longest row of days on which a channel is closed, whatever was sent before: Sundays, holidays, Saturdays for calls. */
function closedRun(calendar: LocalCalendar, channel: Channel): number {
  let longest = 0
  let run = 0
  for (let day = firstDay; day <= lastDay; day++) {
    const weekday = (day + 4) % 7
    const isClosed =
      weekday === 0 || (weekday === 6 && channel === 'voice') || calendar.holidays.has(nameOfDay(day))
    run = isClosed ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

const runs = new Map<string, number>()
function closedRunOf(calendar: LocalCalendar, channel: Channel): number {
  const key = `${calendar.region} ${channel === 'voice'}`
  let run = runs.get(key)
  if (run === undefined) {
    run = closedRun(calendar, channel)
    runs.set(key, run)
  }
  return run
}

/**
 * How long a legal slot can be away, at most. What was sent stands in the way for
 *   the cooldown: 72 h 15 min;
 *   the week: 7 days;
 *   the month of m with w a week: any w + 1 contacts span 7 days, so the first of m lies 7 ⌊(m − 1) / w⌋ days before the last,
 *   and falls out of the window 30 days after itself;
 *   a consumer's four calls: likewise, or three cooldowns if that is more.
 * Then come the closed days of the calendar in a row, and one more day to the end of the next open one, where a spread message
 * may lie; an hour for a change of clocks.
 */
export function boundOf({ calendar, caps, isConsumer }: ContactFile, channel: Channel): number {
  const waits = [cooldown]
  if (caps) {
    const since = (count: number) => 7 * DAY * Math.floor((count - 1) / caps.perWeek)
    waits.push(7 * DAY, 30 * DAY - since(caps.perMonth))
    if (isConsumer && channel === 'voice') waits.push(30 * DAY - Math.max(since(4), 3 * cooldown))
  }
  return Math.max(...waits) + (closedRunOf(calendar!, channel) + 1) * DAY + HOUR
}

export interface Waits {
  /** Under the law alone, in writing; calls, which are also closed on Saturdays, are compared with their own bound. */
  floor: number
  /** Email and SMS under the default caps. */
  usual: number
  /** The worst of them as a share of its own bound. */
  share: number
  slotsAsked: number
  measure(judge: Judge, file: ContactFile, from: number): void
}

const isDefault = (caps: Caps | null) => caps?.perWeek === 2 && caps.perMonth === 8

/** How far away the next slot was, over all measurements. */
export function startWaits(): Waits {
  const waits: Waits = {
    floor: 0,
    usual: 0,
    share: 0,
    slotsAsked: 0,
    measure(judge, file, from) {
      for (const channel of channels) {
        const wait = waitFor(judge, file, channel, from)
        const floor = waitFor(judge, { ...file, caps: null }, channel, from)
        waits.slotsAsked += 2
        if (channel !== 'voice') waits.floor = Math.max(waits.floor, floor)
        waits.share = Math.max(waits.share, floor / boundOf({ ...file, caps: null }, channel))
        if (isDefault(file.caps) && (channel === 'email' || channel === 'sms'))
          waits.usual = Math.max(waits.usual, wait)
        waits.share = Math.max(waits.share, wait / boundOf(file, channel))
      }
    },
  }
  return waits
}

function waitFor(judge: Judge, file: ContactFile, channel: Channel, from: number): number {
  const plan = judge.nextLegalSlot({ ...file, quietUntil: null }, channel, from, { spreadSeed: String(from) })
  return plan.at === null ? 0 : plan.at - from
}
