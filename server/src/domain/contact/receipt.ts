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
 * What can be heard of a message on each channel, the weakest first. News arrives in any order and more than once: what is
 * further on is never overwritten, so the end is the same whatever came first. What came back has not arrived, whatever was
 * believed before.
 */
const heardOn: Record<Channel, readonly ReceiptOutcome[]> = {
  email: ['delivered', 'bounced'],
  sms: ['delivered', 'bounced'],
  voice: ['no_answer', 'delivered', 'bounced'],
  lrar: ['presented', 'unclaimed', 'refused', 'signed', 'bounced'],
}

/** Whether an outcome adds to what is known. */
export function weighReceipt(
  channel: Channel,
  known: readonly ReceiptOutcome[],
  outcome: ReceiptOutcome,
): 'news' | 'known' | 'weaker' | 'not_for_channel' {
  const order = heardOn[channel]
  if (!order.includes(outcome)) return 'not_for_channel'
  if (known.includes(outcome)) return 'known'
  return known.some(other => order.indexOf(other) > order.indexOf(outcome)) ? 'weaker' : 'news'
}

const noticeNews = ['presented', 'signed', 'refused', 'unclaimed'] as const
type NoticeNews = (typeof noticeNews)[number]

/** What it says about a formal notice; null when the letter came back undelivered: then nothing was heard of it. */
export const newsOf = (outcome: ReceiptOutcome): NoticeNews | null =>
  (noticeNews as readonly ReceiptOutcome[]).includes(outcome) ? (outcome as NoticeNews) : null

/** The state of the message, and what the history says of it. Refused or not collected, it was still sent. */
export const stateAfter: Record<
  ReceiptOutcome,
  {
    message: 'sent' | 'delivered' | 'bounced'
    line: 'sent' | 'delivered' | 'bounced' | 'refused' | 'unclaimed'
  }
> = {
  delivered: { message: 'delivered', line: 'delivered' },
  bounced: { message: 'bounced', line: 'bounced' },
  no_answer: { message: 'sent', line: 'sent' },
  presented: { message: 'sent', line: 'sent' },
  signed: { message: 'delivered', line: 'delivered' },
  refused: { message: 'sent', line: 'refused' },
  unclaimed: { message: 'sent', line: 'unclaimed' },
}
