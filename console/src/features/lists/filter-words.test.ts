import { expect, it } from 'vitest'
import { filterWords } from './filter-words.ts'

const said = (search: Record<string, string>, language: 'fr' | 'en' = 'fr') =>
  filterWords(search, 'Europe/Paris', 'EUR', language)

it('names what a chip of today leads to', () => {
  expect(said({ standing: 'held:promise' })).toEqual(['Promesse en cours'])
  expect(said({ standing: 'held:promise,decide' }, 'en')).toEqual(['Promise to pay', 'Decision to take'])
})

it('names the quarter hours of the next contact from their begin to their end', () => {
  const at = '2026-11-16T08:15:00.000Z'
  expect(said({ nextFrom: at, nextTo: at })).toEqual(['Contact prévu le lun. 16 nov. entre 09:15 et 09:30'])
  expect(said({ nextFrom: at, nextTo: '2026-11-16T09:00:00.000Z' }, 'en')).toEqual([
    'Contact planned on Mon 16 Nov between 09:15 and 10:15',
  ])
  const day = { nextFrom: '2026-11-17T07:00:00Z', nextTo: '2026-11-17T18:45:00Z' }
  expect(said(day)).toEqual(['Contact prévu le mar. 17 nov. entre 08:00 et 20:00'])
  const whole = { nextFrom: '2026-11-16T23:00:00Z', nextTo: '2026-11-17T22:45:00Z' }
  expect(said(whole)).toEqual(['Contact prévu le mar. 17 nov.'])
  expect(said({ ...whole, nextTo: '2026-11-18T18:45:00Z' })).toEqual([
    'Contact prévu de mar. 17 nov. 00:00 à mer. 18 nov. 20:00',
  ])
  expect(said({ nextFrom: at })).toEqual(['Contact prévu de lun. 16 nov. 09:15 à …'])
  expect(said({ nextTo: at })).toEqual(['Contact prévu de … à lun. 16 nov. 09:30'])
})

it('shows no code it does not know, and hides no filter', () => {
  expect(said({ standing: 'held:new_cause' })).toEqual(['Autre filtre'])
  expect(said({ standing: 'constructor' })).toEqual(['Autre filtre'])
  expect(said({ debtorId: 'A' })).toEqual(['Autre filtre'])
  expect(said({ nextFrom: 'x' })).toEqual(['Contact prévu de x à …'])
  expect(said({ nextFrom: 'x', nextTo: 'y' })).toEqual(['Contact prévu de x à y'])
})

it('says nothing of order and page', () => {
  expect(said({ sortBy: 'balance', sortOrder: 'desc', cursor: 'abc' })).toEqual([])
})
