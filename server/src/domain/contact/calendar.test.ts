import { expect, test } from 'vitest'
import { localTime } from '../time.ts'
import { calendarFor, holidayOn, isOutsideHorizon } from './calendar.ts'

function at(country: string, postalCode?: string | null) {
  const calendar = calendarFor({ country, postalCode: postalCode ?? null })
  if (calendar === null) throw new Error(`no calendar for ${country}`)
  return calendar
}

test.each([
  ['69003', 'FR-MET', 'Europe/Paris'],
  ['20000', 'FR-MET', 'Europe/Paris'],
  ['57000', 'FR-AM', 'Europe/Paris'],
  ['67000', 'FR-AM', 'Europe/Paris'],
  ['68000', 'FR-AM', 'Europe/Paris'],
  ['97110', 'FR-GP', 'America/Guadeloupe'],
  ['97133', 'FR-BL', 'America/St_Barthelemy'],
  ['97150', 'FR-MF', 'America/Marigot'],
  ['97200', 'FR-MQ', 'America/Martinique'],
  ['97300', 'FR-GF', 'America/Cayenne'],
  ['97400', 'FR-RE', 'Indian/Reunion'],
  ['97500', 'FR-PM', 'America/Miquelon'],
  ['97600', 'FR-YT', 'Indian/Mayotte'],
  ['98600', 'FR-WF', 'Pacific/Wallis'],
  ['98714', 'FR-PF', 'Pacific/Tahiti'],
  ['98800', 'FR-NC', 'Pacific/Noumea'],
])('the French postal code %s lies in %s, on the time of %s', (postalCode, region, zone) => {
  expect(at('FR', postalCode)).toMatchObject({ country: 'FR', region })
  expect(at('FR', postalCode).zones[0]).toBe(zone)
})

test.each([null, '', '6900', '690033', 'Lyon', '00100', '96000', '97999', '98000'])(
  'France with the postal code %j is on metropolitan time under the holidays of every region',
  postalCode => {
    const calendar = at('FR', postalCode)
    expect(calendar).toMatchObject({ region: 'FR', zones: ['Europe/Paris'] })
    expect(holidayOn(calendar, '2026-04-03')).toEqual({ name: 'Good Friday', place: 'parts of France' })
    expect(holidayOn(calendar, '2026-12-20')).toEqual({ name: 'Abolition of Slavery', place: 'La Réunion' })
  },
)

test('a holiday is named with the place that keeps it', () => {
  expect(holidayOn(at('FR', '68000'), '2026-04-03')).toEqual({ name: 'Good Friday', place: 'Alsace-Moselle' })
  expect(holidayOn(at('FR', '68000'), '2026-04-06')).toEqual({ name: 'Easter Monday', place: 'France' })
  expect(holidayOn(at('FR', '69003'), '2026-04-03')).toBeNull()
  expect(holidayOn(at('DE', '80331'), '2026-11-18')).toEqual({
    name: 'Day of Prayer and Repentance',
    place: 'Sachsen',
  })
})

test('a day kept for two reasons names both', () => {
  expect(holidayOn(at('CH', '1204'), '2029-12-31')).toEqual({
    name: "New Year's Eve and Restoration of the Republic",
    place: 'parts of Switzerland',
  })
})

test('postal codes are read as people write them', () => {
  for (const written of ['F-68000', 'f 68 000', 'FR-68000', ' 68000 ']) {
    expect(at('FR', written).region, written).toBe('FR-AM')
  }
  expect(at('PT', '9500-150').region).toBe('PT-20')
  expect(at('ES', 'E-35001').region).toBe('ES-GC')
  expect(at('fr', '68000').region).toBe('FR-AM')
})

test('an overseas territory named by its own country code is the French region', () => {
  expect(at('RE', '97400')).toBe(at('FR', '97400'))
  expect(at('NC')).toBe(at('FR', '98800'))
})

test('Spain and Portugal are on island time where the postal code says so, and on all times where it says nothing', () => {
  expect(at('ES', '28001')).toMatchObject({ region: 'ES-MD', zones: ['Europe/Madrid'] })
  expect(at('ES', '38001')).toMatchObject({ region: 'ES-TF', zones: ['Atlantic/Canary'] })
  expect(at('ES', null)).toMatchObject({ region: 'ES', zones: ['Europe/Madrid', 'Atlantic/Canary'] })
  expect(at('ES', '53001').zones).toHaveLength(2)
  expect(at('PT', '1000-205')).toMatchObject({ region: 'PT-CONT', zones: ['Europe/Lisbon'] })
  expect(at('PT', '9000-064').zones).toEqual(['Atlantic/Madeira'])
  expect(at('PT', '9980-024').zones).toEqual(['Atlantic/Azores'])
  expect(at('PT', null).zones).toHaveLength(3)
})

test('every Spanish province has a community', () => {
  for (let province = 1; province <= 52; province++) {
    const postalCode = `${String(province).padStart(2, '0')}001`
    expect(at('ES', postalCode).region, postalCode).toMatch(/^ES-..$/)
  }
})

test('every zone of every calendar is known to the clock', () => {
  const overseas = '97110 97133 97150 97200 97300 97400 97500 97600 98600 98714 98800'.split(' ')
  const calendars = [
    ...['FR', 'BE', 'LU', 'DE', 'ES', 'IT', 'NL', 'PT', 'CH'].map(country => at(country)),
    ...overseas.map(postalCode => at('FR', postalCode)),
    at('ES', '51001'),
  ]
  for (const zone of calendars.flatMap(calendar => calendar.zones)) {
    expect(() => localTime(zone, 1_790_000_000_000)).not.toThrow()
  }
})

test('a country without a table has no calendar, whatever it is called', () => {
  for (const country of ['US', 'GB', 'MC', '', 'constructor', '__proto__']) {
    expect(calendarFor({ country }), country).toBeNull()
  }
})

test('before 2025 and after 2031 nobody knows the holidays', () => {
  expect(isOutsideHorizon('2024-12-31')).toBe(true)
  expect(isOutsideHorizon('2025-01-01')).toBe(false)
  expect(isOutsideHorizon('2031-12-31')).toBe(false)
  expect(isOutsideHorizon('2032-01-01')).toBe(true)
})
