import { z } from 'zod'
import { paymentMethods } from '../../domain/payment-state.ts'
import { defineEvent } from '../../kit/events.ts'
import { dateTime, outputUuid } from '../../kit/fields.ts'
import { aboutInvoice } from '../invoices/events.ts'

const aboutPayment = {
  ...aboutInvoice,
  paymentId: outputUuid,
  amountCents: z.int(),
  currency: z.string(),
  method: z.enum(paymentMethods),
}

export const paymentReceived = defineEvent({
  type: 'payment.received',
  schemaVersion: 1,
  summary: 'Payment received, total or partial',
  data: z.object({ ...aboutPayment, paidAt: dateTime, paidCents: z.int(), balanceCents: z.int() }),
})

export const paymentFailed = defineEvent({
  type: 'payment.failed',
  schemaVersion: 1,
  summary: 'Payment failed, or was taken back after it had arrived',
  data: z.object({ ...aboutPayment, reason: z.string().nullable() }),
})

export const debtPaid = defineEvent({
  type: 'debt.paid',
  schemaVersion: 1,
  summary: 'Invoice paid in full',
  data: z.object({ ...aboutInvoice, paidAt: dateTime, paidCents: z.int(), paymentIds: z.array(outputUuid) }),
})
