import type { ChannelAdapter, EmailMessage } from '../../adapters/channel.ts'
import type { Environment } from '../../kit/operation.ts'

export interface Channels {
  email: ChannelAdapter<EmailMessage>
}

/** The sandbox gets simulators by type: no adapter that could reach a debtor is ever built for it. */
export type ChannelsFor = (tenant: { id: string; environment: Environment }) => Channels
