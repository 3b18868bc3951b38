import { expect, it } from 'vitest'
import { nextContactSummary } from './next-contact-summary.ts'
import type { ShownInvoice } from './view-store.ts'

const invoice = (more: Partial<ShownInvoice>) =>
  ({
    status: 'in_recovery',
    recovery: 'in_recovery',
    holds: [],
    dueAt: null,
    promise: null,
    dispute: null,
    decision: null,
    ...more,
  }) as ShownInvoice

it('says that nothing is planned only if no message to the debtor is planned', () => {
  const waiting = invoice({})
  const paused = invoice({ recovery: 'paused' })
  expect(nextContactSummary({ invoices: [waiting] }, null)).toEqual({ kind: 'quiet' })
  expect(nextContactSummary({ invoices: [paused] }, null)).toEqual({ kind: 'paused' })
  for (const shown of [waiting, paused])
    expect(nextContactSummary({ invoices: [shown] }, 1_000)).toEqual({ kind: 'running', next: 1_000 })
  const dispute = { reason: 'Broken', amountCents: 24_000 }
  for (const status of ['disputed', 'judicial'] as const)
    expect(nextContactSummary({ invoices: [invoice({ status, dispute })] }, 1_000)).toEqual({
      kind: 'disputed',
    })
})

it('says that an accepted dispute asks for nothing, until the reminders are resumed', () => {
  const decision = { outcome: 'upheld', answer: null, creditedCents: null, at: 0 } as const
  const upheld = invoice({ recovery: 'paused', holds: ['upheld'], decision })
  expect(nextContactSummary({ invoices: [upheld] }, null)).toEqual({ kind: 'upheld' })
  const ended = invoice({ status: 'judicial', recovery: 'judicial', decision })
  expect(nextContactSummary({ invoices: [ended] }, null)).toEqual({ kind: 'upheld' })
  // Another invoice is still asked for: the page must not say that nothing is.
  expect(nextContactSummary({ invoices: [upheld, invoice({})] }, null)).toEqual({ kind: 'quiet' })
  const resumed = invoice({ decision, dueAt: 1_000 })
  expect(nextContactSummary({ invoices: [resumed] }, 1_000)).toEqual({ kind: 'running', next: 1_000 })
})
