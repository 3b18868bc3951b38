import { expect, test } from 'vitest'
import { dateOfRule, frenchDifferences, publicHolidays } from '../../../generate/holidays.ts'
import { isRealDate } from '../time.ts'
import { calendarFor, type LocalCalendar } from './calendar.ts'
import table from './holidays.generated.json' with { type: 'json' }

const years = [2025, 2026, 2027, 2028, 2029, 2030, 2031]

function calendar(country: string, postalCode?: string): LocalCalendar {
  const found = calendarFor({ country, postalCode: postalCode ?? null })
  if (found === null) throw new Error(`no calendar for ${country}`)
  return found
}

function days(country: string, postalCode?: string): string[] {
  return [...calendar(country, postalCode).holidays.keys()].sort()
}

function oracle(country: string, ...place: string[]): string[] {
  return [...publicHolidays(country, ...place).keys()].sort()
}

function union(...lists: string[][]): string[] {
  return [...new Set(lists.flat())].sort()
}

test('the table says when it was verified, from what, and how far it reaches', () => {
  expect(isRealDate(table.verifiedOn)).toBe(true)
  expect(table.source).toContain('L3133-1')
  expect(table.horizon).toEqual({ from: '2025-01-01', to: '2031-12-31' })
  const dates = Object.values(table.countries).flatMap(country => country.holidays.flatMap(row => row.on))
  for (const date of dates)
    expect(isRealDate(date) && date >= table.horizon.from && date <= table.horizon.to).toBe(true)
})

test('metropolitan France has the eleven days of the law, and date-holidays agrees', () => {
  const expected2026 =
    `2026-01-01 2026-04-06 2026-05-01 2026-05-08 2026-05-14 2026-05-25 2026-07-14 2026-08-15
    2026-11-01 2026-11-11 2026-12-25`.split(/\s+/)
  expect(days('FR', '69003').filter(date => date.startsWith('2026'))).toEqual(expected2026)
  expect(days('FR', '69003')).toEqual(oracle('FR'))
})

test.each([
  ['57', '57000', ['2026-04-03', '2026-12-26']],
  ['67', '67000', ['2026-04-03', '2026-12-26']],
  ['68', '68000', ['2026-04-03', '2026-12-26']],
  ['GP', '97110', ['2026-05-27']],
  ['BL', '97133', ['2026-10-09']],
  ['MF', '97150', ['2026-05-27', '2026-05-28']],
  ['MQ', '97200', ['2026-05-22']],
  ['GF', '97300', ['2026-06-10']],
  ['RE', '97400', ['2026-12-20']],
  ['YT', '97600', ['2026-04-27']],
])(
  'in %s the law adds its days to the national ones, and differs from date-holidays only as documented',
  (state, postalCode, added) => {
    const national = days('FR', '75001')
    const local = days('FR', postalCode)
    expect(local.filter(date => date.startsWith('2026') && !national.includes(date))).toEqual(added)
    const here = frenchDifferences.filter(difference => difference.region === state)
    const extra = here
      .filter(({ ours }) => ours)
      .flatMap(({ rule }) => years.map(year => dateOfRule(year, rule)))
    const missing = here
      .filter(({ ours }) => !ours)
      .flatMap(({ rule }) => years.map(year => dateOfRule(year, rule)))
    expect(union(local, missing)).toEqual(union(oracle('FR', state), extra))
    expect(local.filter(date => missing.includes(date))).toEqual([])
  },
)

test.each([
  ['97500', []],
  ['98600', ['2026-04-28', '2026-07-29']],
  ['98714', ['2026-03-05', '2026-04-03', '2026-11-20']],
  ['98800', ['2026-09-24']],
])(
  'the territory of %s, unknown to date-holidays, adds its own days to the national ones',
  (postalCode, added) => {
    const national = days('FR', '75001')
    const here = days('FR', postalCode)
    expect(here.filter(date => date.startsWith('2026') && !national.includes(date))).toEqual(added)
    expect(national.filter(date => !here.includes(date))).toEqual([])
  },
)

test.each(['BE', 'LU', 'NL'])('%s has the national days of date-holidays', country => {
  expect(days(country)).toEqual(oracle(country))
})

test('in Germany and Switzerland the days of every Land and every canton hold for everybody', () => {
  const laender = 'BB BE BW BY HB HE HH MV NI NW RP SH SL SN ST TH'.split(' ')
  const towns = [
    ['BY', 'A'],
    ['BY', 'KATH'],
    ['SN', 'BZ'],
    ['TH', 'EIC'],
    ['TH', 'UH'],
    ['TH', 'WAK'],
  ]
  expect(days('DE', '80331')).toEqual(
    union(...[...laender.map(land => [land]), ...towns].map(place => oracle('DE', ...place))),
  )
  const cantons = 'ZH BE LU UR SZ OW NW GL ZG FR SO BS BL SH AR AI SG GR AG TG TI VD VS NE GE JU'.split(' ')
  expect(days('CH', '1204')).toEqual(union(oracle('CH'), ...cantons.map(canton => oracle('CH', canton))))
})

test.each([
  ['AN', '41001'],
  ['AR', '50001'],
  ['AS', '33001'],
  ['CB', '39001'],
  ['CL', '47001'],
  ['CM', '45001'],
  ['EX', '06001'],
  ['GA', '15001'],
  ['IB', '07001'],
  ['MC', '30001'],
  ['MD', '28001'],
  ['ML', '52001'],
  ['PV', '48001'],
  ['RI', '26001'],
  ['VC', '46001'],
])(
  'the Spanish community %s, told by its postal codes, has the days of date-holidays',
  (state, postalCode) => {
    expect(days('ES', postalCode)).toEqual(oracle('ES', state))
  },
)

test('Spanish islands and towns of one postal area share their local days', () => {
  const island = (code: string) => oracle('ES', 'CN', code)
  expect(days('ES', '35001')).toEqual(union(island('GC'), island('FU'), island('LA')))
  expect(days('ES', '38001')).toEqual(union(island('TE'), island('LP'), island('LG'), island('EH')))
  expect(days('ES', '08001')).toEqual(oracle('ES', 'CT', 'B'))
  expect(days('ES', '51001')).toEqual(union(oracle('ES', 'CE'), oracle('ES', 'ML')))
  expect(days('ES', '31001')).toEqual(
    union(
      oracle('ES', 'NC'),
      years.map(year => `${year}-12-03`),
    ),
  )
})

test.each([
  ['Alto Adige', '39100', ['32']],
  ['Milan', '20121', ['25', 'MI']],
  ['Palermo', '90133', ['82', 'PA']],
  ['Rome', '00184', ['62', 'RM']],
  ['Turin', '10121', ['21', 'TO']],
  ['elsewhere in Italy', '80100', []],
])('%s has the days of date-holidays', (_, postalCode, place) => {
  expect(days('IT', postalCode)).toEqual(oracle('IT', ...place))
})

test('Portugal has its national days, the Azores and Madeira theirs besides', () => {
  expect(days('PT', '1000-205')).toEqual(oracle('PT'))
  const added = (code: string) =>
    days('PT', code).filter(date => date.startsWith('2026') && !oracle('PT').includes(date))
  expect(added('9500-150')).toEqual(['2026-05-25'])
  expect(added('9000-064')).toEqual(['2026-04-02', '2026-07-01', '2026-12-26'])
})

test.each(Object.keys(table.countries))(
  'without a postal code every day of every region of %s holds',
  country => {
    const everything = table.countries[country as keyof typeof table.countries].holidays.flatMap(
      row => row.on,
    )
    expect(days(country)).toEqual(union(everything))
  },
)
