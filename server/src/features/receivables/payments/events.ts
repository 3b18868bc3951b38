import { z } from 'zod'
import { paymentInstruments, paymentMethods } from '../../../domain/money/payment-state.ts'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { paidInTheEnd } from '../../recovery/case/example-invoices.ts'
import { invoiceEventFields } from '../../recovery/case/invoice-events.ts'

const firstPart = '01a1d058-2500-78c6-8d53-49b7f12ae06c'
const secondPart = '01a1f881-8440-79d7-b70e-c6218f5d3a94'

const aboutPayment = {
  ...invoiceEventFields,
  paymentId: outputUuid,
  amountCents: z.int(),
  currency: z.string(),
  method: z.enum(paymentMethods),
}

export const paymentReceived = defineEvent({
  type: 'payment.received',
  schemaVersion: 1,
  summary: 'Payment received, total or partial',
  data: z.object({
    ...aboutPayment,
    instrument: z.enum(paymentInstruments).nullable().optional(),
    receiptId: outputUuid
      .nullable()
      .optional()
      .meta({ description: 'The same for all payments of one sum received for several invoices' }),
    paidAt: dateTime,
    paidCents: z.int(),
    balanceCents: z.int(),
    latePaymentPaidCents: z.int().optional(),
    overpaidCents: z.int().optional(),
  }),
  example: {
    ...paidInTheEnd,
    paymentId: firstPart,
    amountCents: 186_000,
    currency: 'EUR',
    method: 'bank_transfer',
    instrument: null,
    receiptId: null,
    paidAt: '2026-11-12T15:20:00.000Z',
    paidCents: 186_000,
    balanceCents: 300_000,
    latePaymentPaidCents: 0,
    overpaidCents: 0,
  },
})

export const paymentFailed = defineEvent({
  type: 'payment.failed',
  schemaVersion: 1,
  summary: 'Payment failed, or was taken back after it had arrived',
  data: z.object({ ...aboutPayment, reason: z.string().nullable() }),
  example: {
    ...paidInTheEnd,
    paymentId: '01a1bfc0-1900-77b5-a16f-d0e842c9735b',
    amountCents: 486_000,
    currency: 'EUR',
    method: 'sepa_debit',
    reason: 'Insufficient funds',
  },
})

export const debtPaid = defineEvent({
  type: 'debt.paid',
  schemaVersion: 1,
  summary: 'Invoice paid in full',
  data: z.object({
    ...invoiceEventFields,
    paidAt: dateTime,
    paidCents: z.int(),
    latePaymentOwedCents: z.int().optional(),
    paymentIds: z.array(outputUuid),
  }),
  example: {
    ...paidInTheEnd,
    paidAt: '2026-11-20T10:30:00.000Z',
    paidCents: 486_000,
    latePaymentOwedCents: 0,
    paymentIds: [firstPart, secondPart],
  },
})
