import type { ChannelAdapter, Message } from '../../../adapters/channel.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Environment } from '../../../kit/operation.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { ProviderPlaces } from './provider-places.ts'

type Adapters = { [C in Channel]: ChannelAdapter<Extract<Message, { channel: C }>> }

/** Null: no provider is configured for the channel. Email is always there, as the fallback for other channels. */
export type Channels = { [C in Channel]: C extends 'email' ? Adapters[C] : Adapters[C] | null }

/** A sandbox tenant gets simulators: no adapter that could reach a real debtor is ever created for it. */
export type ChannelsFor = (tenant: { id: string; environment: Environment }) => Channels

export const missingChannelsOf = (adapters: Channels): Channel[] =>
  channels.filter(channel => adapters[channel] === null)

/** The name of the provider of each channel that has one. */
export const providersOf = (adapters: Channels): Record<string, string> =>
  Object.fromEntries(
    channels.flatMap(channel => (adapters[channel] ? [[channel, adapters[channel].name]] : [])),
  )

export const fenceCommits = ['on', 'remote_write', 'remote_apply', 'local'] as const
export type FenceCommit = (typeof fenceCommits)[number]

/** Work that goes by the clock is left to a worker whose clock is right. */
export class WrongClock extends Error {
  constructor() {
    super('the clock of this worker differs from the database’s')
  }
}

/** The dependencies of everything that runs without a request. */
export interface WorkerContext {
  /** Of this process, and new with every start. What it holds is taken over when its heartbeat ends. */
  readonly workerId: string
  readonly pool: Pool
  readonly clock: Clock
  /** False while it differs too much from the database's: then nothing is decided and nothing is sent. */
  readonly isClockRight: () => boolean
  readonly newId: () => string
  /** Sixteen random bytes. */
  readonly newSalt: () => Buffer
  readonly channelsFor: ChannelsFor
  readonly places: ProviderPlaces
  /** How long a provider that is away is left alone: after it went away, and after each message that tried in vain. */
  readonly providerRetrySeconds: readonly number[]
  /** The sender address of emails. The creditor's name is shown with it, and replies go to the creditor. */
  readonly mailFrom: string
  /** Whether a reply to an email comes to us as well, so that it stops the reminders. */
  readonly hearsReplies: boolean
  /** The id of this installation; it is part of every message code. */
  readonly cell: string
  /** Signs the codes of messages, and recognises a person without their address. */
  readonly keyring: Pick<Keyring, 'mac' | 'digests'>
  /** What one message of a channel costs, in cents. */
  readonly prices: Readonly<Record<Channel, number>>
  /** Where the links in messages lead. */
  readonly publicUrl: string
  readonly log: Log
  readonly metrics: Metrics
  /** `synchronous_commit` of the fence; null: that of the connection. */
  readonly fenceCommit: FenceCommit | null
  /** How long a claim is valid; longer than any provider call. */
  readonly leaseMs: number
  /**
   * A provider's records may lag behind, and what is sent after its answer "never seen" is another message. So the answer is
   * believed only so long after the fence.
   */
  readonly neverSeenAfterMs: number
  /** How long a reserved message may wait for its sender before another worker takes it. */
  readonly reclaimAfterMs: number
}
