import type { LocalDate } from '../time.ts'
import holidays from './holidays.generated.json' with { type: 'json' }

type Zones = readonly [string, ...string[]]

export interface Holiday {
  name: string
  /** Where the holiday applies: the country, the region, or "parts of" the country when the region is not known. */
  place: string
}

export interface LocalCalendar {
  country: string
  /** Such as `FR-AM` or `ES-CT`. The country alone when the region is not known; then the holidays of every region apply. */
  region: string
  regionName: string
  /** An hour is legal when it is legal in all of them. */
  zones: Zones
  holidays: ReadonlyMap<LocalDate, Holiday>
}

interface Area {
  code: string
  prefixes: readonly string[]
  zones?: Zones
}

interface Country {
  zones: Zones
  /** All possible zones, for a country where the address decides the zone and the address is not known. */
  zonesUnknown?: Zones
  postalCode: RegExp
  areas: readonly Area[]
  /**
   * For a valid postal code in none of the areas. Absent: regions are not distinguished, and the holidays of every region
   * apply.
   */
  elsewhere?: { code: string; name: string }
}

interface Place {
  code: string
  name: string
  zones: Zones
}

interface HolidayRow {
  name: string
  in?: readonly string[]
  on: readonly LocalDate[]
}

interface HolidayTable {
  horizon: { from: LocalDate; to: LocalDate }
  countries: Record<
    string,
    { name: string; regions: Record<string, string>; holidays: readonly HolidayRow[] }
  >
}

const table: HolidayTable = holidays

const fiveDigits = /^\d{5}$/
const fourDigits = /^\d{4}$/

const countries: Record<string, Country> = {
  FR: {
    // With the zones of the overseas territories no hour would be legal in all of them. So a debtor in France without a
    // usable postal code is treated as living in metropolitan France, with the holidays of every region.
    zones: ['Europe/Paris'],
    postalCode: /^(?=\d{5}$)(0[1-9]|[1-8]\d|9[0-5]|97[1-8]|98[678])/,
    areas: [
      { code: 'AM', prefixes: ['57', '67', '68'] },
      { code: 'GP', prefixes: ['971'], zones: ['America/Guadeloupe'] },
      { code: 'BL', prefixes: ['97133', '977'], zones: ['America/St_Barthelemy'] },
      { code: 'MF', prefixes: ['97150', '978'], zones: ['America/Marigot'] },
      { code: 'MQ', prefixes: ['972'], zones: ['America/Martinique'] },
      { code: 'GF', prefixes: ['973'], zones: ['America/Cayenne'] },
      { code: 'RE', prefixes: ['974'], zones: ['Indian/Reunion'] },
      { code: 'PM', prefixes: ['975'], zones: ['America/Miquelon'] },
      { code: 'YT', prefixes: ['976'], zones: ['Indian/Mayotte'] },
      { code: 'WF', prefixes: ['986'], zones: ['Pacific/Wallis'] },
      // The Marquesas and the Gambiers keep their own time, up to an hour ahead of Tahiti.
      { code: 'PF', prefixes: ['987'], zones: ['Pacific/Tahiti', 'Pacific/Marquesas', 'Pacific/Gambier'] },
      { code: 'NC', prefixes: ['988'], zones: ['Pacific/Noumea'] },
    ],
    elsewhere: { code: 'MET', name: 'metropolitan France' },
  },
  BE: { zones: ['Europe/Brussels'], postalCode: fourDigits, areas: [] },
  LU: { zones: ['Europe/Luxembourg'], postalCode: fourDigits, areas: [] },
  NL: { zones: ['Europe/Amsterdam'], postalCode: /^\d{4}([A-Z]{2})?$/, areas: [] },
  // German and Swiss postal areas cross the borders of Länder and cantons, so the holidays of all of them apply.
  DE: { zones: ['Europe/Berlin'], postalCode: fiveDigits, areas: [] },
  CH: { zones: ['Europe/Zurich'], postalCode: fourDigits, areas: [] },
  ES: {
    zones: ['Europe/Madrid'],
    zonesUnknown: ['Europe/Madrid', 'Atlantic/Canary'],
    postalCode: /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
    areas: [
      { code: 'AN', prefixes: ['04', '11', '14', '18', '21', '23', '29', '41'] },
      { code: 'AR', prefixes: ['22', '44', '50'] },
      { code: 'AS', prefixes: ['33'] },
      { code: 'CB', prefixes: ['39'] },
      { code: 'CE', prefixes: ['51'], zones: ['Africa/Ceuta'] },
      { code: 'CL', prefixes: ['05', '09', '24', '34', '37', '40', '42', '47', '49'] },
      { code: 'CM', prefixes: ['02', '13', '16', '19', '45'] },
      { code: 'CT', prefixes: ['08', '17', '25', '43'] },
      { code: 'EX', prefixes: ['06', '10'] },
      { code: 'GA', prefixes: ['15', '27', '32', '36'] },
      { code: 'GC', prefixes: ['35'], zones: ['Atlantic/Canary'] },
      { code: 'IB', prefixes: ['07'] },
      { code: 'MC', prefixes: ['30'] },
      { code: 'MD', prefixes: ['28'] },
      { code: 'ML', prefixes: ['52'] },
      { code: 'NC', prefixes: ['31'] },
      { code: 'PV', prefixes: ['01', '20', '48'] },
      { code: 'RI', prefixes: ['26'] },
      { code: 'TF', prefixes: ['38'], zones: ['Atlantic/Canary'] },
      { code: 'VC', prefixes: ['03', '12', '46'] },
    ],
  },
  IT: {
    zones: ['Europe/Rome'],
    postalCode: fiveDigits,
    areas: [
      { code: 'BZ', prefixes: ['39'] },
      { code: 'FI', prefixes: ['501'] },
      { code: 'MI', prefixes: ['201'] },
      { code: 'PA', prefixes: ['901'] },
      { code: 'RM', prefixes: ['001'] },
      { code: 'TO', prefixes: ['101'] },
    ],
    elsewhere: { code: 'NAT', name: 'Italy' },
  },
  PT: {
    zones: ['Europe/Lisbon'],
    zonesUnknown: ['Europe/Lisbon', 'Atlantic/Madeira', 'Atlantic/Azores'],
    postalCode: /^[1-9]\d{3}(\d{3})?$/,
    areas: [
      { code: '20', prefixes: ['95', '96', '97', '98', '99'], zones: ['Atlantic/Azores'] },
      { code: '30', prefixes: ['90', '91', '92', '93', '94'], zones: ['Atlantic/Madeira'] },
    ],
    elsewhere: { code: 'CONT', name: 'continental Portugal' },
  },
}

