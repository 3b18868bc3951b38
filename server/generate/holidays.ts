import { writeFileSync } from 'node:fs'
import Holidays from 'date-holidays'

const FIRST_YEAR = 2025
const LAST_YEAR = 2031

/** The day on which a person last compared the table with its sources; changed by hand. */
const VERIFIED_ON = '2026-11-15'
const SOURCE =
  'FR: Code du travail L3133-1, L3134-13, L3422-2 and the local rules of the overseas territories, written in server/generate/holidays.ts. Others: public holidays of date-holidays 3.37.0, plus the additions of that same file.'

/** Fixed `MM-DD`, or days from Easter Sunday. */
type Rule = string | number

interface Region {
  name: string
  /** The [state, region] pairs of date-holidays that apply there. */
  from: readonly (readonly [string] | readonly [string, string])[]
  /** Holidays by law that date-holidays does not have. */
  plus?: Readonly<Record<string, Rule>>
}

interface Country {
  name: string
  /** If present, the holidays according to the law; date-holidays is then only compared with them. */
  law?: Readonly<Record<string, Rule>>
  regions: Readonly<Record<string, Region>>
}

interface Row {
  name: string
  in?: string[]
  on: string[]
}

const frenchLaw = {
  "New Year's Day": '01-01',
  'Easter Monday': 1,
  'Labour Day': '05-01',
  'Victory Day': '05-08',
  'Ascension Day': 39,
  'Whit Monday': 50,
  'Bastille Day': '07-14',
  Assumption: '08-15',
  "All Saints' Day": '11-01',
  'Armistice Day': '11-11',
  'Christmas Day': '12-25',
}

const abolition = 'Abolition of Slavery'

/**
 * The differences between our French list and date-holidays, with their reasons; a test allows no others.
 * Saint-Pierre-et-Miquelon has only the national days; date-holidays does not have the Pacific territories.
 */
export const frenchDifferences = [
  {
    region: 'MF',
    rule: '05-28',
    ours: true,
    why: 'sources name 27 or 28 May for Saint-Martin: both are kept',
  },
  {
    region: 'GP',
    rule: -2,
    ours: false,
    why: 'Good Friday is a custom in Guadeloupe, not in L3133-1 or L3422-2',
  },
  {
    region: 'MQ',
    rule: -2,
    ours: false,
    why: 'Good Friday is a custom in Martinique, not in L3133-1 or L3422-2',
  },
] as const

const france: Country = {
  name: 'France',
  law: frenchLaw,
  regions: {
    AM: {
      name: 'Alsace-Moselle',
      from: [['57'], ['67'], ['68']],
      plus: { 'Good Friday': -2, "Saint Stephen's Day": '12-26' },
    },
    GP: { name: 'Guadeloupe', from: [['GP']], plus: { [abolition]: '05-27' } },
    BL: { name: 'Saint-Barthélemy', from: [['BL']], plus: { [abolition]: '10-09' } },
    MF: {
      name: 'Saint-Martin',
      from: [['MF']],
      plus: { [abolition]: '05-27', 'Abolition of Slavery (second date)': '05-28' },
    },
    MQ: { name: 'Martinique', from: [['MQ']], plus: { [abolition]: '05-22' } },
    GF: { name: 'Guyane', from: [['GF']], plus: { [abolition]: '06-10' } },
    RE: { name: 'La Réunion', from: [['RE']], plus: { [abolition]: '12-20' } },
    PM: { name: 'Saint-Pierre-et-Miquelon', from: [] },
    YT: { name: 'Mayotte', from: [['YT']], plus: { [abolition]: '04-27' } },
    WF: {
      name: 'Wallis-et-Futuna',
      from: [],
      plus: { 'Saint Peter Chanel': '04-28', 'Territory Day': '07-29' },
    },
    // Matari'i took the place of 29 June by the local law adopted on 6 May 2025.
    PF: {
      name: 'Polynésie française',
      from: [],
      plus: { 'Arrival of the Gospel': '03-05', 'Good Friday': -2, "Matari'i": '11-20' },
    },
    NC: { name: 'Nouvelle-Calédonie', from: [], plus: { 'Citizenship Day': '09-24' } },
  },
}

const catalogue = new Holidays()

function everyState(country: string, title: RegExp): Record<string, Region> {
  const regions: Record<string, Region> = {}
  for (const [state, name] of Object.entries(catalogue.getStates(country))) {
    // Holidays of single towns or districts apply to the whole state, because our postal tables do not distinguish them.
    const districts = Object.keys(catalogue.getRegions(country, state) ?? {})
    regions[state] = {
      name: name.replace(title, ''),
      from: [[state], ...districts.map(district => [state, district] as const)],
    }
  }
  return regions
}

