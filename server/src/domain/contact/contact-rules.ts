import { addDays, DAY, HOUR, type Instant, instantOf, type LocalDate, localTime, MINUTE } from '../time.ts'
import { holidayOn, horizon, isOutsideHorizon, type LocalCalendar } from './calendar.ts'
import type { Channel } from './channel.ts'
import { type ContactHours, closingAt, hoursFor, isOpenAt, nextOpening } from './contact-hours.ts'
import { contactsCounted, endOfRest, isWithinRest } from './contact-window.ts'

/** Stored with every verdict. Increase it whenever a verdict could change for the same inputs. */
export const RULES_VERSION = 4

/** Three days, plus 15 minutes so that a send that is slightly late still leaves three full days. */
export const COOLDOWN = 72 * HOUR + 15 * MINUTE

export const contactReasons = [
  'outside_hours',
  'call_hours',
  'sunday',
  'public_holiday',
  'one_contact_a_day',
  'channel_cooldown',
  'weekly_cap',
  'monthly_cap',
  'call_cap',
  'sign_of_life',
  'notice_running',
  'calendar_missing',
  'foreign_consumer',
  'calendar_horizon',
] as const
export type Because = (typeof contactReasons)[number]

/** A contact that counts, already made or already reserved. */
export interface PastContact {
  at: Instant
  channel: Channel
}

/** Limits of the company on top of the law: fewer contacts, never more. */
export interface Caps {
  perWeek: number
  perMonth: number
}

export const defaultCaps: Caps = { perWeek: 2, perMonth: 8 }

/** The law leaves no room for more: six days a week, and no channel twice in three days. */
export const capsMax: Caps = { perWeek: 6, perMonth: 26 }

const consumerCallsPerMonth = 4

/** The lengths of the rolling windows of the caps, in days of 24 hours. */
export const capDays = [7, 30] as const
const [week, month] = capDays

export interface ContactFile {
  calendar: LocalCalendar | null
  /** Recent contacts of this person through any of its debtor records: the law counts these. */
  contacts: readonly PastContact[]
  /** Contacts of this debtor in the last thirty days: the caps count these. */
  month: readonly PastContact[]
  /** Null: only the rules of the law apply. */
  caps: Caps | null
  isConsumer: boolean
  /** The end of the quiet period that follows a response of the debtor. */
  quietUntil: Instant | null
}

/** An answer to the debtor is not limited by caps, cool-downs or quiet periods, only by the hours and the days. */
export const forAnswers = (file: ContactFile): ContactFile => ({
  ...file,
  contacts: [],
  month: [],
  caps: null,
  quietUntil: null,
})

/** The parameters of a reason, for the sentence that explains it: a day, a channel, a number. */
export type ReasonParams = Readonly<Record<string, string | number>>

export interface Refusal {
  allowed: false
  because: Because
  params: ReasonParams
  /** The first instant at which this obstacle is over; null if it is not known. */
  until: Instant | null
  detail: string
}

export type Verdict = { allowed: true } | Refusal

function refuse(because: Because, until: Instant | null, detail: string, params: ReasonParams): Refusal {
  return { allowed: false, because, params, until, detail }
}

const allowed: Verdict = { allowed: true }

/**
 * May this person be contacted on this channel at this instant? First the rules of the law, which no setting can weaken, then
 * the caps. The obstacles are checked in a fixed order: the whole day first, the hour last.
 */
export function judgeContact(file: ContactFile, channel: Channel, at: Instant): Verdict {
  const { calendar, contacts } = file
  if (calendar === null)
    return refuse('calendar_missing', null, 'no public holidays known for this country', {})
  if (neverContactedBecause(file) !== null)
    return refuse('foreign_consumer', null, `the rules for consumers in ${calendar.country} are not known`, {
      country: calendar.country,
    })
  return (
    judgeDay(calendar, at) ??
    judgeOnePerDay(calendar, contacts, at) ??
    judgeCooldown(calendar, contacts, channel, at) ??
    judgeCaps(file, channel, at) ??
    judgeQuiet(file, at) ??
    judgeHour(calendar, hoursFor(channel, file.isConsumer), at) ??
    allowed
  )
}

/** A message that is planned for the last moments of the hours would be refused when it is about to leave. */
const LAST_MINUTES = 2 * MINUTE

/** The last moment of the hours at which a message may begin its way. */
export const lastStart = (calendar: LocalCalendar, hours: ContactHours, at: Instant): Instant =>
  closingAt(calendar, hours, at) - LAST_MINUTES

/** May a message begin its way at this instant? It must leave before the hours end. */
export function judgeStart(file: ContactFile, channel: Channel, at: Instant): Verdict {
  const verdict = judgeContact(file, channel, at)
  const { calendar } = file
  if (!verdict.allowed || calendar === null) return verdict
  const hours = hoursFor(channel, file.isConsumer)
  const closes = closingAt(calendar, hours, at)
  if (at >= closes || at <= closes - LAST_MINUTES) return verdict
  return refuse(
    hours.because,
    nextOpening(calendar, hours, closes),
    `too close to the end of the hours, open ${hours.description}`,
    { zone: calendar.zones[0], hours: hours.description },
  )
}

/** Why nothing may be sent to this person, whatever the moment; null if something may. */
export function neverContactedBecause({
  calendar,
  isConsumer,
}: Pick<ContactFile, 'calendar' | 'isConsumer'>): 'calendar_missing' | 'foreign_consumer' | null {
  if (calendar === null) return 'calendar_missing'
  return isConsumer && calendar.country !== 'FR' ? 'foreign_consumer' : null
}

