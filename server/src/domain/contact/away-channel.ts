import { type Instant, MINUTE } from '../time.ts'
import type { Channel } from './channel.ts'
import { hash } from './next-legal-slot.ts'

/** A channel that is unavailable for a while, not because of a message. */
export interface AwayChannel {
  readonly channel: Channel
  readonly since: Instant
  /** When it is tried again. */
  readonly until: Instant
  readonly because: 'provider_away' | 'provider_busy' | 'sending_stopped'
}

export const awayChannelAt = (
  away: readonly AwayChannel[] | undefined,
  channel: Channel,
  now: Instant,
): AwayChannel | null => away?.find(each => each.channel === channel && each.until > now) ?? null

const spreadMax = 30 * MINUTE

/**
 * When a message that waits for a channel is looked at again. The moments are spread: the longer the channel is away, the more
 * messages wait for it, and the wider the spread.
 */
export function lookAgainAt({ since, until }: AwayChannel, now: Instant, seed: string): Instant {
  const spread = Math.min(spreadMax, Math.max(until - now, (now - since) / 4))
  return until + (hash(`${seed} ${until}`) % Math.max(1, Math.floor(spread)))
}
