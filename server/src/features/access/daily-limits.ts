import type { Channel } from '../../domain/contact/channel.ts'
import type { Tier } from './tiers.ts'

/** The maximum that is sent for a company on one channel in a UTC day, in messages and in money. */
export interface DailyLimit {
  messages: number
  cents: number
}

/** The limits that the operator set for a company; the tier defines the rest. */
export type DailyLimits = { [C in Channel]?: Partial<DailyLimit> }

const tierLimits: Record<Tier, Record<Channel, DailyLimit>> = {
  starter: {
    email: { messages: 500, cents: 1_000 },
    sms: { messages: 100, cents: 1_000 },
    lrar: { messages: 20, cents: 20_000 },
    voice: { messages: 50, cents: 5_000 },
  },
  pro: {
    email: { messages: 5_000, cents: 10_000 },
    sms: { messages: 1_000, cents: 10_000 },
    lrar: { messages: 200, cents: 200_000 },
    voice: { messages: 500, cents: 50_000 },
  },
  enterprise: {
    email: { messages: 200_000, cents: 100_000 },
    sms: { messages: 20_000, cents: 200_000 },
    lrar: { messages: 5_000, cents: 4_000_000 },
    voice: { messages: 10_000, cents: 1_000_000 },
  },
}

export const dailyLimitOf = (tier: Tier, own: DailyLimits, channel: Channel): DailyLimit => ({
  ...tierLimits[tier][channel],
  ...own[channel],
})

/** How many messages the limit allows at a price. Money is counted in messages, so a change of price holds from then on. */
export const messagesWithin = ({ messages, cents }: DailyLimit, priceCents: number): number =>
  priceCents > 0 ? Math.min(messages, Math.floor(cents / priceCents)) : messages