function judgeDay(calendar: LocalCalendar, at: Instant): Refusal | null {
  for (const zone of calendar.zones) {
    const { date, weekday } = localTime(zone, at)
    if (isOutsideHorizon(date)) {
      const detail = `public holidays known from ${horizon.from} to ${horizon.to}`
      return refuse('calendar_horizon', null, detail, { from: horizon.from, to: horizon.to })
    }
    if (weekday === 7) return refuse('sunday', midnightAfter(zone, date), `Sunday ${date}`, { on: date })
    const holiday = holidayOn(calendar, date)
    if (holiday !== null) {
      const { name, place } = holiday
      return refuse('public_holiday', midnightAfter(zone, date), `${name}, ${place}`, {
        holiday: name,
        place,
        on: date,
      })
    }
  }
  return null
}

/** No two instants of one local day are further apart, also when the clocks change. */
export const longestDay = DAY + 3 * HOUR

/** The day is the debtor's, not that of UTC: two messages at 23:30 and 00:30 UTC may be one day in Paris. */
function judgeOnePerDay(
  calendar: LocalCalendar,
  contacts: readonly PastContact[],
  at: Instant,
): Refusal | null {
  for (const zone of calendar.zones) {
    const { date } = localTime(zone, at)
    const other = contacts.find(
      contact => Math.abs(contact.at - at) < longestDay && localTime(zone, contact.at).date === date,
    )
    if (other !== undefined) {
      const detail = `${other.channel} on ${date}, one message a day`
      return refuse('one_contact_a_day', midnightAfter(zone, date), detail, {
        channel: other.channel,
        on: date,
      })
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
    // A contact that is reserved for later also blocks the days before it.
    if (contact.channel !== channel || !isWithinRest(contact.at, at, COOLDOWN)) continue
    if (latest === null || contact.at > latest) latest = contact.at
  }
  if (latest === null) return null
  const { date } = localTime(calendar.zones[0], latest)
  const detail = `${channel} on ${date}, 3 days between two messages on one channel`
  return refuse('channel_cooldown', endOfRest(latest, COOLDOWN), detail, { channel, on: date })
}

function judgeCaps(file: ContactFile, channel: Channel, at: Instant): Refusal | null {
  const { month: contacts, caps, isConsumer } = file
  if (caps === null) return null
  const calls = contacts.filter(contact => contact.channel === 'voice')
  return (
    judgeCap('weekly_cap', contacts, caps.perWeek, week, at) ??
    judgeCap('monthly_cap', contacts, caps.perMonth, month, at) ??
    (channel === 'voice' && isConsumer ? judgeCap('call_cap', calls, consumerCallsPerMonth, month, at) : null)
  )
}

/** A rolling window: it has room again when one of the contacts in it leaves the window. */
function judgeCap(
  because: 'weekly_cap' | 'monthly_cap' | 'call_cap',
  contacts: readonly PastContact[],
  max: number,
  days: number,
  at: Instant,
): Refusal | null {
  if (contactsCounted(contacts, days, at) < max) return null
  const leaving = contacts.map(contact => endOfRest(contact.at, days * DAY)).filter(end => end > at)
  const until = leaving
    .sort((left, right) => left - right)
    .find(end => contactsCounted(contacts, days, end) < max)!
  return refuse(because, until, `${max} in ${days} days is the most`, { most: max, days })
}

function judgeQuiet({ quietUntil }: ContactFile, at: Instant): Refusal | null {
  if (quietUntil === null) return null
  const until = endOfRest(quietUntil, 0)
  return at < until ? refuse('sign_of_life', until, 'the debtor has just answered or paid', {}) : null
}

function judgeHour(calendar: LocalCalendar, hours: ContactHours, at: Instant): Refusal | null {
  for (const zone of calendar.zones) {
    const local = localTime(zone, at)
    if (isOpenAt(hours, local)) continue
    const clock = `${pad(Math.floor(local.minuteOfDay / 60))}:${pad(local.minuteOfDay % 60)}`
    return refuse(
      hours.because,
      nextOpening(calendar, hours, at),
      `${clock} in ${zone}, open ${hours.description}`,
      { zone, hours: hours.description },
    )
  }
  return null
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function midnightAfter(zone: string, date: LocalDate): Instant {
  return instantOf(zone, addDays(date, 1), 0)
}

/** The facts behind a verdict, stored as proof: the debtor's local time, and the contacts that were counted. */
export interface Evidence {
  rules: number
  at: Instant
  zone: string | null
  localDate: LocalDate | null
  localMinute: number | null
  calendar: string | null
  lastByChannel: Partial<Record<Channel, Instant>>
  inSevenDays: number
  inThirtyDays: number
  caps: Caps | null
  channel: Channel
}

export function evidenceOf(file: ContactFile, channel: Channel, at: Instant): Evidence {
  const zone = file.calendar?.zones[0] ?? null
  const local = zone === null ? null : localTime(zone, at)
  const lastByChannel: Partial<Record<Channel, Instant>> = {}
  for (const contact of [...file.month, ...file.contacts])
    if (contact.at > (lastByChannel[contact.channel] ?? Number.NEGATIVE_INFINITY))
      lastByChannel[contact.channel] = contact.at
  return {
    rules: RULES_VERSION,
    at,
    zone,
    localDate: local?.date ?? null,
    localMinute: local?.minuteOfDay ?? null,
    calendar: file.calendar?.region ?? null,
    lastByChannel,
    inSevenDays: contactsCounted(file.month, week, at),
    inThirtyDays: contactsCounted(file.month, month, at),
    caps: file.caps,
    channel,
  }
}
