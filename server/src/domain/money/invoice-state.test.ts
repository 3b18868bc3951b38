import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type InvoiceFacts, invoiceStatus } from './invoice-state.ts'
import { cents } from './money.ts'

const facts = (changes: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  amount: cents(1000),
  paid: cents(0),
  credited: cents(0),
  isCancelled: false,
  isWrittenOff: false,
  isJudicial: false,
  isDisputed: false,
  lastActionIsLetter: false,
  wasContacted: false,
  ...changes,
})

it('nothing happened yet: imported', () => expect(invoiceStatus(facts())).toBe('imported'))
it('a first accepted message: in recovery', () =>
  expect(invoiceStatus(facts({ wasContacted: true }))).toBe('in_recovery'))
it('a judicial case paid in full is paid', () =>
  expect(invoiceStatus(facts({ isJudicial: true, paid: cents(1000) }))).toBe('paid'))
it('a credit for the whole amount leaves nothing to pay', () =>
  expect(invoiceStatus(facts({ credited: cents(1000) }))).toBe('paid'))
it('partial stays while reminders go out', () =>
  expect(invoiceStatus(facts({ paid: cents(1), wasContacted: true, lastActionIsLetter: true }))).toBe(
    'partial',
  ))

it('cancelled and written off are final: no other fact changes them', () => {
  const flags = fc.record({
    paid: fc.nat(2000).map(cents),
    credited: fc.nat(1000).map(cents),
    isJudicial: fc.boolean(),
    isDisputed: fc.boolean(),
    lastActionIsLetter: fc.boolean(),
    wasContacted: fc.boolean(),
  })
  fc.assert(
    fc.property(flags, others => invoiceStatus(facts({ ...others, isCancelled: true })) === 'cancelled'),
  )
  fc.assert(
    fc.property(flags, others => invoiceStatus(facts({ ...others, isWrittenOff: true })) === 'written_off'),
  )
})
