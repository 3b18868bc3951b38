import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { kinds } from './checker.ts'
import { type Judge, judgeFrom } from './judge.ts'
import { DAY, places } from './population.ts'
import { type Outcome, simulate } from './simulate.ts'
import { longestUnderDefaultCaps, longestUnderFloor } from './slot-sweep.ts'
import { stepFaultKinds } from './step-checker.ts'

/** The proof `rules` in small; `npm run prove -- rules` simulates a million debtor-days. */
let judge: Judge
let outcome: Outcome
beforeAll(async () => {
  judge = await judgeFrom(join(import.meta.dirname, '../../src/domain'))
  outcome = simulate(judge, { debtorDays: 20_000, seed: 1 })
}, 30_000)

describe('in 20,000 debtor-days', () => {
  test.each(kinds)('nobody is contacted %s', kind => {
    expect(outcome.violations.filter(violation => violation.kind === kind)).toEqual([])
  })

  test.each(stepFaultKinds)('no step goes %s', kind => {
    expect(outcome.faults.filter(fault => fault.kind === kind)).toEqual([])
  })

  test('every channel is used, so that each rule is met', () => {
    expect(outcome.contacts).toBeGreaterThan(1_500)
    for (const count of Object.values(outcome.perChannel)) expect(count).toBeGreaterThan(150)
  })

  test('a slot is never further away than the law, the caps and the calendar explain', () => {
    expect(outcome.waits.floor).toBeLessThan(8 * DAY)
    expect(outcome.waits.usual).toBeLessThan(12 * DAY)
    expect(outcome.waits.share).toBeLessThanOrEqual(1)
  })
})

test('the same seed tells the same story', () => {
  const [one, two] = [1, 2].map(() => simulate(judge, { debtorDays: 500, seed: 7 }))
  expect(one!.perChannel).toEqual(two!.perChannel)
  expect(one!.debtorDays).toBe(two!.debtorDays)
})

const here = places.filter(([, code]) => ['69003', '68000', '98714'].includes(code))

test('after the last minute of any day a slot is found within 8 days, in writing and by phone', () => {
  expect(longestUnderFloor(judge, here, 'writing').days).toBeLessThan(8)
  expect(longestUnderFloor(judge, here, 'calls').days).toBeLessThan(8)
})

test('with the default caps filled in the worst way, email and SMS find a slot within 13 days', () => {
  expect(longestUnderDefaultCaps(judge, here).days).toBeLessThan(13)
})
