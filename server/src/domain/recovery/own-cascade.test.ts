import fc from 'fast-check'
import { expect, it } from 'vitest'
import { builtInCascades, knownSteps, type StepName } from './cascade.ts'
import { type DraftStep, faultsIn, toSteps } from './own-cascade.ts'

const draft = (...steps: [StepName, number][]): DraftStep[] => steps.map(([name, day]) => ({ name, day }))
const faults = (steps: DraftStep[]) =>
  faultsIn(steps).map(({ step, field, message }) => `${step} ${field} ${message}`)

it.each(builtInCascades)('$name is a cascade anybody could have drawn up', ({ steps }) => {
  expect(faultsIn(steps as unknown as DraftStep[])).toEqual([])
})

it('the shortest is a first notice and a decision three days later', () => {
  expect(faults(draft(['email_prise_en_charge', 0], ['revue_judiciaire', 3]))).toEqual([])
  expect(faults(draft(['email_prise_en_charge', 0], ['revue_judiciaire', 2]))).toEqual([
    '1 day must be 3 at least: 3 days after email_prise_en_charge on day 0',
  ])
})

it('one step is too few, and twenty-one are too many', () => {
  expect(faults(draft(['revue_judiciaire', 0]))).toEqual(['null null must be 2 to 20 steps'])
  const many = Array.from({ length: 21 }, (_, i): [StepName, number] => ['relance_email_1', i * 3])
  expect(faults(draft(...many))).toEqual(['null null must be 2 to 20 steps'])
})

it('it begins with the first notice on day 0 and ends with the decision', () => {
  expect(faults(draft(['relance_email_1', 1], ['email_dernier_avis', 9]))).toEqual([
    '0 name must be email_prise_en_charge: the first message says who writes and why',
    '0 day must be 0: the first message goes on the first day',
    '1 name must be revue_judiciaire: at the end a person decides',
  ])
})

it('no step is taken twice, and the decision is not taken in between', () => {
  expect(
    faults(
      draft(
        ['email_prise_en_charge', 0],
        ['relance_email_1', 5],
        ['relance_email_1', 10],
        ['revue_judiciaire', 15],
        ['revue_judiciaire', 20],
      ),
    ),
  ).toEqual([
    '2 name is already step 2; each step is taken once',
    '3 name can only be the last step',
    '4 name is already step 4; each step is taken once',
  ])
})

it('days go up by three at least, whatever the channel', () => {
  expect(
    faults(
      draft(
        ['email_prise_en_charge', 0],
        ['sms_reminder', 2],
        ['relance_email_1', 5],
        ['relance_email_2', 4],
        ['revue_judiciaire', 7],
      ),
    ),
  ).toEqual([
    '1 day must be 3 at least: 3 days after email_prise_en_charge on day 0',
    '3 day must be 8 at least: 3 days after relance_email_1 on day 5',
  ])
})

it('after the formal notice nothing happens for the eight days it gives', () => {
  const after = (day: number) =>
    faults(draft(['email_prise_en_charge', 0], ['lrar_mise_en_demeure', 10], ['revue_judiciaire', day]))
  expect(after(18)).toEqual([])
  expect(after(17)).toEqual(['2 day must be 18 at least: lrar_mise_en_demeure on day 10 gives 8 days to pay'])
})

it('a year is the most', () => {
  expect(faults(draft(['email_prise_en_charge', 0], ['revue_judiciaire', 365]))).toEqual([])
  expect(faults(draft(['email_prise_en_charge', 0], ['revue_judiciaire', 366]))).toEqual([
    '1 day must be 365 at most',
  ])
})

it('whatever passes keeps every promise by itself', () => {
  const names = Object.keys(knownSteps) as StepName[]
  const anything = fc.array(
    fc.record({ name: fc.constantFrom(...names), day: fc.integer({ min: 0, max: 60 }) }),
    { maxLength: 6 },
  )
  // Most of what chance draws up is faulty; what is nearly right is where the edges are.
  const nearlyRight = fc
    .record({
      middle: fc.uniqueArray(fc.constantFrom(...names.slice(1, -1)), { maxLength: 5 }),
      gaps: fc.array(fc.integer({ min: 2, max: 10 }), { minLength: 7, maxLength: 7 }),
    })
    .map(({ middle, gaps }) => {
      let day = 0
      return [names[0]!, ...middle, names.at(-1)!].map((name, i) => {
        day += i === 0 ? 0 : gaps[i]!
        return { name, day }
      })
    })
  let passed = 0
  fc.assert(
    fc.property(fc.oneof(anything, nearlyRight), steps => {
      if (faultsIn(steps).length > 0) return
      passed++
      expect(steps.length).toBeGreaterThanOrEqual(2)
      expect(steps[0]).toEqual({ name: 'email_prise_en_charge', day: 0 })
      expect(steps.at(-1)!.name).toBe('revue_judiciaire')
      expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length)
      steps.slice(1).forEach(({ day }, i) => {
        expect(day - steps[i]!.day).toBeGreaterThanOrEqual(steps[i]!.name === 'lrar_mise_en_demeure' ? 8 : 3)
      })
    }),
    { numRuns: 2_000 },
  )
  expect(passed).toBeGreaterThan(100)
})

it('the channel of a step follows from its name', () => {
  expect(toSteps(draft(['sms_reminder', 3], ['revue_judiciaire', 6]))).toEqual([
    { name: 'sms_reminder', channel: 'sms', day: 3 },
    { name: 'revue_judiciaire', channel: null, day: 6 },
  ])
})
