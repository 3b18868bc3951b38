import Holidays from 'date-holidays'
import { dayOf } from './local-clock.ts'

/** Easter Sunday by Butcher's rule, as a day since 1970. */
export function easter(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const month = Math.floor((h + l - 7 * m + 90) / 25)
  const day = (h + l - 7 * m + 33 * month + 19) % 32
  return dayOf(year, month, day)
}

type Fixed = readonly [month: number, day: number]

const france: readonly Fixed[] = [
  [1, 1],
  [5, 1],
  [5, 8],
  [7, 14],
  [8, 15],
  [11, 1],
  [11, 11],
  [12, 25],
]
/** Easter Monday, Ascension, Whit Monday. */
const afterEaster = [1, 39, 50]

interface Place {
  zones: readonly string[]
  more: readonly Fixed[]
  hasGoodFriday?: boolean
}

const overseas: Record<string, Place> = {
  '971': { zones: ['America/Guadeloupe'], more: [[5, 27]] },
  '97133': { zones: ['America/St_Barthelemy'], more: [[10, 9]] },
  '97150': {
    zones: ['America/Marigot'],
    more: [
      [5, 27],
      [5, 28],
    ],
  },
  '972': { zones: ['America/Martinique'], more: [[5, 22]] },
  '973': { zones: ['America/Cayenne'], more: [[6, 10]] },
  '974': { zones: ['Indian/Reunion'], more: [[12, 20]] },
  '975': { zones: ['America/Miquelon'], more: [] },
  '976': { zones: ['Indian/Mayotte'], more: [[4, 27]] },
  '986': { zones: ['Pacific/Wallis'], more: [] },
  // One postal area, three clocks: legal on all of them.
  '987': { zones: ['Pacific/Tahiti', 'Pacific/Marquesas', 'Pacific/Gambier'], more: [] },
  '988': { zones: ['Pacific/Noumea'], more: [] },
}
const alsaceMoselle: Place = { zones: ['Europe/Paris'], more: [[12, 26]], hasGoodFriday: true }
const metropolitan: Place = { zones: ['Europe/Paris'], more: [] }

function frenchPlace(postalCode: string): Place {
  if (/^(57|67|68)/.test(postalCode)) return alsaceMoselle
  return overseas[postalCode] ?? overseas[postalCode.slice(0, 3)] ?? metropolitan
}

const abroad: Record<string, (postalCode: string) => string> = {
  BE: () => 'Europe/Brussels',
  LU: () => 'Europe/Luxembourg',
  NL: () => 'Europe/Amsterdam',
  DE: () => 'Europe/Berlin',
  CH: () => 'Europe/Zurich',
  IT: () => 'Europe/Rome',
  ES: code => (/^(35|38)/.test(code) ? 'Atlantic/Canary' : 'Europe/Madrid'),
  PT: code =>
    /^9[5-9]/.test(code) ? 'Atlantic/Azores' : /^9/.test(code) ? 'Atlantic/Madeira' : 'Europe/Lisbon',
}

export interface Region {
  zones: readonly string[]
  isHoliday(day: number): boolean
}

const years = [2025, 2026, 2027, 2028, 2029, 2030, 2031]
const regions = new Map<string, Region>()

/** Where somebody lives: whose clock and whose holidays. Abroad only the days of the whole country are known here. */
export function regionOf(country: string, postalCode: string): Region {
  const key = `${country} ${postalCode}`
  let region = regions.get(key)
  if (!region) {
    region = country === 'FR' ? french(frenchPlace(postalCode)) : foreign(country, postalCode)
    regions.set(key, region)
  }
  return region
}

function french({ zones, more, hasGoodFriday }: Place): Region {
  const days = new Set<number>()
  for (const year of years) {
    for (const [month, day] of [...france, ...more]) days.add(dayOf(year, month, day))
    for (const after of hasGoodFriday ? [...afterEaster, -2] : afterEaster) days.add(easter(year) + after)
  }
  return { zones, isHoliday: day => days.has(day) }
}

function foreign(country: string, postalCode: string): Region {
  const days = new Set<number>()
  const calendar = new Holidays(country, { types: ['public'] })
  for (const year of years)
    for (const { date } of calendar.getHolidays(year))
      days.add(dayOf(Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))))
  return { zones: [abroad[country]!(postalCode)], isHoliday: day => days.has(day) }
}
