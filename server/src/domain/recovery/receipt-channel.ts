import type { Channel } from '../contact/channel.ts'
import { type Reach, unreachableBecause } from './cascade.ts'

/**
 * How a collector's receipt goes: by email, else by letter. Where neither is open, a channel that the debtor closed only by asking for no more
 * messages: a receipt is owed whatever the debtor asked. Null: the debtor cannot be reached.
 */
export function receiptChannelOf(reach: Reach, optedOut: readonly Channel[]): Channel | null {
  const byMail = reach.collected?.hasBounced ? (['lrar', 'email'] as const) : (['email', 'lrar'] as const)
  const ways = byMail.filter(channel => !reach.missing.includes(channel))
  const open = ways.find(channel => unreachableBecause(reach, channel) === null)
  return (
    open ??
    ways.find(channel => optedOut.includes(channel) && (channel === 'email' || reach.hasAddress)) ??
    null
  )
}