function spanishRegions(): Record<string, Region> {
  const { CN, ...regions } = everyState(
    'ES',
    /^(Ciudad de|Comunidad de|Comunidad Foral de|Comunitat) | Region$/,
  )
  if (!CN || !regions.CE || !regions.NC)
    throw new Error('date-holidays no longer lists the Spanish communities')
  const islands = (...codes: string[]) => [['CN'] as const, ...codes.map(code => ['CN', code] as const)]
  return {
    ...regions,
    // Ceuta celebrates the feast day itself; date-holidays has the day before. Melilla's entry has the right days.
    CE: { name: 'Ceuta', from: [['CE'], ['ML']] },
    GC: { name: 'Las Palmas', from: islands('GC', 'FU', 'LA') },
    NC: { ...regions.NC, plus: { 'Saint Francis Xavier': '12-03' } },
    TF: { name: 'Santa Cruz de Tenerife', from: islands('TE', 'LP', 'LG', 'EH') },
  }
}

const countries: Record<string, Country> = {
  FR: france,
  BE: { name: 'Belgium', regions: {} },
  LU: { name: 'Luxembourg', regions: {} },
  DE: { name: 'Germany', regions: everyState('DE', /^Hansestadt /) },
  ES: { name: 'Spain', regions: spanishRegions() },
  IT: {
    name: 'Italy',
    regions: {
      BZ: { name: 'Alto Adige', from: [['32']] },
      FI: { name: 'Florence', from: [['52', 'FI']], plus: { 'Saint John': '06-24' } },
      MI: { name: 'Milan', from: [['25', 'MI']] },
      PA: { name: 'Palermo', from: [['82', 'PA']] },
      RM: { name: 'Rome', from: [['62', 'RM']] },
      TO: { name: 'Turin', from: [['21', 'TO']] },
    },
  },
  NL: { name: 'Netherlands', regions: {} },
  PT: {
    name: 'Portugal',
    regions: {
      // Decreto Regional 13/80/A; Decretos 27/79/M, 18/2002/M and, since 2025, the Autonomy Day.
      20: { name: 'Açores', from: [], plus: { 'Day of the Azores': 50 } },
      30: {
        name: 'Madeira',
        from: [],
        plus: { 'Autonomy Day': '04-02', 'Madeira Day': '07-01', "Saint Stephen's Day": '12-26' },
      },
    },
  },
  CH: { name: 'Switzerland', regions: everyState('CH', /^(Kanton|Canton du|Canton de|Canton) /) },
}

const english: Record<string, string> = {
  '2 Janvier': 'Berchtold Day',
  'Arafat Day': 'Eve of the Feast of the Sacrifice',
  Berchtoldstag: 'Berchtold Day',
  Bundesfeiertag: 'Swiss National Day',
  'Dia de Cataluña': 'Day of Catalonia',
  'Día Nacional de Galicia': 'Day of Galicia',
  'Día de Andalucía': 'Day of Andalusia',
  'Día de Aragón': 'Day of Aragon',
  'Día de Asturias': 'Day of Asturias',
  'Día de Castilla-La Mancha': 'Day of Castile-La Mancha',
  'Día de Ceuta': 'Day of Ceuta',
  'Día de Extremadura': 'Day of Extremadura',
  'Día de La Rioja': 'Day of La Rioja',
  'Día de la Comunidad de Madrid': 'Day of the Community of Madrid',
  'Día de la Constitución Española': 'Constitution Day',
  'Día de las Instituciones de Cantabria': 'Day of the Institutions of Cantabria',
  'Día de las Letras Gallegas': 'Galician Literature Day',
  'Día de les Illes Balears': 'Day of the Balearic Islands',
  'Fiesta Nacional de España': 'National Day of Spain',
  'Fiesta de Castilla y León': 'Day of Castile and León',
  'Fête nationale': 'Swiss National Day',
  'Giorno festivo federale': 'Swiss National Day',
  'Implantação da República': 'Republic Day',
  'Instauration de la République': 'Foundation of the Republic',
  'Jeûne Genevois': 'Geneva Fast',
  'La Bajada de la Virgen del Socorro': 'Our Lady of Succour',
  'La Bien Aparecida': 'Our Lady of the Apparition',
  'Liberation from Nazi-Fascism (1945)': 'Liberation Day',
  Mauritiustag: 'Saint Maurice',
  'Nuestra Señora de Guadalupe': 'Our Lady of Guadalupe',
  'Nuestra Señora de la Merced': 'Our Lady of Mercy',
  'Nuestra Señora de la Peña': 'Our Lady of the Rock',
  'Nuestra Señora de las Nieves': 'Our Lady of the Snows',
  'Nuestra Señora de los Dolores': 'Our Lady of Sorrows',
  'Nuestra Señora de los Reyes': 'Our Lady of the Kings',
  'Nuestra Señora de África': 'Our Lady of Africa',
  'Nuestra Señora del Pino': 'Our Lady of the Pine',
  'Näfelser Fahrt': 'Näfels Pilgrimage',
  'Restauração da Independência': 'Restoration of Independence',
  'San Esteban': "Saint Stephen's Day",
  'San Juan': 'Saint John',
  'Santiago Apóstol': 'Saint James',
}

