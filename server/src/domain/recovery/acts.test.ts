import { expect, it } from 'vitest'
import { cents } from '../money/money.ts'
import { mayAct } from './acts.ts'

const running = {
  invoiceStatus: 'in_recovery',
  recovery: { status: 'in_recovery', holds: [] },
  wasContacted: true,
  isDisputed: false,
  sums: { amount: cents(120_000), paid: cents(0), credited: cents(0), claimed: 0 },
  isWaived: false,
  hasPayment: false,
  hasRequest: false,
} as const

it('nobody is escalated before the first contact', () => {
  expect(mayAct('escalate', running)).toEqual({ allowed: true })
  expect(mayAct('escalate', { ...running, wasContacted: false })).toEqual({
    allowed: false,
    because: 'first_contact_pending',
  })
})
