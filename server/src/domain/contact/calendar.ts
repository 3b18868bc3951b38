import type { LocalDate } from '../time.ts'
import holidays from './holidays.generated.json' with { type: 'json' }

type Zones = readonly [string, ...string[]]

export interface Holiday {
  name: string
  /** Who keeps it: the country, the region, or "parts of" the country when the region is not known. */
  place: string
}

export interface LocalCalendar {
  country: string
  /** Such as `FR-AM` or `ES-CT`; the bare country when no region was told apart, and then every region's days hold. */
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
  /** Where the address decides the zone and is not known: all it may be. */
  zonesUnknown?: Zones
  postalCode: RegExp
  areas: readonly Area[]
  /** A valid postal code in none of the areas. Absent: nothing is told apart, every region's days hold. */
  elsewhere?: { code: string; name: string }
}

interface Place {
  code: string
  name: string
  zones: Zones
}

interface Row {
  name: string
  in?: readonly string[]
  on: readonly LocalDate[]
}

interface Table {
  horizon: { from: LocalDate; to: LocalDate }
  countries: Record<string, { name: string; regions: Record<string, string>; holidays: readonly Row[] }>
}

const table: Table = holidays

const fiveDigits = /^\d{5}$/
const fourDigits = /^\d{4}$/

const countries: Record<string, Country> = {
  FR: {
    // With the zones of the overseas territories no hour would be legal in all: a debtor in France without a
    // usable postal code is taken to live in the metropolitan zone, under the holidays of every region.
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
  // German and Swiss postal areas cross the borders of Länder and cantons: the days of all of them hold.
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

/** Réunion and the others have ISO country codes of their own, which some systems write instead of FR. */
const frenchTerritories = new Map(
  countries.FR!.areas.filter(area => area.code !== 'AM').map(area => [area.code, area]),
)

function daysOf(country: string, region: string | null): ReadonlyMap<LocalDate, Holiday> {
  const { name: countryName, regions, holidays: rows } = table.countries[country]!
  const days = new Map<LocalDate, Holiday>()
  for (const row of rows) {
    if (region !== null && row.in !== undefined && !row.in.includes(region)) continue
    const place = placeOf(row)
    for (const date of row.on) {
      const known = days.get(date)
      if (known === undefined) days.set(date, { name: row.name, place })
      else days.set(date, merge(known, { name: row.name, place }, countryName))
    }
  }
  return days

  function placeOf(row: Row): string {
    if (row.in === undefined) return countryName
    const only = region ?? (row.in.length === 1 ? row.in[0]! : null)
    return only === null ? `parts of ${countryName}` : regions[only]!
  }
}

/** Two reasons for one day: both names, and the place of either when they agree. */
function merge(known: Holiday, other: Holiday, countryName: string): Holiday {
  return {
    name: known.name === other.name ? known.name : `${known.name} and ${other.name}`,
    place: known.place === other.place ? known.place : `parts of ${countryName}`,
  }
}

function build(country: string, place: Place | null): LocalCalendar {
  const { zones, zonesUnknown } = countries[country]!
  return {
    country,
    region: place === null ? country : `${country}-${place.code}`,
    regionName: place === null ? table.countries[country]!.name : place.name,
    zones: place === null ? (zonesUnknown ?? zones) : place.zones,
    holidays: daysOf(country, place?.code ?? null),
  }
}

function placeIn(country: string, area: Area): Place {
  const name = table.countries[country]!.regions[area.code]!
  return { code: area.code, name, zones: area.zones ?? countries[country]!.zones }
}

function locate(country: string, postalCode: string): Place | null {
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
function plain(country: string, postalCode: string | null | undefined): string {
  const code = (postalCode ?? '').toUpperCase().replace(/[\s.-]/g, '')
  const mark = code.startsWith(country) ? country : country.slice(0, 1)
  return code.startsWith(mark) ? code.slice(mark.length) : code
}

const built = new Map<string, LocalCalendar>()

/** Null: no table for that country, so nothing may be sent there (`calendar_missing`). */
export function calendarFor(address: { country: string; postalCode?: string | null }): LocalCalendar | null {
  const given = address.country.toUpperCase()
  const territory = frenchTerritories.get(given)
  const country = territory ? 'FR' : given
  if (!Object.hasOwn(countries, country)) return null
  const place = territory ? placeIn('FR', territory) : locate(country, plain(country, address.postalCode))
  const key = place === null ? country : `${country}-${place.code}`
  let calendar = built.get(key)
  if (calendar === undefined) {
    calendar = build(country, place)
    built.set(key, calendar)
  }
  return calendar
}

export function holidayOn(calendar: LocalCalendar, date: LocalDate): Holiday | null {
  return calendar.holidays.get(date) ?? null
}

/** The days for which holidays are known, both ends included. */
export const horizon: { readonly from: LocalDate; readonly to: LocalDate } = table.horizon

/** Outside the years of the table nobody knows the holidays, so nothing may be sent. */
export function beyondHorizon(date: LocalDate): boolean {
  return date < horizon.from || date > horizon.to
}
