import type { ChannelAdapter, Message } from '../../../adapters/channel.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Environment } from '../../../kit/operation.ts'
import { setMissingChannels } from '../../access/companies/installation.ts'

type Adapters = { [C in Channel]: ChannelAdapter<Extract<Message, { channel: C }>> }

/** Null: no provider is configured for it. There is always email, where what cannot go otherwise goes. */
export type Channels = { [C in Channel]: C extends 'email' ? Adapters[C] : Adapters[C] | null }

/** The sandbox gets simulators by type: no adapter that could reach a debtor is ever built for it. */
export type ChannelsFor = (tenant: { id: string; environment: Environment }) => Channels

export const announceChannels = (pool: Pool, channelsFor: ChannelsFor): Promise<void> =>
  setMissingChannels(pool, missingOf(channelsFor({ id: '', environment: 'production' })))

export const missingOf = (of: Channels): Channel[] => channels.filter(channel => of[channel] === null)
