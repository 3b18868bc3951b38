const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, made)
  return made
}

export interface LocalTime {
  /** `2026-11-16` */
  readonly date: string
  /** Minutes since midnight, in local time. */
  readonly minute: number
}

const hasTemporal = 'Temporal' in globalThis

function askLocalTime(moment: number, timeZone: string): LocalTime {
  if (hasTemporal) {
    const local = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone)
    return { date: local.toPlainDate().toString(), minute: local.hour * 60 + local.minute }
  }
  const part: Record<string, string> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(moment)) part[type] = value
  return {
    date: `${part.year}-${part.month}-${part.day}`,
    minute: Number(part.hour) * 60 + Number(part.minute),
  }
}

/** Clocks change only at full quarter hours, so one cached result is valid for a whole quarter. */
const quarterMs = 15 * 60_000
const knownMax = 5_000
const known = new Map<string, LocalTime>()

/** The local date and time in a zone. */
export function localTime(moment: number, timeZone: string): LocalTime {
  const quarter = Math.floor(moment / quarterMs)
  const key = `${quarter} ${timeZone}`
  let begin = known.get(key)
  if (!begin) {
    if (known.size >= knownMax) known.clear()
    begin = askLocalTime(quarter * quarterMs, timeZone)
    known.set(key, begin)
  }
  return { date: begin.date, minute: begin.minute + Math.floor((moment - quarter * quarterMs) / minuteMs) }
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** The instant of local midnight of a date. */
export function midnightOf(date: string, timeZone: string): number {
  const guess = Date.parse(`${date}T00:00:00Z`)
  const shift = (at: number) => {
    const local = localTime(at, timeZone)
    return (daysBetween(date, local.date) * 1440 + local.minute) * minuteMs
  }
  const first = guess - shift(guess)
  return first - shift(first)
}

/** `2026-11-16T08:15`, the format of a `datetime-local` field. */
export function localMoment(at: number, timeZone: string): string {
  const { date, minute } = localTime(at, timeZone)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date}T${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
