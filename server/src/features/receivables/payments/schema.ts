import { z } from 'zod'
import {
  type PaymentInstrument,
  type PaymentMethod,
  type PaymentStatus,
  paymentInstruments,
  paymentMethods,
  paymentStatuses,
} from '../../../domain/money/payment-state.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'

export const Payment = z
  .object({
    id: outputUuid,
    invoiceId: outputUuid,
    amountCents: z.int(),
    currency: z.string(),
    status: z.enum(paymentStatuses),
    method: z.enum(paymentMethods),
    instrument: z.enum(paymentInstruments).nullable(),
    receiptId: outputUuid.nullable().meta({
      description: 'The same for all payments of one sum received for several invoices; null for the others',
    }),
    paidAt: dateTime.nullable(),
    externalReference: z.string().nullable(),
    failureReason: z.string().nullable(),
    createdAt: dateTime,
  })
  .meta({ id: 'Payment' })

/** A payment that was just recorded or changed. */
export const ChangedPayment = Payment.extend({ inFlight: inFlightMessages, ...ofDryRun }).meta({
  id: 'ChangedPayment',
})

/** What a payment of an invoice leaves. */
export const paidOff = {
  owedBeforeCents: z
    .int()
    .meta({ description: 'What was owed: the rest of the invoice, and what was claimed for late payment' }),
  owedAfterCents: z.int().meta({ description: 'The same afterwards; a pending payment changes nothing' }),
  excessCents: z.int().meta({ description: 'What of this payment is more than what was owed' }),
}

/** A payment that is new: in a dry run it has no id. */
export const RecordedPayment = ChangedPayment.extend({
  id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
  ...paidOff,
}).meta({ id: 'RecordedPayment' })

export const PaymentOfInvoice = Payment.omit({ invoiceId: true }).meta({ id: 'PaymentOfInvoice' })

export type PaymentRow = Omit<
  Tables['payments'],
  'tenant_id' | 'updated_at' | 'refund_reason' | 'debtor_id' | 'reversed_at' | 'by_provider'
>

export const paymentColumns = `p.id, p.invoice_id, p.amount_cents, p.currency, p.status, p.method, p.instrument, p.receipt_id, p.paid_at, p.day,
  p.external_reference, p.failure_reason, p.created_at`

export const toPaymentOfInvoice = (row: PaymentRow): z.input<typeof PaymentOfInvoice> => ({
  id: row.id,
  amountCents: row.amount_cents,
  currency: row.currency,
  status: row.status as PaymentStatus,
  method: row.method as PaymentMethod,
  instrument: row.instrument as PaymentInstrument | null,
  receiptId: row.receipt_id,
  paidAt: row.paid_at === null ? null : iso(row.paid_at),
  externalReference: row.external_reference,
  failureReason: row.failure_reason,
  createdAt: iso(row.created_at),
})

export const toPayment = (row: PaymentRow): z.input<typeof Payment> => ({
  ...toPaymentOfInvoice(row),
  invoiceId: row.invoice_id,
})
