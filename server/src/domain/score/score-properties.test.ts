import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatheredOn as on, unknownDebtor } from '../../../test/simulation/unknown-debtor.ts'
import { addDays } from '../time.ts'
import {
  type CriterionCode,
  criteria,
  criterionCodes,
  depths,
  maxPerCriterion,
  riskLevelOf,
  type ScoreInputs,
  scoreOf,
} from './score.ts'
import { explainCriterion, topCriteria } from './score-sentences.ts'

const n = (max: number) => fc.integer({ min: 0, max })
const money = n(1_000_000_000)
const history: fc.Arbitrary<ScoreInputs> = fc
  .record({
    overdue: fc.array(fc.record({ cents: fc.integer({ min: 1, max: 1_000_000_000 }), days: n(2_000) }), {
      maxLength: 8,
    }),
    exposures: fc.array(
      fc.record({ openCents: money, medianCents: fc.integer({ min: 1, max: 10_000_000 }) }),
      {
        maxLength: 3,
      },
    ),
    delays: fc.array(fc.integer({ min: -60, max: 400 }), { maxLength: 12 }),
    counts: fc.record({
      badOutcomes: n(4),
      contactsSinceSign: n(12),
      deadChannels: n(4),
      brokenPromises: n(5),
      keptPromises: n(5),
      rejectedDisputes: n(4),
      openDisputes: n(4),
      failedPayments: n(5),
      reversedPayments: n(3),
    }),
    letterCameBack: fc.boolean(),
    depth: fc.constantFrom(...depths),
    part: fc.record({
      amount: fc.integer({ min: 1, max: 1_000_000_000 }),
      left: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    paidDaysAgo: fc.option(n(800)),
  })
  .map(({ overdue, exposures, delays, counts, letterCameBack, depth, part, paidDaysAgo }) => ({
    ...unknownDebtor,
    ...counts,
    overdueInvoices: overdue.length,
    overdueCents: overdue.reduce((sum, each) => sum + each.cents, 0),
    overdueCentDays: overdue.reduce((sum, each) => sum + each.cents * each.days, 0),
    exposures,
    settledInvoices: delays.length,
    delayDays: delays.reduce((sum, days) => sum + days, 0),
    lastDelayDays: delays.slice(-3).reduce((sum, days) => sum + days, 0),
    letterCameBack,
    depth,
    partAmountCents: part.amount,
    partCents: Math.floor(part.amount * part.left),
    lastPaidOn: paidDaysAgo === null ? null : addDays(on, -paidDaysAgo),
  }))

/** `HISTORIES=100000 npm test -- --project pure score` for the long run. */
const numRuns = Number(process.env.HISTORIES ?? 1_000)

test('whatever the history: thirteen whole numbers from 0 to 15, their sum from 0 to 195, and the level of that sum', () => {
  fc.assert(
    fc.property(history, n(1_000), (inputs, days) => {
      const { score, riskLevel, points } = scoreOf(inputs, addDays(on, days))
      const each = Object.values(points)
      expect(each).toHaveLength(13)
      expect(
        each.every(value => Number.isInteger(value) && value >= 0 && value <= maxPerCriterion),
        `${each}`,
      ).toBe(true)
      expect(score).toBe(each.reduce((sum, value) => sum + value, 0))
      expect(riskLevel).toBe(riskLevelOf(score))
    }),
    { numRuns },
  )
})

type Change = (inputs: ScoreInputs, by: number) => Partial<ScoreInputs>
/** What makes each criterion worse and no other one, and what makes it better. */
const worse: Record<CriterionCode, Change[]> = {
  ageing: [
    ({ overdueCents, overdueCentDays }, by) => ({ overdueCentDays: overdueCentDays + by * overdueCents }),
  ],
  delay_history: [({ delayDays }, by) => ({ delayDays: delayDays + by })],
  bad_outcomes: [({ badOutcomes }, by) => ({ badOutcomes: badOutcomes + by })],
  exposure: [
    ({ exposures }, by) => ({
      exposures: exposures.map(each => ({ ...each, openCents: each.openCents + by })),
    }),
    ({ exposures }, by) => ({
      exposures: exposures.map(each => ({ ...each, medianCents: Math.max(1, each.medianCents - by) })),
    }),
  ],
  open_count: [({ overdueInvoices }, by) => ({ overdueInvoices: overdueInvoices + by })],
  silence: [({ contactsSinceSign }, by) => ({ contactsSinceSign: contactsSinceSign + by })],
  unreachable: [
    ({ deadChannels }, by) => ({ deadChannels: deadChannels + by }),
    () => ({ letterCameBack: true }),
  ],
  broken_promises: [
    ({ brokenPromises }, by) => ({ brokenPromises: brokenPromises + by }),
    ({ keptPromises }, by) => ({ keptPromises: Math.max(0, keptPromises - by) }),
  ],
  disputes: [
    ({ rejectedDisputes }, by) => ({ rejectedDisputes: rejectedDisputes + by }),
    ({ openDisputes }, by) => ({ openDisputes: openDisputes + by }),
  ],
  payment_incidents: [
    ({ failedPayments }, by) => ({ failedPayments: failedPayments + by }),
    ({ reversedPayments }, by) => ({ reversedPayments: reversedPayments + by }),
  ],
  escalation_depth: [
    ({ depth }, by) => ({ depth: depths[Math.min(depths.length - 1, depths.indexOf(depth) + by)]! }),
  ],
  partial_stall: [
    ({ partCents, partAmountCents }, by) => ({ partCents: Math.min(partAmountCents, partCents + by) }),
    ({ lastPaidOn }, by) => ({ lastPaidOn: lastPaidOn && addDays(lastPaidOn, -by) }),
  ],
  trend: [
    ({ delayDays, lastDelayDays }, by) => ({ delayDays: delayDays + by, lastDelayDays: lastDelayDays + by }),
  ],
}

test.each(criterionCodes)('%s never falls when what it looks at gets worse', code => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 500 }), n(100), (inputs, by, days) => {
      const today = addDays(on, days)
      const before = criteria[code](inputs, today)
      for (const change of worse[code])
        expect(criteria[code]({ ...inputs, ...change(inputs, by) }, today)).toBeGreaterThanOrEqual(before)
    }),
    { numRuns },
  )
})

test('no day that passes lowers a score', () => {
  fc.assert(
    fc.property(history, n(400), n(400), (inputs, days, more) => {
      expect(scoreOf(inputs, addDays(on, days + more)).score).toBeGreaterThanOrEqual(
        scoreOf(inputs, addDays(on, days)).score,
      )
    }),
    { numRuns },
  )
})

test('every criterion of every history is explained in both languages, with its numbers, and the heaviest come first', () => {
  fc.assert(
    fc.property(history, n(400), (inputs, days) => {
      const today = addDays(on, days)
      for (const language of ['fr', 'en'] as const)
        for (const code of criterionCodes) {
          const sentence = explainCriterion(code, inputs, today, language)
          expect(sentence).toMatch(/^[A-ZÀ-Ý0-9].*\.$/u)
          expect(sentence).not.toMatch(/NaN|undefined|null|Infinity|-0/)
        }
      const judged = scoreOf(inputs, today)
      const top = topCriteria(judged).map(code => judged.points[code])
      expect(top).toEqual([...top].sort((left, right) => right - left))
      expect(top.length).toBe(Math.min(5, Object.values(judged.points).filter(value => value > 0).length))
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  )
})
