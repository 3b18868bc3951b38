import type { ScoreInputs } from '../../src/domain/score/score.ts'

export const gatheredOn = '2026-11-16'

/** Score inputs of a debtor of whom nothing is known. */
export const unknownDebtor: ScoreInputs = {
  on: gatheredOn,
  overdueInvoices: 0,
  overdueCents: 0,
  overdueCentDays: 0,
  exposures: [],
  settledInvoices: 0,
  delayDays: 0,
  lastDelayDays: 0,
  badOutcomes: 0,
  contactsSinceSign: 0,
  deadChannels: 0,
  letterCameBack: false,
  brokenPromises: 0,
  keptPromises: 0,
  rejectedDisputes: 0,
  openDisputes: 0,
  failedPayments: 0,
  reversedPayments: 0,
  depth: 'none',
  partCents: 0,
  partAmountCents: 0,
  lastPaidOn: null,
}
