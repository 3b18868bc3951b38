import { describe, expect, it, test } from 'vitest'
import { gatheredOn as on, unknownDebtor } from '../../../test/simulation/unknown-debtor.ts'
import { addDays } from '../time.ts'
import {
  type CriterionCode,
  criteria,
  criterionCodes,
  riskLevelOf,
  type ScoreInputs,
  scoreFormula,
  scoreOf,
} from './score.ts'

const pointsOf = (code: CriterionCode, known: Partial<ScoreInputs>, today = on) =>
  criteria[code]({ ...unknownDebtor, ...known }, today)

test('somebody of whom nothing is known has no points, and a formula has a number', () => {
  expect(scoreOf(unknownDebtor, on)).toMatchObject({ score: 0, riskLevel: 'low' })
  expect(Object.keys(scoreOf(unknownDebtor, on).points)).toEqual([...criterionCodes])
  expect(criterionCodes).toHaveLength(13)
  expect(scoreFormula).toBe(1)
})

test.each([
  [0, 'low'],
  [50, 'low'],
  [51, 'medium'],
  [100, 'medium'],
  [101, 'high'],
  [150, 'high'],
  [151, 'critical'],
  [195, 'critical'],
])('%i points are %s', (score, level) => {
  expect(riskLevelOf(score)).toBe(level)
})

describe('each criterion at its edges, half a point up', () => {
  const overdue = (days: number) => ({ overdueInvoices: 1, overdueCents: 100, overdueCentDays: 100 * days })
  const settled = (settledInvoices: number, mean: number) => ({
    settledInvoices,
    delayDays: settledInvoices * mean,
  })
  const trend = (earlier: number[], last: [number, number, number]) => ({
    settledInvoices: earlier.length + 3,
    delayDays: [...earlier, ...last].reduce((sum, days) => sum + days, 0),
    lastDelayDays: last[0] + last[1] + last[2],
  })
  const exposure = (openCents: number, medianCents: number) => ({ exposures: [{ openCents, medianCents }] })
  const partly = (partCents: number, partAmountCents: number, days: number) => ({
    partCents,
    partAmountCents,
    lastPaidOn: addDays(on, -days),
  })
  it.each<[CriterionCode, Partial<ScoreInputs>, number]>([
    ['ageing', overdue(2), 0],
    ['ageing', { ...overdue(2), overdueCentDays: 250 }, 1],
    ['ageing', { ...overdue(2), overdueCentDays: 249 }, 0],
    ['ageing', overdue(5), 1],
    ['ageing', overdue(72), 14],
    ['ageing', overdue(75), 15],
    ['ageing', overdue(400), 15],
    ['delay_history', settled(1, 60), 5],
    ['delay_history', settled(2, 60), 10],
    ['delay_history', settled(3, 60), 15],
    ['delay_history', settled(9, 400), 15],
    ['delay_history', settled(3, 10), 3],
    ['delay_history', settled(3, 9), 2],
    ['delay_history', settled(3, -20), 0],
    ['bad_outcomes', { badOutcomes: 1 }, 10],
    ['bad_outcomes', { badOutcomes: 2 }, 15],
    ['exposure', exposure(100, 100), 0],
    ['exposure', exposure(50, 100), 0],
    ['exposure', exposure(1_000, 100), 15],
    ['exposure', exposure(316, 100), 7],
    ['exposure', exposure(317, 100), 8],
    ['open_count', { overdueInvoices: 1 }, 0],
    ['open_count', { overdueInvoices: 3 }, 8],
    ['open_count', { overdueInvoices: 5 }, 15],
    ['silence', { contactsSinceSign: 1 }, 0],
    ['silence', { contactsSinceSign: 2 }, 3],
    ['silence', { contactsSinceSign: 6 }, 15],
    ['unreachable', { deadChannels: 1 }, 5],
    ['unreachable', { deadChannels: 1, letterCameBack: true }, 10],
    ['unreachable', { deadChannels: 4, letterCameBack: true }, 15],
    ['broken_promises', { brokenPromises: 1 }, 8],
    ['broken_promises', { brokenPromises: 2, keptPromises: 1 }, 10],
    ['broken_promises', { brokenPromises: 7 }, 15],
    ['broken_promises', { keptPromises: 3 }, 0],
    ['disputes', { rejectedDisputes: 1, openDisputes: 1 }, 9],
    ['disputes', { rejectedDisputes: 3 }, 15],
    ['payment_incidents', { failedPayments: 1, reversedPayments: 1 }, 12],
    ['payment_incidents', { reversedPayments: 2 }, 15],
    ['escalation_depth', { depth: 'email' }, 2],
    ['escalation_depth', { depth: 'sms' }, 4],
    ['escalation_depth', { depth: 'voice' }, 7],
    ['escalation_depth', { depth: 'lrar' }, 11],
    ['escalation_depth', { depth: 'judicial' }, 15],
    ['partial_stall', partly(500, 1_000, 0), 0],
    ['partial_stall', partly(500, 1_000, 15), 4],
    ['partial_stall', partly(500, 1_000, 30), 8],
    ['partial_stall', partly(999, 1_000, 90), 15],
    ['trend', trend([], [90, 90, 90]), 0],
    ['trend', trend([10], [40, 40, 40]), 15],
    ['trend', trend([10], [11, 11, 11]), 1],
    ['trend', trend([0, 20], [25, 25, 25]), 8],
    ['trend', trend([30], [0, 0, 0]), 0],
  ])('%s of %j: %i', (code, known, expected) => {
    expect(pointsOf(code, known)).toBe(expected)
  })
})

test('days that pass are added exactly: what was gathered long ago is what would be gathered today', () => {
  const gathered = { overdueInvoices: 2, overdueCents: 300, overdueCentDays: 100 * 4 + 200 * 10 }
  const later = { ...gathered, overdueCentDays: 100 * 34 + 200 * 40, on: addDays(on, 30) }
  expect(pointsOf('ageing', gathered, addDays(on, 30))).toBe(pointsOf('ageing', later, addDays(on, 30)))
  const part = { partCents: 500, partAmountCents: 1_000, lastPaidOn: on }
  expect([0, 15, 30, 60].map(days => pointsOf('partial_stall', part, addDays(on, days)))).toEqual([
    0, 4, 8, 8,
  ])
})