/** Réunion and the others have their own ISO country codes, which some systems write instead of FR. */
const frenchTerritories = new Map(
  countries.FR!.areas.filter(area => area.code !== 'AM').map(area => [area.code, area]),
)

function holidaysOf(country: string, region: string | null): ReadonlyMap<LocalDate, Holiday> {
  const { name: countryName, regions, holidays: rows } = table.countries[country]!
  const days = new Map<LocalDate, Holiday>()
  for (const row of rows) {
    if (region !== null && row.in !== undefined && !row.in.includes(region)) continue
    const place = placeOf(row)
    for (const date of row.on) {
      const known = days.get(date)
      if (known === undefined) days.set(date, { name: row.name, place })
      else days.set(date, mergeHolidays(known, { name: row.name, place }, countryName))
    }
  }
  return days

  function placeOf(row: HolidayRow): string {
    if (row.in === undefined) return countryName
    const only = region ?? (row.in.length === 1 ? row.in[0]! : null)
    return only === null ? `parts of ${countryName}` : regions[only]!
  }
}

/** Two holidays on one day: both names, and the place if it is the same for both. */
function mergeHolidays(known: Holiday, other: Holiday, countryName: string): Holiday {
  return {
    name: known.name === other.name ? known.name : `${known.name} and ${other.name}`,
    place: known.place === other.place ? known.place : `parts of ${countryName}`,
  }
}

function buildCalendar(country: string, place: Place | null): LocalCalendar {
  const { zones, zonesUnknown } = countries[country]!
  return {
    country,
    region: place === null ? country : `${country}-${place.code}`,
    regionName: place === null ? table.countries[country]!.name : place.name,
    zones: place === null ? (zonesUnknown ?? zones) : place.zones,
    holidays: holidaysOf(country, place?.code ?? null),
  }
}

function placeIn(country: string, area: Area): Place {
  const name = table.countries[country]!.regions[area.code]!
  return { code: area.code, name, zones: area.zones ?? countries[country]!.zones }
}

function locatePlace(country: string, postalCode: string): Place | null {
  const { areas, elsewhere, zones, postalCode: shape } = countries[country]!
  if (!shape.test(postalCode)) return null
  let best: Area | null = null
  let matched = 0
  for (const area of areas) {
    for (const prefix of area.prefixes) {
      if (prefix.length > matched && postalCode.startsWith(prefix)) {
        best = area
        matched = prefix.length
      }
    }
  }
  if (best !== null) return placeIn(country, best)
  return elsewhere === undefined ? null : { ...elsewhere, zones }
}

/** `L-1855`, `F 68000`, `1000-205 ` → the digits and letters that count. */
function normalizePostalCode(country: string, postalCode: string | null | undefined): string {
  const code = (postalCode ?? '').toUpperCase().replace(/[\s.-]/g, '')
  const prefix = code.startsWith(country) ? country : country.slice(0, 1)
  return code.startsWith(prefix) ? code.slice(prefix.length) : code
}

const calendarCache = new Map<string, LocalCalendar>()

/** Null: no table for that country, so nothing may be sent there (`calendar_missing`). */
export function calendarFor(address: { country: string; postalCode?: string | null }): LocalCalendar | null {
  const given = address.country.toUpperCase()
  const territory = frenchTerritories.get(given)
  const country = territory ? 'FR' : given
  if (!Object.hasOwn(countries, country)) return null
  const place = territory
    ? placeIn('FR', territory)
    : locatePlace(country, normalizePostalCode(country, address.postalCode))
  const key = place === null ? country : `${country}-${place.code}`
  let calendar = calendarCache.get(key)
  if (calendar === undefined) {
    calendar = buildCalendar(country, place)
    calendarCache.set(key, calendar)
  }
  return calendar
}

export function holidayOn(calendar: LocalCalendar, date: LocalDate): Holiday | null {
  return calendar.holidays.get(date) ?? null
}

/** The days for which holidays are known, both ends included. */
export const horizon: { readonly from: LocalDate; readonly to: LocalDate } = table.horizon

/** Outside the years of the table the holidays are not known, so nothing may be sent. */
export function isOutsideHorizon(date: LocalDate): boolean {
  return date < horizon.from || date > horizon.to
}

/** The warning for a plan that ends after the last day whose holidays are known; none for any other. */
export const horizonWarnings = (planEndsOn: LocalDate): { code: string; message: string }[] =>
  planEndsOn <= horizon.to
    ? []
    : [
        {
          code: 'calendar_horizon',
          message: `Public holidays are known until ${horizon.to}; what the plan has after that day is not sent.`,
        },
      ]
