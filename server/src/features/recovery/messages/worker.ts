import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { ChannelsFor } from './channels.ts'
import type { Collector } from './write-message.ts'

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
  /** Which installation this is, in every code it gives out. */
  readonly cell: string
  /** Signs the codes of messages. */
  readonly keyring: Pick<Keyring, 'mac'>
  /** Where the links in messages lead. */
  readonly publicUrl: string
  /** Who recovers for companies in collector mode; null: each writes in its own name. */
  readonly collector: Collector
  readonly log: Log
  readonly metrics: Metrics
  /** How long a sender may hold a message; longer than any provider call. */
  readonly leaseMs: number
  /** How long a reserved message may wait for its sender before the armer hands it over again. */
  readonly redriveMs: number
}