const substitute = ' (substitute day)'

function inEnglish(name: string): string {
  if (!name.endsWith(substitute)) return english[name] ?? name
  return inEnglish(name.slice(0, -substitute.length)) + substitute
}

const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index)

/** Gauss's reckoning of Easter Sunday, in days after 21 March, exact for 1900..2099. */
function easter(year: number): number {
  const moon = (19 * (year % 19) + 24) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7
  const late = (moon === 29 && sunday === 6) || (moon === 28 && sunday === 6 && year % 19 > 10)
  return moon + sunday + 1 - (late ? 7 : 0)
}

export function dateOfRule(year: number, rule: Rule): string {
  if (typeof rule === 'string') return `${year}-${rule}`
  return new Date(Date.UTC(year, 2, 21 + easter(year) + rule)).toISOString().slice(0, 10)
}

/** Public holidays by date. Half days count as whole days, so that no contact falls on one. */
export function publicHolidays(country: string, ...place: readonly string[]): Map<string, string> {
  const calendar = new Holidays(country, ...(place as [string, string]))
  const found = new Map<string, string>()
  for (const year of years) {
    for (const day of calendar.getHolidays(year, 'en')) {
      const date = day.date.slice(0, 10)
      if (day.type === 'public' && !found.has(date)) found.set(date, inEnglish(day.name))
    }
  }
  return found
}

function byRule(rules: Readonly<Record<string, Rule>>): Map<string, string> {
  const days = Object.entries(rules).flatMap(([name, rule]) =>
    years.map(year => [dateOfRule(year, rule), name] as const),
  )
  return new Map(days)
}

function rowsOf(code: string, country: Country): Row[] {
  const national = country.law ? byRule(country.law) : publicHolidays(code)
  const rows = new Map<string, Row>()
  const collect = (days: Map<string, string>, region?: string) => {
    for (const [name, entries] of Map.groupBy(days, ([, name]) => name)) {
      const on = entries.map(([date]) => date).sort()
      const key = `${name} ${on}${region ? '' : ' everywhere'}`
      const row = rows.get(key) ?? { name, ...(region && { in: [] }), on }
      if (region) row.in?.push(region)
      rows.set(key, row)
    }
  }
  collect(national)
  for (const [region, { from, plus }] of Object.entries(country.regions)) {
    const local = byRule(plus ?? {})
    const sources = country.law ? [] : from.map(place => publicHolidays(code, ...place))
    for (const [date, name] of sources.flatMap(source => [...source])) {
      if (!local.has(date)) local.set(date, name)
    }
    for (const date of national.keys()) local.delete(date)
    collect(local, region)
  }
  return [...rows.values()]
}

function print(code: string, country: Country): string {
  const names = Object.entries(country.regions).map(([region, { name }]) => [region, name])
  const rows = rowsOf(code, country).map(row => `        ${JSON.stringify(row)}`)
  return [
    `    "${code}": {`,
    `      "name": ${JSON.stringify(country.name)},`,
    `      "regions": ${JSON.stringify(Object.fromEntries(names))},`,
    `      "holidays": [\n${rows.join(',\n')}\n      ]`,
    '    }',
  ].join('\n')
}

/** The exact text of `server/src/domain/contact/holidays.generated.json`. */
export function generateHolidays(): string {
  const head = [
    `  "verifiedOn": "${VERIFIED_ON}",`,
    `  "source": ${JSON.stringify(SOURCE)},`,
    `  "horizon": { "from": "${FIRST_YEAR}-01-01", "to": "${LAST_YEAR}-12-31" },`,
  ]
  const body = Object.entries(countries).map(([code, country]) => print(code, country))
  return `{\n${head.join('\n')}\n  "countries": {\n${body.join(',\n')}\n  }\n}\n`
}

if (import.meta.main) {
  writeFileSync(new URL('../src/domain/contact/holidays.generated.json', import.meta.url), generateHolidays())
}
