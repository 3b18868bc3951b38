import type { Channel } from '../contact/channel.ts'
import { daysBetween, type LocalDate } from '../time.ts'

/** A published formula never changes, because stored scores refer to it. A new formula gets a new number. */
export const scoreFormula = 1

/** How far back behaviour counts: 24 months. Open invoices always count, however old they are. */
export const scoreWindowDays = 730

export const maxPerCriterion = 15

/** How deep the recovery of any invoice went. */
export const depths = ['none', 'email', 'sms', 'voice', 'lrar', 'judicial'] as const satisfies readonly (
  | Channel
  | 'none'
  | 'judicial'
)[]
export type Depth = (typeof depths)[number]

/**
 * The inputs of a score: whole numbers and days, collected when something happens. Values that depend on the date are stored in a
 * form from which they can be computed exactly for any later day.
 */
export interface ScoreInputs {
  /** The day on which the inputs were collected. All days are in the company's zone. */
  readonly on: LocalDate
  readonly overdueInvoices: number
  readonly overdueCents: number
  /** The sum of balance times days past due, on that day. */
  readonly overdueCentDays: number
  /** For each currency the open amount, and the median of all invoices of the company. Currencies are never added up. */
  readonly exposures: readonly { readonly openCents: number; readonly medianCents: number }[]
  readonly settledInvoices: number
  /** Days from due to paid, summed up: over all, and over the last three. */
  readonly delayDays: number
  readonly lastDelayDays: number
  readonly badOutcomes: number
  readonly contactsSinceSign: number
  readonly deadChannels: number
  readonly letterCameBack: boolean
  readonly brokenPromises: number
  readonly keptPromises: number
  readonly rejectedDisputes: number
  readonly openDisputes: number
  readonly failedPayments: number
  readonly reversedPayments: number
  readonly depth: Depth
  /** Open invoices that were paid in part: the sum of what is left, and the sum of their amounts. */
  readonly partCents: number
  readonly partAmountCents: number
  readonly lastPaidOn: LocalDate | null
}

export const criterionCodes = [
  'ageing',
  'delay_history',
  'bad_outcomes',
  'exposure',
  'open_count',
  'silence',
  'unreachable',
  'broken_promises',
  'disputes',
  'payment_incidents',
  'escalation_depth',
  'partial_stall',
  'trend',
] as const
export type CriterionCode = (typeof criterionCodes)[number]

type Criterion = (inputs: ScoreInputs, today: LocalDate) => number

const clamp = (points: number) => Math.min(maxPerCriterion, Math.max(0, points))

/** A fraction in whole points, half a point up; rounded here and nowhere else. */
const points = (numerator: number, denominator = 1): number =>
  denominator <= 0 ? 0 : clamp(Math.floor((2 * numerator + denominator) / (2 * denominator)))

/** All points for the whole, a share of them for a part. */
const share = (part: number, whole: number) => points(maxPerCriterion * Math.min(part, whole), whole)

const daysSince = (day: LocalDate, today: LocalDate) => Math.max(0, daysBetween(day, today))

/** From this many days on a criterion has all its points. */
const fullAgeDays = 75
const fullDelayDays = 60
const fullTrendDays = 30
const fullStallDays = 30

/** Balance-weighted days past due, as sums. The days since the inputs were collected are added for each cent. */
export const overdueDays = (inputs: ScoreInputs, today: LocalDate): { centDays: number; cents: number } => ({
  centDays: inputs.overdueCentDays + inputs.overdueCents * daysSince(inputs.on, today),
  cents: inputs.overdueCents,
})

/** The open amount in median invoices of the company: a ratio per currency, so that the ratios can be added up. */
export const exposureRatio = ({ exposures }: ScoreInputs): number =>
  exposures.reduce((sum, { openCents, medianCents }) => sum + openCents / Math.max(1, medianCents), 0)

