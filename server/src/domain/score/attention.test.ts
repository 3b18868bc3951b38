import { expect, it } from 'vitest'
import { type AttentionFacts, attentionOf } from './attention.ts'

const calm: AttentionFacts = {
  isInsolvent: false,
  hasSituation: false,
  isWrongPerson: false,
  isAddressRefused: false,
  oldestDaysOverdue: 12,
  unansweredNoticeDays: null,
  brokenPromiseDays: null,
  riskLevel: 'low',
}

it('a debtor of whom nothing is known needs no attention', () => {
  expect(attentionOf(calm)).toEqual({ level: 'none', reasons: [] })
  expect(attentionOf({ ...calm, oldestDaysOverdue: null, riskLevel: null })).toEqual({
    level: 'none',
    reasons: [],
  })
  expect(attentionOf({ ...calm, riskLevel: 'medium' }).level).toBe('none')
})

it('more than 90 days late is high, whatever the score says', () => {
  expect(attentionOf({ ...calm, oldestDaysOverdue: 90 }).level).toBe('none')
  expect(attentionOf({ ...calm, oldestDaysOverdue: 91 })).toEqual({
    level: 'high',
    reasons: [{ code: 'overdue_90_days', days: 91 }],
  })
})

it.each([
  [{ isInsolvent: true }, 'high', 'insolvency', null],
  [{ unansweredNoticeDays: 0 }, 'high', 'formal_notice_unanswered', 0],
  [{ riskLevel: 'critical' }, 'high', 'critical_score', null],
  [{ brokenPromiseDays: 4 }, 'watch', 'promise_broken', 4],
  [{ isWrongPerson: true }, 'watch', 'wrong_person', null],
  [{ isAddressRefused: true }, 'watch', 'address_refused', null],
  [{ hasSituation: true }, 'watch', 'situation', null],
  [{ riskLevel: 'high' }, 'watch', 'high_score', null],
] as const)('%j is %s, because of %s', (facts, level, code, days) => {
  expect(attentionOf({ ...calm, ...facts })).toEqual({ level, reasons: [{ code, days }] })
})

it('the three most serious reasons are given, and the level is that of the most serious', () => {
  expect(
    attentionOf({
      isInsolvent: false,
      hasSituation: true,
      isWrongPerson: true,
      isAddressRefused: true,
      oldestDaysOverdue: 121,
      unansweredNoticeDays: 12,
      brokenPromiseDays: 40,
      riskLevel: 'critical',
    }),
  ).toEqual({
    level: 'high',
    reasons: [
      { code: 'formal_notice_unanswered', days: 12 },
      { code: 'overdue_90_days', days: 121 },
      { code: 'critical_score', days: null },
    ],
  })
})
