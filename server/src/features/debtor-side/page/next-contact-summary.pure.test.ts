import { expect, it } from 'vitest'
import { nextContactSummary } from './next-contact-summary.ts'
import type { ShownInvoice } from './view-store.ts'

const invoice = (more: Partial<ShownInvoice>) =>
  ({ status: 'in_recovery', recovery: 'in_recovery', dueAt: null, promise: null, ...more }) as ShownInvoice

it('says that nothing is planned only if no message to the debtor is planned', () => {
  const waiting = invoice({})
  const paused = invoice({ recovery: 'paused' })
  expect(nextContactSummary({ invoices: [waiting] }, null)).toEqual({ kind: 'quiet' })
  expect(nextContactSummary({ invoices: [paused] }, null)).toEqual({ kind: 'paused' })
  for (const shown of [waiting, paused])
    expect(nextContactSummary({ invoices: [shown] }, 1_000)).toEqual({ kind: 'running', next: 1_000 })
  expect(nextContactSummary({ invoices: [invoice({ status: 'disputed' })] }, 1_000)).toEqual({
    kind: 'disputed',
  })
})
