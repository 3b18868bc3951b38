import type { ChannelAdapter, Message } from '../../../adapters/channel.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Environment } from '../../../kit/operation.ts'

type Adapters = { [C in Channel]: ChannelAdapter<Extract<Message, { channel: C }>> }

/** Null: no provider is configured for it. There is always email, where what cannot go otherwise goes. */
export type Channels = { [C in Channel]: C extends 'email' ? Adapters[C] : Adapters[C] | null }

/** The sandbox gets simulators by type: no adapter that could reach a debtor is ever built for it. */
export type ChannelsFor = (tenant: { id: string; environment: Environment }) => Channels

const announce = 'update installation set missing_channels = $1 where missing_channels <> $1'

/** What is planned elsewhere, by processes without adapters, is planned with the channels there are. */
export const announceChannels = async (pool: Pool, channelsFor: ChannelsFor): Promise<void> =>
  void (await pool.query(announce, [missingOf(channelsFor({ id: '', environment: 'production' }))]))

export const missingOf = (of: Channels): Channel[] => channels.filter(channel => of[channel] === null)
