const HOUR = 3_600_000
const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, Map<number, number>>()

function zoneOffset(zone: string, hour: number): number {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    formats.set(zone, format)
  }
  const shown: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(hour * HOUR)) shown[type] = Number(value)
  const wall = Date.UTC(shown.year!, shown.month! - 1, shown.day!, shown.hour!, shown.minute!)
  return wall - hour * HOUR
}

export interface WallClock {
  /** Days since 1970-01-01 on the wall calendar. */
  day: number
  msOfDay: number
  /** 0 = Sunday … 6 = Saturday */
  weekday: number
}

/**
 * What a clock on the wall of that zone shows. The zones asked here change on a full hour of UTC, so each hour of a zone is
 * asked of Intl once; the rules survey each zone by another way, and the two have to agree.
 */
export function wallClock(zone: string, instant: number): WallClock {
  let known = offsets.get(zone)
  if (!known) {
    known = new Map()
    offsets.set(zone, known)
  }
  const hour = Math.floor(instant / HOUR)
  let offset = known.get(hour)
  if (offset === undefined) {
    offset = zoneOffset(zone, hour)
    known.set(hour, offset)
  }
  const local = instant + offset
  const day = Math.floor(local / DAY)
  return { day, msOfDay: local - day * DAY, weekday: (day + 4) % 7 }
}

export const dayOf = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / DAY

export const nameOfDay = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)
