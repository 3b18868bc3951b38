import { expect, it } from 'vitest'
import { reachedFacts } from './reached.ts'

const nothing = { invoice: false, message: false, payment: false }

it('says of each fact what the API says of it', () => {
  expect(reachedFacts(['address', 'means_of_payment'], nothing)).toEqual([])
  expect(reachedFacts(['means_of_payment'], nothing)).toEqual(['address'])
  expect(reachedFacts(['siren'], nothing)).toEqual(['account'])
  expect(reachedFacts(['address'], { ...nothing, message: true })).toEqual(['account', 'message'])
  expect(reachedFacts([], { invoice: true, message: true, payment: true })).toEqual([
    'address',
    'account',
    'invoice',
    'message',
    'payment',
  ])
})
