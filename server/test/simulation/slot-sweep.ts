import type { Channel } from '../../src/domain/contact/channel.ts'
import type { ContactFile, PastContact } from '../../src/domain/contact/contact-rules.ts'
import type { Judge } from './judge.ts'
import { dayOf, nameOfDay } from './local-clock.ts'
import { DAY } from './population.ts'

export interface Longest {
  days: number
  description: string
}

interface Case {
  channel: Channel
  isConsumer: boolean
  /** The last minute of the day in which this channel may be used. */
  closes: number
}

const cases: readonly Case[] = [
  { channel: 'email', isConsumer: false, closes: 20 * 60 },
  { channel: 'voice', isConsumer: false, closes: 18.5 * 60 },
  { channel: 'voice', isConsumer: true, closes: 20 * 60 },
]

// Thirty days and a fortnight before the table ends, so that a slot can still be found.
const days = Array.from({ length: dayOf(2031, 11, 1) - dayOf(2025, 1, 2) }, (_, i) => dayOf(2025, 1, 2) + i)

/** The latest second that a spread may choose is as legal as any: every seed of a few is tried. */
const seeds = ['a', 'b', 'c']

function wait(judge: Judge, file: ContactFile, channel: Channel, from: number): number {
  return Math.max(
    ...seeds.map(spreadSeed => {
      const { at } = judge.nextLegalSlot(file, channel, from, { spreadSeed })
      if (at === null) throw new Error(`no slot at all after ${new Date(from).toISOString()}`)
      return (at - from) / DAY
    }),
  )
}

const bare = { caps: null, isConsumer: false, quietUntil: null, month: [] }

/** The law alone: contacted in the last minute of every day there is, how far away is the next slot on that channel? */
export function longestUnderFloor(
  judge: Judge,
  places: readonly (readonly [string, string])[],
  by: 'writing' | 'calls',
): Longest {
  const longest = { days: 0, description: '' }
  for (const [country, postalCode] of places) {
    const calendar = judge.calendarFor({ country, postalCode })!
    for (const { channel, isConsumer, closes } of cases) {
      if ((channel === 'voice') !== (by === 'calls')) continue
      for (const day of days) {
        if (isClosed(calendar, day) || (channel === 'voice' && weekdayOf(day) === 6)) continue
        const at = judge.instantOf(calendar.zones[0], nameOfDay(day), closes) - 1
        const contacts: PastContact[] = [{ at, channel }]
        updateLongest(longest, wait(judge, { ...bare, calendar, contacts, isConsumer }, channel, at), () =>
          [channel, postalCode, nameOfDay(day)].join(' '),
        )
      }
    }
  }
  return longest
}

/**
 * The default caps, filled in the worst way: two on the evening of a day and the morning of the next, the same seven, fourteen
 * and twenty-one days later. Eight are then reached as early as they can be, and the month is as long as it can be.
 */
export function longestUnderDefaultCaps(
  judge: Judge,
  places: readonly (readonly [string, string])[],
): Longest {
  const longest = { days: 0, description: '' }
  const caps = { perWeek: 2, perMonth: 8 }
  for (const [country, postalCode] of places) {
    const calendar = judge.calendarFor({ country, postalCode })!
    const zone = calendar.zones[0]
    for (const first of days.slice(0, -30)) {
      const dates = [0, 7, 14, 21].flatMap(after => [first + after, first + after + 1])
      if (dates.some(day => isClosed(calendar, day))) continue
      const month = dates.map(
        (day, i): PastContact => ({
          at: judge.instantOf(zone, nameOfDay(day), i % 2 === 0 ? 20 * 60 : 8 * 60) - (i % 2 === 0 ? 1 : 0),
          channel: i % 2 === 0 ? 'email' : 'sms',
        }),
      )
      const from = month.at(-1)!.at
      const contacts = month.slice(-2)
      for (const channel of ['email', 'sms'] as const)
        updateLongest(longest, wait(judge, { ...bare, calendar, contacts, month, caps }, channel, from), () =>
          [channel, postalCode, nameOfDay(first)].join(' '),
        )
    }
  }
  return longest
}

const weekdayOf = (day: number) => (day + 4) % 7
const isClosed = (calendar: { holidays: ReadonlyMap<string, unknown> }, day: number) =>
  weekdayOf(day) === 0 || calendar.holidays.has(nameOfDay(day))

function updateLongest(longest: Longest, found: number, description: () => string): void {
  if (found <= longest.days) return
  longest.days = found
  longest.description = description()
}
