import type { ChannelAdapter, Message } from '../../../adapters/channel.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Environment } from '../../../kit/actor.ts'
import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { AgendaLock } from '../case/agenda-store.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import type { DebtorContext } from '../case/open-recovery.ts'
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

/** The clock of this worker is wrong: work that depends on time is left to another worker. */
export class WrongClock extends Error {
  constructor() {
    super('the clock of this worker differs from the database’s')
  }
}

/** The dependencies of everything that runs without a request. */
export interface WorkerContext {
  /** New with every start of the process. When its heartbeat ends, other workers take over its work. */
  readonly workerId: string
  readonly pool: Pool
  readonly clock: Clock
  /** False while the clock differs too much from that of the database: then nothing is decided and nothing is sent. */
  readonly isClockRight: () => boolean
  readonly newId: () => string
  /** Sixteen random bytes. */
  readonly newSalt: () => Buffer
  readonly channelsFor: ChannelsFor
  readonly places: ProviderPlaces
  /** How long a provider that is away gets no message: after the outage begins, and after each failed probe. */
  readonly providerRetrySeconds: readonly number[]
  /** An address of the debtor refused a message: another person becomes the main one. False if there is nobody. */
  readonly goToNextPerson: (context: DebtorContext, file: DebtorFile, agenda: AgendaLock) => Promise<boolean>
  /** The sender address of emails. The creditor's name is shown with it, and replies go to the creditor. */
  readonly mailFrom: string
  /** Whether we also receive the replies to emails, so that they stop the reminders. */
  readonly receivesReplies: boolean
  /** The id of this installation; it is part of every message code. */
  readonly cell: string
  /** Signs the codes of messages, and recognises a person without their address. */
  readonly keyring: Pick<Keyring, 'mac' | 'digests' | 'open'>
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
   * A provider's records may lag behind, and after its answer "never seen" the step is sent again. So the answer counts only
   * this long after the fence.
   */
  readonly neverSeenAfterMs: number
  /** How long a reserved message may wait for its sender before another worker takes it. */
  readonly reclaimAfterMs: number
}
