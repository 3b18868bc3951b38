import { expect, it } from 'vitest'
import { holidayIn } from './holiday-names.ts'
import table from './holidays.generated.json' with { type: 'json' }

it('every holiday and every country of the table has a French name', () => {
  for (const { name: place, holidays } of Object.values(table.countries))
    for (const { name } of holidays) {
      const holiday = holidayIn('fr', { name, place })
      expect(holiday.name, name).not.toMatch(/\b(Day|day|and|of|the|Eve|Monday)\b/)
      expect(holiday.name).not.toBe(name)
      expect(holiday.place).not.toMatch(/^(Belgium|Germany|Spain|Italy|Netherlands|Switzerland)$/)
    }
})

it('two holidays on one day have two names, and a place in parts of a country', () => {
  const both = { name: 'Day of Castile and León and Saint John', place: 'parts of Spain' }
  expect(holidayIn('fr', both)).toEqual({
    name: 'fête de Castille-et-León et Saint-Jean',
    place: 'une partie du pays : Espagne',
  })
  expect(holidayIn('en', both)).toEqual(both)
  expect(holidayIn('fr', { name: 'Assumption (substitute day)', place: 'Alsace-Moselle' })).toEqual({
    name: 'Assomption (jour de remplacement)',
    place: 'Alsace-Moselle',
  })
})
