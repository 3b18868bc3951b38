import type { Channel } from './channel.ts'

export const receiptOutcomes = [
  'delivered',
  'bounced',
  'no_answer',
  'presented',
  'signed',
  'refused',
  'unclaimed',
] as const
export type ReceiptOutcome = (typeof receiptOutcomes)[number]

/**
 * The outcomes a provider can report on each channel, weakest first. Receipts arrive in any order and more than once. A
 * stronger outcome is never overwritten by a weaker one, so the result does not depend on the order. `bounced` is the
 * strongest: a message that came back did not arrive, whatever was reported before.
 */
const outcomesByChannel: Record<Channel, readonly ReceiptOutcome[]> = {
  email: ['delivered', 'bounced'],
  sms: ['delivered', 'bounced'],
  voice: ['no_answer', 'delivered', 'bounced'],
  lrar: ['presented', 'unclaimed', 'refused', 'signed', 'bounced'],
}

/** Whether a receipt adds anything to the outcomes already known. */
export function weighReceipt(
  channel: Channel,
  known: readonly ReceiptOutcome[],
  outcome: ReceiptOutcome,
): 'new' | 'known' | 'weaker' | 'not_for_channel' {
  const order = outcomesByChannel[channel]
  if (!order.includes(outcome)) return 'not_for_channel'
  if (known.includes(outcome)) return 'known'
  return known.some(other => order.indexOf(other) > order.indexOf(outcome)) ? 'weaker' : 'new'
}

const noticeOutcomes = ['presented', 'signed', 'refused', 'unclaimed'] as const
type NoticeOutcome = (typeof noticeOutcomes)[number]

/** The outcome of a formal notice; null if the letter came back undelivered, which proves nothing. */
export const noticeOutcomeOf = (outcome: ReceiptOutcome): NoticeOutcome | null =>
  (noticeOutcomes as readonly ReceiptOutcome[]).includes(outcome) ? (outcome as NoticeOutcome) : null

/** The state of the message and its status in the history. A letter that was refused or not collected still counts as sent. */
export const stateAfterReceipt: Record<
  ReceiptOutcome,
  {
    message: 'sent' | 'delivered' | 'bounced'
    historyStatus: 'sent' | 'delivered' | 'bounced' | 'refused' | 'unclaimed'
  }
> = {
  delivered: { message: 'delivered', historyStatus: 'delivered' },
  bounced: { message: 'bounced', historyStatus: 'bounced' },
  no_answer: { message: 'sent', historyStatus: 'sent' },
  presented: { message: 'sent', historyStatus: 'sent' },
  signed: { message: 'delivered', historyStatus: 'delivered' },
  refused: { message: 'sent', historyStatus: 'refused' },
  unclaimed: { message: 'sent', historyStatus: 'unclaimed' },
}
