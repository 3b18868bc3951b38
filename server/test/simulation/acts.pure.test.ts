import { expect, it } from 'vitest'
import { randomFrom } from '../chaos/random.ts'
import { broughtForward } from './acts.ts'

it('no act on one invoice makes a message of another leave earlier than announced', () => {
  const random = randomFrom(20261118)
  const found = Array.from({ length: 500 }, (_, number) => broughtForward(random, number)).flat()
  expect(found).toEqual([])
})
