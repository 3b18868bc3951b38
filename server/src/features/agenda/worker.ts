import type { Clock } from '../../kit/clock.ts'
import type { Pool } from '../../kit/db/pool.ts'
import type { Log } from '../../kit/log.ts'
import type { Metrics } from '../../kit/metrics.ts'
import type { ChannelsFor } from '../communications/channels.ts'

/** The world of everything that runs without a request. */
export interface Worker {
  readonly pool: Pool
  readonly clock: Clock
  readonly newId: () => string
  /** Sixteen random bytes. */
  readonly newSalt: () => Buffer
  readonly channelsFor: ChannelsFor
  /** The address messages leave from; the creditor's name stands before it, answers go to the creditor. */
  readonly mailFrom: string
  readonly log: Log
  readonly metrics: Metrics
  /** How long a sender may hold a message; longer than any provider call. */
  readonly leaseMs: number
  /** How long a reserved message may wait for its sender before the armer hands it over again. */
  readonly redriveMs: number
}
