import type { RiskLevel } from './score.ts'

export const attentionLevels = ['none', 'watch', 'high'] as const
type AttentionLevel = (typeof attentionLevels)[number]

/** Why a person should look at a debtor: the most serious first. */
export const attentionCodes = [
  'insolvency',
  'formal_notice_unanswered',
  'overdue_90_days',
  'critical_score',
  'promise_broken',
  'wrong_person',
  'address_refused',
  'situation',
  'high_score',
] as const
type AttentionCode = (typeof attentionCodes)[number]

const high: readonly AttentionCode[] = [
  'insolvency',
  'formal_notice_unanswered',
  'overdue_90_days',
  'critical_score',
]

/** More reasons are not read. */
export const attentionReasonsMax = 3
/** An invoice later than this is unlikely to be paid without a person. */
const longOverdueDays = 90

export interface AttentionFacts {
  readonly isInsolvent: boolean
  readonly hasSituation: boolean
  readonly isWrongPerson: boolean
  readonly isAddressRefused: boolean
  /** Days past the oldest due date that is open. */
  readonly oldestDaysOverdue: number | null
  /** Days since the last formal notice of an open recovery, if the debtor has not answered or paid since. */
  readonly unansweredNoticeDays: number | null
  /** Days since a promise was broken that nobody has looked at. */
  readonly brokenPromiseDays: number | null
  readonly riskLevel: RiskLevel | null
}

export interface Attention {
  readonly level: AttentionLevel
  readonly reasons: { readonly code: AttentionCode; readonly days: number | null }[]
}

/** What is so today, where the score is about two years: a debtor with a good past may need a person now. */
export function attentionOf(facts: AttentionFacts): Attention {
  const { oldestDaysOverdue, unansweredNoticeDays, brokenPromiseDays, riskLevel } = facts
  const found: Record<AttentionCode, boolean> = {
    insolvency: facts.isInsolvent,
    formal_notice_unanswered: unansweredNoticeDays !== null,
    overdue_90_days: (oldestDaysOverdue ?? 0) > longOverdueDays,
    critical_score: riskLevel === 'critical',
    promise_broken: brokenPromiseDays !== null,
    wrong_person: facts.isWrongPerson,
    address_refused: facts.isAddressRefused,
    situation: facts.hasSituation,
    high_score: riskLevel === 'high',
  }
  const days: Partial<Record<AttentionCode, number | null>> = {
    formal_notice_unanswered: unansweredNoticeDays,
    overdue_90_days: oldestDaysOverdue,
    promise_broken: brokenPromiseDays,
  }
  const codes = attentionCodes.filter(code => found[code])
  return {
    level: codes.length === 0 ? 'none' : codes.some(code => high.includes(code)) ? 'high' : 'watch',
    reasons: codes.slice(0, attentionReasonsMax).map(code => ({ code, days: days[code] ?? null })),
  }
}
