/** Milliseconds since 1970-01-01T00:00Z. */
export type Instant = number

/** `YYYY-MM-DD`, a calendar day without a time zone. */
export type LocalDate = string

export interface LocalTime {
  date: LocalDate
  minuteOfDay: number
  msOfDay: number
  /** 1 = Monday … 7 = Sunday */
  weekday: number
}

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const FIRST_YEAR = 1990
const LAST_YEAR = 2100
const DAYS_IN_400_YEARS = 146_097
// Years are counted from 1 March, so that the leap day is the last of its year; this is 0000-03-01 seen from 1970.
const EPOCH_FROM_MARCH_0000 = 719_468

function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const cycle = Math.floor(marchYear / 400)
  const yearOfCycle = marchYear - cycle * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100)
  return cycle * DAYS_IN_400_YEARS + yearOfCycle * 365 + leapDays + dayOfYear - EPOCH_FROM_MARCH_0000
}

function padDigits(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

function formatDay(day: number): LocalDate {
  const shifted = day + EPOCH_FROM_MARCH_0000
  const cycle = Math.floor(shifted / DAYS_IN_400_YEARS)
  const dayOfCycle = shifted - cycle * DAYS_IN_400_YEARS
  const leapDays =
    Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096)
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365)
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
  return `${padDigits(year, 4)}-${padDigits(month, 2)}-${padDigits(dayOfMonth, 2)}`
}

// The table covers three more days at each end, so that the first and the last day are complete in every zone.
const FIRST_DAY = dayNumber(FIRST_YEAR, 1, 1) - 3
const LAST_DAY = dayNumber(LAST_YEAR, 12, 31) + 3
const FIRST_INSTANT = FIRST_DAY * DAY
const LAST_INSTANT = (LAST_DAY + 1) * DAY - 1

const formattedDays: string[] = []

function dateOfDay(day: number): LocalDate {
  if (day < FIRST_DAY || day > LAST_DAY) return formatDay(day)
  let date = formattedDays[day - FIRST_DAY]
  if (date === undefined) {
    date = formatDay(day)
    formattedDays[day - FIRST_DAY] = date
  }
  return date
}

/** Expects a valid date; input from outside is checked with `isRealDate`. */
function dayOfDate(date: LocalDate): number {
  const day = dayNumber(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10)))
  if (Number.isNaN(day)) throw new RangeError(`not a date: ${date}`)
  return day
}

const shape = /^\d{4}-\d{2}-\d{2}$/

/** Whether the text is an existing day from 1990 to 2100, such as 2026-11-16. */
export function isRealDate(text: string): text is LocalDate {
  if (!shape.test(text)) return false
  const year = Number(text.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR && formatDay(dayOfDate(text)) === text
}

export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOfDay(dayOfDate(date) + days)
}

/** Positive when `to` is later. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return dayOfDate(to) - dayOfDate(from)
}

function weekdayOfDay(day: number): number {
  // Day 0, 1 January 1970, was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** 1 = Monday … 7 = Sunday */
export function weekday(date: LocalDate): number {
  return weekdayOfDay(dayOfDate(date))
}

/** The Monday of its week. */
export const mondayOf = (date: LocalDate): LocalDate => addDays(date, 1 - weekday(date))

/** The first day of its month. */
export const firstOfMonth = (date: LocalDate): LocalDate => `${date.slice(0, 7)}-01`

export function iso(instant: Instant): string {
  const day = Math.floor(instant / DAY)
  const ms = instant - day * DAY
  const hour = padDigits(Math.floor(ms / HOUR), 2)
  const minute = padDigits(Math.floor(ms / MINUTE) % 60, 2)
  const second = padDigits(Math.floor(ms / 1000) % 60, 2)
  return `${dateOfDay(day)}T${hour}:${minute}:${second}.${padDigits(ms % 1000, 3)}Z`
}

interface ZoneTable {
  /** The instants from which `offsets` of the same index holds, ascending. */
  starts: Float64Array
  offsets: Float64Array
}

const zoneTables = new Map<string, ZoneTable>()
const offsetText = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/

// Since 1990 two changes of a zone were never less than four weeks apart (Morocco around Ramadan).
const PROBE = 7 * DAY

/** Calling Intl for every check is thirty times too slow, so the offsets of a zone are collected once, on first use. */
function buildZoneTable(zone: string): ZoneTable {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsetAt = (instant: Instant): number => {
    const found = offsetText.exec(format.format(instant))
    if (found === null) throw new RangeError(`no offset for zone ${zone}`)
    const size = Number(found[2] ?? 0) * HOUR + Number(found[3] ?? 0) * MINUTE + Number(found[4] ?? 0) * 1000
    return found[1] === '-' ? -size : size
  }
  const starts = [FIRST_INSTANT]
  let offset = offsetAt(FIRST_INSTANT)
  const offsets = [offset]
  for (let probe = FIRST_INSTANT; probe < LAST_INSTANT; probe += PROBE) {
    let after = Math.min(probe + PROBE, LAST_INSTANT)
    const next = offsetAt(after)
    if (next === offset) continue
    let before = probe
    while (after - before > 1000) {
      const middle = before + Math.floor((after - before) / 2000) * 1000
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    starts.push(after)
    offsets.push(next)
    offset = next
  }
  return { starts: Float64Array.from(starts), offsets: Float64Array.from(offsets) }
}

function tableOf(zone: string): ZoneTable {
  let table = zoneTables.get(zone)
  if (table === undefined) {
    table = buildZoneTable(zone)
    zoneTables.set(zone, table)
  }
  return table
}

function segmentAt(table: ZoneTable, instant: Instant): number {
  if (!(instant >= FIRST_INSTANT && instant <= LAST_INSTANT)) {
    throw new RangeError(`instant outside ${FIRST_YEAR}..${LAST_YEAR}: ${instant}`)
  }
  let low = 0
  let high = table.starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (table.starts[middle]! <= instant) low = middle
    else high = middle - 1
  }
  return low
}

/** The local date and time of a zone. Throws outside 1990..2100 and for an unknown zone. */
export function localTime(zone: string, instant: Instant): LocalTime {
  const table = tableOf(zone)
  const local = instant + table.offsets[segmentAt(table, instant)]!
  const day = Math.floor(local / DAY)
  const msOfDay = local - day * DAY
  return {
    date: dateOfDay(day),
    minuteOfDay: Math.floor(msOfDay / MINUTE),
    msOfDay,
    weekday: weekdayOfDay(day),
  }
}

/**
 * The instant at which a zone's clock shows that minute.
 * A minute the clock skips in spring: the moment of the change, the first that exists after it.
 * A minute the clock shows twice in autumn: the first time.
 */
export function instantOf(zone: string, date: LocalDate, minuteOfDay: number): Instant {
  const table = tableOf(zone)
  const local = dayOfDate(date) * DAY + minuteOfDay * MINUTE
  const offsetBefore = table.offsets[segmentAt(table, Math.max(local - DAY, FIRST_INSTANT))]!
  const offsetAfter = table.offsets[segmentAt(table, Math.min(local + DAY, LAST_INSTANT))]!
  const early = local - offsetBefore
  if (offsetBefore === offsetAfter) return early
  const earlySegment = segmentAt(table, early)
  if (table.offsets[earlySegment] === offsetBefore) return early
  const late = local - offsetAfter
  if (table.offsets[segmentAt(table, late)] === offsetAfter) return late
  return table.starts[earlySegment]!
}
