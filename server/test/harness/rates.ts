import type { HalfYearRate } from '../../src/domain/money/late-payment.ts'

/** The main refinancing rate of the European Central Bank on the first day of each half-year, as published. */
const ecb: Record<string, number> = {
  '2021-01-01': 0,
  '2021-07-01': 0,
  '2022-01-01': 0,
  '2022-07-01': 0,
  '2023-01-01': 250,
  '2023-07-01': 400,
  '2024-01-01': 450,
  '2024-07-01': 425,
  '2025-01-01': 315,
  '2025-07-01': 215,
  '2026-01-01': 215,
}

/** The rates that a new installation knows. */
export const publishedRates: readonly HalfYearRate[] = [
  ...Object.entries(ecb).map(([startsOn, bps]) => ({ kind: 'ecb' as const, startsOn, bps })),
  { kind: 'legal', startsOn: '2026-01-01', bps: 262 },
]