/** Means of the last three delays and of the earlier ones; null while there are fewer than four. */
export function delayTrend(inputs: ScoreInputs): { last: number; earlier: number } | null {
  const earlier = inputs.settledInvoices - 3
  if (earlier < 1) return null
  return {
    last: inputs.lastDelayDays / 3,
    earlier: (inputs.delayDays - inputs.lastDelayDays) / earlier,
  }
}

export const daysSincePayment = ({ lastPaidOn }: ScoreInputs, today: LocalDate): number =>
  lastPaidOn === null ? 0 : daysSince(lastPaidOn, today)

const brokenPoints = [0, 8, 12, 15] as const
const depthPoints: Record<Depth, number> = { none: 0, email: 2, sms: 4, voice: 7, lrar: 11, judicial: 15 }

export const criteria: Readonly<Record<CriterionCode, Criterion>> = {
  ageing(inputs, today) {
    const { centDays, cents } = overdueDays(inputs, today)
    return share(centDays, fullAgeDays * cents)
  },
  // The mean delay over sixty days, and less of it while there are fewer than three invoices to judge by.
  delay_history: ({ settledInvoices: n, delayDays }) =>
    points(maxPerCriterion * Math.min(delayDays, fullDelayDays * n) * Math.min(n, 3), fullDelayDays * n * 3),
  bad_outcomes: ({ badOutcomes }) => (badOutcomes <= 0 ? 0 : badOutcomes === 1 ? 10 : maxPerCriterion),
  exposure: inputs => points(maxPerCriterion * Math.log10(Math.max(1, exposureRatio(inputs)))),
  open_count: ({ overdueInvoices }) => points(4 * (overdueInvoices - 1)),
  silence: ({ contactsSinceSign }) => points(3 * (contactsSinceSign - 1)),
  unreachable: ({ deadChannels, letterCameBack }) => points(5 * deadChannels + (letterCameBack ? 5 : 0)),
  broken_promises: ({ brokenPromises, keptPromises }) =>
    points(brokenPoints[Math.min(3, Math.max(0, brokenPromises)) as 0 | 1 | 2 | 3] - 2 * keptPromises),
  disputes: ({ rejectedDisputes, openDisputes }) => points(6 * rejectedDisputes + 3 * openDisputes),
  payment_incidents: ({ failedPayments, reversedPayments }) =>
    points(4 * failedPayments + 8 * reversedPayments),
  escalation_depth: ({ depth }) => depthPoints[depth],
  partial_stall(inputs, today) {
    const days = Math.min(fullStallDays, daysSincePayment(inputs, today))
    return points(maxPerCriterion * inputs.partCents * days, inputs.partAmountCents * fullStallDays)
  },
  trend({ settledInvoices, delayDays, lastDelayDays }) {
    const earlier = settledInvoices - 3
    if (earlier < 1) return 0
    // Both means over one denominator: a fraction that is rounded once.
    const risen = lastDelayDays * earlier - 3 * (delayDays - lastDelayDays)
    return share(risen, fullTrendDays * 3 * earlier)
  },
}

export const scoreMax = maxPerCriterion * criterionCodes.length

export const riskLevels = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof riskLevels)[number]

export const riskLevelOf = (score: number): RiskLevel =>
  score <= 50 ? 'low' : score <= 100 ? 'medium' : score <= 150 ? 'high' : 'critical'

export interface Score {
  readonly score: number
  readonly riskLevel: RiskLevel
  readonly points: Readonly<Record<CriterionCode, number>>
}

/** The score on a given day. It depends only on behaviour, never on who the person is. */
export function scoreOf(inputs: ScoreInputs, today: LocalDate): Score {
  const scored = criterionCodes.map(code => [code, criteria[code](inputs, today)] as const)
  const score = scored.reduce((sum, [, earned]) => sum + earned, 0)
  return {
    score,
    riskLevel: riskLevelOf(score),
    points: Object.fromEntries(scored) as Record<CriterionCode, number>,
  }
}
