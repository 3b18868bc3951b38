import type { Allowance } from '../../kit/http/limits.ts'

export const tiers = ['starter', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

const allowances: Record<Tier, Allowance> = {
  starter: { perMinute: 60, perDay: 10_000, inFlight: 10 },
  pro: { perMinute: 300, perDay: 100_000, inFlight: 50 },
  enterprise: { perMinute: 1_000, perDay: null, inFlight: 200 },
}

/** Enterprise figures are set per company by the operator; the other tiers are what they are. */
export function allowanceOf(tier: Tier, perMinute: number | null, inFlight: number | null): Allowance {
  const usual = allowances[tier]
  if (tier !== 'enterprise') return usual
  return { ...usual, perMinute: perMinute ?? usual.perMinute, inFlight: inFlight ?? usual.inFlight }
}

export const strangers: Allowance = allowances.starter
