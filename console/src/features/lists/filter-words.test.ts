import { expect, it } from 'vitest'
import { filterWords } from './filter-words.ts'

const said = (search: Record<string, string>, language: 'fr' | 'en' = 'fr') =>
  filterWords(search, 'Europe/Paris', 'EUR', language)

it('names what a chip of today leads to', () => {
  expect(said({ standing: 'held:promise' })).toEqual(['Promesse en cours'])
  expect(said({ standing: 'held:promise,decide' }, 'en')).toEqual(['Promise to pay', 'Decision to take'])
})

it('names the quarter hour of a bar once, and the hour of a phone from its first to its last', () => {
  const at = '2026-11-16T08:15:00.000Z'
  expect(said({ nextFrom: at, nextTo: at })).toEqual(['Prochain contact lun. 16 nov. 09:15'])
  expect(said({ nextFrom: at, nextTo: '2026-11-16T09:00:00.000Z' })).toEqual([
    'Prochain contact de lun. 16 nov. 09:15 à lun. 16 nov. 10:00',
  ])
})

it('shows no code it does not know, and hides no filter', () => {
  expect(said({ standing: 'held:new_cause' })).toEqual(['Autre filtre'])
  expect(said({ standing: 'constructor' })).toEqual(['Autre filtre'])
  expect(said({ debtorId: 'A' })).toEqual(['Autre filtre'])
  expect(said({ nextFrom: 'x' })).toEqual(['Prochain contact de x à …'])
})

it('says nothing of order and page', () => {
  expect(said({ sortBy: 'balance', sortOrder: 'desc', cursor: 'abc' })).toEqual([])
})
