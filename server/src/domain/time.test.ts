import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  DAY,
  daysBetween,
  firstOfMonth,
  HOUR,
  instantOf,
  iso,
  isRealDate,
  localTime,
  mondayOf,
  weekday,
} from './time.ts'

const zones = [
  'Europe/Paris',
  'Indian/Reunion',
  'America/Martinique',
  'America/Miquelon',
  'Pacific/Marquesas',
  'Atlantic/Azores',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Asia/Kathmandu',
] as const
const zone = fc.constantFrom(...zones)
const instant = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2100, 11, 31) })
const date = fc.integer({ min: 0, max: 40_541 }).map(days => addDays('1990-01-01', days))

const formats = new Map<string, Intl.DateTimeFormat>()

/** Written without a look at time.ts: it asks Intl for every field of every instant. */
function askIntl(zone: string, at: number) {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      fractionalSecondDigits: 3,
    })
    formats.set(zone, format)
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const minuteOfDay = Number(part.hour) * 60 + Number(part.minute)
  return {
    date: `${part.year}-${part.month}-${part.day}`,
    minuteOfDay,
    msOfDay: minuteOfDay * 60_000 + Number(part.second) * 1000 + Number(part.fractionalSecond),
    weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf((part.weekday ?? '').slice(0, 3)) + 1,
  }
}

test('the wall clock agrees with Intl at any instant from 1990 to 2100', () => {
  fc.assert(
    fc.property(zone, instant, (zone, at) => {
      expect(localTime(zone, at)).toEqual(askIntl(zone, at))
    }),
    { numRuns: 3000 },
  )
})

test('the wall clock agrees with Intl around every hour of the days on which Europe changes its clocks', () => {
  for (const day of ['2026-03-29', '2026-10-25', '2031-03-30', '2099-10-25']) {
    const start = Date.parse(`${day}T00:00:00Z`)
    for (const zone of zones) {
      for (let at = start - DAY; at < start + DAY; at += HOUR / 2) {
        for (const near of [at - 1, at, at + 1]) expect(localTime(zone, near)).toEqual(askIntl(zone, near))
      }
    }
  }
})

test('an instant survives the way to the wall clock and back, unless the clock shows that minute twice', () => {
  fc.assert(
    fc.property(zone, instant, (zone, at) => {
      const local = localTime(zone, at)
      const back = instantOf(zone, local.date, local.minuteOfDay) + (local.msOfDay % 60_000)
      if (back === at) return
      expect(back).toBeLessThan(at)
      expect(localTime(zone, back)).toEqual(local)
    }),
    { numRuns: 2000 },
  )
})

test('in Paris a minute skipped in spring becomes the moment of the change', () => {
  expect(iso(instantOf('Europe/Paris', '2026-03-29', 119))).toBe('2026-03-29T00:59:00.000Z')
  expect(iso(instantOf('Europe/Paris', '2026-03-29', 150))).toBe('2026-03-29T01:00:00.000Z')
  expect(iso(instantOf('Europe/Paris', '2026-03-29', 180))).toBe('2026-03-29T01:00:00.000Z')
  expect(localTime('Europe/Paris', Date.parse('2026-03-29T01:00:00Z')).minuteOfDay).toBe(180)
})

test('in Paris a minute shown twice in autumn means the first time', () => {
  expect(iso(instantOf('Europe/Paris', '2026-10-25', 150))).toBe('2026-10-25T00:30:00.000Z')
  expect(localTime('Europe/Paris', Date.parse('2026-10-25T00:30:00Z')).minuteOfDay).toBe(150)
  expect(localTime('Europe/Paris', Date.parse('2026-10-25T01:30:00Z')).minuteOfDay).toBe(150)
})

test('the Azores skip midnight itself in spring, and the day still has a beginning', () => {
  const start = instantOf('Atlantic/Azores', '2026-03-29', 0)
  expect(localTime('Atlantic/Azores', start)).toMatchObject({ date: '2026-03-29', minuteOfDay: 60 })
  expect(localTime('Atlantic/Azores', start - 1).date).toBe('2026-03-28')
})

test('a day begins exactly where the day before it ends, whatever the zone', () => {
  fc.assert(
    fc.property(zone, date, (zone, date) => {
      fc.pre(!(zone === 'Pacific/Apia' && date === '2011-12-30'))
      const start = instantOf(zone, date, 0)
      expect(localTime(zone, start).date).toBe(date)
      expect(localTime(zone, start - 1).date).toBe(
        addDays(date, zone === 'Pacific/Apia' && date === '2011-12-31' ? -2 : -1),
      )
    }),
  )
})

test('Réunion and Martinique never change their clocks', () => {
  for (const month of ['01', '07']) {
    const noon = Date.parse(`2026-${month}-15T12:00:00Z`)
    expect(localTime('Indian/Reunion', noon).minuteOfDay).toBe(16 * 60)
    expect(localTime('America/Martinique', noon).minuteOfDay).toBe(8 * 60)
  }
})

test('29 February exists in leap years only, and 2100 is none', () => {
  expect(isRealDate('2028-02-29')).toBe(true)
  expect(isRealDate('2026-02-29')).toBe(false)
  expect(isRealDate('2100-02-29')).toBe(false)
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2)
})

test('only calendar days from 1990 to 2100, written in full, are real dates', () => {
  const strange = ['now', 'infinity', '2026-2-3', '2026-02-30', '2026-13-01', '2026-00-10', '2026-01-00', '']
  const outside = [
    '1989-12-31',
    '2101-01-01',
    '2026-01-01T00:00',
    ' 2026-01-01',
    '2026-01-01\n',
    '+002026-01-01',
  ]
  for (const text of [...strange, ...outside]) expect(isRealDate(text), text).toBe(false)
  for (const text of ['1990-01-01', '2100-12-31', '2000-02-29']) expect(isRealDate(text), text).toBe(true)
})

test('day arithmetic and weekdays agree with the platform', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -400, max: 400 }), (date, days) => {
      const expected = new Date(Date.parse(date) + days * DAY)
      expect(addDays(date, days)).toBe(expected.toISOString().slice(0, 10))
      expect(daysBetween(date, addDays(date, days))).toBe(days)
      expect(weekday(addDays(date, days))).toBe(expected.getUTCDay() || 7)
      expect(weekday(mondayOf(date))).toBe(1)
      expect(daysBetween(mondayOf(date), date)).toBe(weekday(date) - 1)
      expect(new Date(firstOfMonth(date)).toISOString()).toBe(`${date.slice(0, 8)}01T00:00:00.000Z`)
    }),
  )
})

test('an instant is written as UTC with milliseconds', () => {
  fc.assert(
    fc.property(instant, at => {
      expect(iso(at)).toBe(new Date(at).toISOString())
    }),
  )
  expect(iso(-1)).toBe('1969-12-31T23:59:59.999Z')
})

test('an unknown zone and an instant outside the table are refused, not guessed', () => {
  expect(() => localTime('Europe/Atlantis', 0)).toThrow(RangeError)
  expect(() => localTime('Europe/Paris', Number.NaN)).toThrow(RangeError)
  expect(() => localTime('Europe/Paris', Date.UTC(2200, 0, 1))).toThrow(RangeError)
  expect(() => addDays('soon', 1)).toThrow(RangeError)
})
