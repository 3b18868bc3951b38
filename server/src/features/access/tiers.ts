import type { Allowance } from '../../kit/http/limits.ts'

export const tiers = ['starter', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]

const allowances: Record<Tier, Allowance> = {
  starter: { perMinute: 60, perDay: 10_000, inFlight: 10 },
  pro: { perMinute: 300, perDay: 100_000, inFlight: 50 },
  enterprise: { perMinute: 1_000, perDay: null, inFlight: 200 },
}

/** The operator can set the limits of an enterprise company; the other tiers are fixed. */
export function allowanceOf(tier: Tier, perMinute: number | null, inFlight: number | null): Allowance {
  const tierAllowance = allowances[tier]
  if (tier !== 'enterprise') return tierAllowance
  return {
    ...tierAllowance,
    perMinute: perMinute ?? tierAllowance.perMinute,
    inFlight: inFlight ?? tierAllowance.inFlight,
  }
}

/** For one person at the console, in all their companies together; integrations are counted separately. */
export const personAllowance: Allowance = { perMinute: 300, perDay: null, inFlight: 20 }

export const anonymousAllowance: Allowance = allowances.starter
