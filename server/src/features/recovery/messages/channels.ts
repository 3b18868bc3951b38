import type { ChannelAdapter, Message } from '../../../adapters/channel.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Environment } from '../../../kit/operation.ts'
import { setMissingChannels } from '../../access/companies/installation.ts'

type Adapters = { [C in Channel]: ChannelAdapter<Extract<Message, { channel: C }>> }

/** Null: no provider is configured for the channel. Email is always there, as the fallback for other channels. */
export type Channels = { [C in Channel]: C extends 'email' ? Adapters[C] : Adapters[C] | null }

/** A sandbox tenant gets simulators: no adapter that could reach a real debtor is ever created for it. */
export type ChannelsFor = (tenant: { id: string; environment: Environment }) => Channels

export const saveMissingChannels = (pool: Pool, channelsFor: ChannelsFor): Promise<void> =>
  setMissingChannels(pool, missingChannelsOf(channelsFor({ id: '', environment: 'production' })))

export const missingChannelsOf = (adapters: Channels): Channel[] =>
  channels.filter(channel => adapters[channel] === null)
