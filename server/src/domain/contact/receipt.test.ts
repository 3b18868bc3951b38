import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Channel, channels } from './channel.ts'
import {
  noticeOutcomeOf,
  type ReceiptOutcome,
  receiptOutcomes,
  stateAfterReceipt,
  weighReceipt,
} from './receipt.ts'

/** What is known after these receipts, in the order they came. */
function outcomesAfter(channel: Channel, receipts: readonly ReceiptOutcome[]): ReceiptOutcome[] {
  const known: ReceiptOutcome[] = []
  for (const outcome of receipts) if (weighReceipt(channel, known, outcome) === 'new') known.push(outcome)
  return known
}

const someChannel = fc.constantFrom(...channels)
const someReceipts = fc.array(fc.constantFrom(...receiptOutcomes), { maxLength: 12 })
const receiptsTwoWays = someReceipts.chain(receipts =>
  fc.tuple(fc.constant(receipts), fc.shuffledSubarray(receipts, { minLength: receipts.length })),
)

it('the result does not depend on the order or the number of receipts', () => {
  fc.assert(
    fc.property(someChannel, receiptsTwoWays, (channel, [receipts, otherwise]) => {
      const end = outcomesAfter(channel, receipts).at(-1)
      expect(outcomesAfter(channel, otherwise).at(-1)).toBe(end)
      expect(outcomesAfter(channel, [...receipts, ...otherwise]).at(-1)).toBe(end)
    }),
  )
})

it('a receipt that is repeated, or weaker than what is known, changes nothing', () => {
  fc.assert(
    fc.property(someChannel, someReceipts, fc.constantFrom(...receiptOutcomes), (channel, receipts, more) => {
      const known = outcomesAfter(channel, receipts)
      const verdict = weighReceipt(channel, known, more)
      if (known.includes(more)) expect(verdict).toBe('known')
      if (verdict === 'weaker') expect(outcomesAfter(channel, [...receipts, more])).toEqual(known)
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
    expect(outcomesAfter(channel, [weak, strong]).at(-1)).toBe(strong)
    expect(outcomesAfter(channel, [strong, weak])).toEqual([strong])
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
  expect(noticeOutcomeOf('bounced')).toBeNull()
  expect(noticeOutcomeOf('unclaimed')).toBe('unclaimed')
  expect(stateAfterReceipt.refused).toEqual({ message: 'sent', historyStatus: 'refused' })
  expect(stateAfterReceipt.signed).toEqual({ message: 'delivered', historyStatus: 'delivered' })
  expect(stateAfterReceipt.no_answer).toEqual({ message: 'sent', historyStatus: 'sent' })
})
