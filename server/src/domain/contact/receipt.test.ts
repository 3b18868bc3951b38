import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Channel, channels } from './channel.ts'
import { newsOf, type ReceiptOutcome, receiptOutcomes, stateAfter, weighReceipt } from './receipt.ts'

/** What is known after these receipts, in the order they came. */
function after(channel: Channel, receipts: readonly ReceiptOutcome[]): ReceiptOutcome[] {
  const known: ReceiptOutcome[] = []
  for (const outcome of receipts) if (weighReceipt(channel, known, outcome) === 'news') known.push(outcome)
  return known
}

const someChannel = fc.constantFrom(...channels)
const someReceipts = fc.array(fc.constantFrom(...receiptOutcomes), { maxLength: 12 })
const receiptsTwoWays = someReceipts.chain(receipts =>
  fc.tuple(fc.constant(receipts), fc.shuffledSubarray(receipts, { minLength: receipts.length })),
)

it('the end is the same in whatever order the news arrives, and however often', () => {
  fc.assert(
    fc.property(someChannel, receiptsTwoWays, (channel, [receipts, otherwise]) => {
      const end = after(channel, receipts).at(-1)
      expect(after(channel, otherwise).at(-1)).toBe(end)
      expect(after(channel, [...receipts, ...otherwise]).at(-1)).toBe(end)
    }),
  )
})

it('nothing heard twice is news, and nothing weaker than what is known', () => {
  fc.assert(
    fc.property(someChannel, someReceipts, fc.constantFrom(...receiptOutcomes), (channel, receipts, more) => {
      const known = after(channel, receipts)
      const verdict = weighReceipt(channel, known, more)
      if (known.includes(more)) expect(verdict).toBe('known')
      if (verdict === 'weaker') expect(after(channel, [...receipts, more])).toEqual(known)
    }),
  )
})

describe('which of two holds', () => {
  it.each<[Channel, ReceiptOutcome, ReceiptOutcome]>([
    ['email', 'delivered', 'bounced'],
    ['sms', 'delivered', 'bounced'],
    ['voice', 'no_answer', 'delivered'],
    ['voice', 'delivered', 'bounced'],
    ['lrar', 'presented', 'signed'],
    ['lrar', 'presented', 'unclaimed'],
    ['lrar', 'unclaimed', 'signed'],
    ['lrar', 'refused', 'signed'],
    ['lrar', 'signed', 'bounced'],
  ])('%s: after %s and %s, in either order, the second', (channel, weak, strong) => {
    expect(after(channel, [weak, strong]).at(-1)).toBe(strong)
    expect(after(channel, [strong, weak])).toEqual([strong])
  })
})

it.each<[Channel, ReceiptOutcome]>([
  ['email', 'signed'],
  ['email', 'no_answer'],
  ['sms', 'presented'],
  ['voice', 'refused'],
  ['lrar', 'delivered'],
  ['lrar', 'no_answer'],
])('%s knows nothing of %s', (channel, outcome) => {
  expect(weighReceipt(channel, [], outcome)).toBe('not_for_channel')
})

it('a letter that came back says nothing about the notice; refused or not collected it still counts as sent', () => {
  expect(newsOf('bounced')).toBeNull()
  expect(newsOf('unclaimed')).toBe('unclaimed')
  expect(stateAfter.refused).toEqual({ message: 'sent', line: 'refused' })
  expect(stateAfter.signed).toEqual({ message: 'delivered', line: 'delivered' })
  expect(stateAfter.no_answer).toEqual({ message: 'sent', line: 'sent' })
})
