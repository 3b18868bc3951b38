import fc from 'fast-check'
import { expect, test } from 'vitest'
import { channels } from '../contact/channel.ts'
import { debtorTypes } from '../debtor-type.ts'
import { cents } from '../money/money.ts'
import type { Cascade, Step } from './cascade.ts'
import { type OwnCascade, type RecoveryProfile, selectCascade } from './select-cascade.ts'

const by = (type: RecoveryProfile['type'], score: number | null, amount = 500_00) =>
  selectCascade({ type, isNaturalPerson: type === 'consumer', amount: cents(amount), score }).name

test('a business with a high or critical score gets the fast cascade, from 101 on', () => {
  expect([null, 0, 100, 101, 150, 151, 195].map(score => by('business', score))).toEqual([
    'fr_b2b_standard',
    'fr_b2b_standard',
    'fr_b2b_standard',
    'fr_b2b_fast',
    'fr_b2b_fast',
    'fr_b2b_fast',
    'fr_b2b_fast',
  ])
})

test('a sole trader keeps the standard cascade with any score', () => {
  const cascade = selectCascade({
    type: 'business',
    isNaturalPerson: true,
    amount: cents(500_00),
    score: 195,
  })
  expect(cascade.name).toBe('fr_b2b_standard')
})

test('for a small sum nobody is sent a letter sooner, whatever the score', () => {
  expect(by('business', 195, 149_99)).toBe('fr_b2b_small')
})

test('a consumer and a public body have the same cascade with any score', () => {
  for (const score of [null, 0, 101, 195]) {
    expect(by('consumer', score)).toBe('fr_consumer')
    expect(by('public_body', score)).toBe('fr_public_body')
  }
})

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constant('step'),
  channel: fc.constantFrom(...channels, null),
  day: fc.integer({ min: 0, max: 90 }),
})
const score = fc.integer({ min: 0, max: 195 })
const own: fc.Arbitrary<OwnCascade[]> = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}$/),
    version: fc.constant(1),
    steps: fc.array(step, { maxLength: 6 }),
    applies: fc.record(
      {
        debtorTypes: fc.subarray([...debtorTypes], { minLength: 1 }),
        minAmountCents: fc.integer({ min: 0, max: 500_00 }),
        minScore: score,
        maxScore: score,
      },
      { requiredKeys: [] },
    ),
  }),
  { maxLength: 6, selector: cascade => cascade.name },
)
const firstDay = ({ steps }: Cascade, channel: Step['channel']) =>
  Math.min(...steps.filter(each => each.channel === channel).map(each => each.day))

test('no score brings a registered letter or the court nearer to a natural person, whatever cascades a company has', () => {
  let changed = 0
  fc.assert(
    fc.property(
      own,
      score,
      fc.integer({ min: 1, max: 1_000_00 }),
      fc.constantFrom('consumer' as const, 'business' as const),
      (cascades, scored, amount, type) => {
        const profile = { type, isNaturalPerson: true, amount: cents(amount) }
        const without = selectCascade({ ...profile, score: null }, cascades)
        const chosen = selectCascade({ ...profile, score: scored }, cascades)
        if (chosen.name !== without.name) changed++
        for (const channel of ['lrar', null] as const)
          expect(firstDay(chosen, channel)).toBeGreaterThanOrEqual(firstDay(without, channel))
      },
    ),
    { numRuns: 5_000 },
  )
  // It may choose what is gentler: a rule by which it chose nothing at all would prove nothing here.
  expect(changed).toBeGreaterThan(0)
})
