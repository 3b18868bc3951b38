import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

const about = { invoiceId: outputUuid }

export const invoicesImported = defineAuditEvent({
  type: 'invoice.imported',
  schemaVersion: 1,
  summary: 'Invoices were imported, by one request; each of them has its own events',
  data: z.object({ imported: z.int(), failed: z.int(), startedWorkflows: z.boolean() }),
})

export const invoiceChanged = defineAuditEvent({
  type: 'invoice.changed',
  schemaVersion: 1,
  summary: 'Notes or metadata of an invoice changed, or what its time bar is counted by',
  data: z.object({
    ...about,
    changed: z.array(z.enum(['notes', 'metadata', 'suppliedOn', 'limitationMonths'])),
    suppliedOn: z.string().nullable().optional(),
    limitationMonths: z.int().nullable().optional(),
  }),
})

/** Nothing else is left of the invoice, so the event contains its data. */
export const invoiceDeleted = defineAuditEvent({
  type: 'invoice.deleted',
  schemaVersion: 1,
  summary: 'An invoice was deleted, whose recovery was never started',
  data: z.object({
    ...about,
    invoiceNumber: z.string(),
    debtorId: outputUuid,
    amountCents: z.int(),
    currency: z.string(),
  }),
})

export const invoiceCredited = defineAuditEvent({
  type: 'invoice.credited',
  schemaVersion: 1,
  summary: 'A credit note lowered what is owed',
  data: z.object({ ...about, creditId: outputUuid }),
})

export const latePaymentWaived = defineAuditEvent({
  type: 'invoice.late_payment_waived',
  schemaVersion: 1,
  summary: 'The 40 € and the interest for late payment were given up; the invoice says why',
  data: z.object({ ...about, amountCents: z.int() }),
})

export const invoiceDisputed = defineAuditEvent({
  type: 'invoice.disputed',
  schemaVersion: 1,
  summary: 'A dispute was recorded',
  data: z.object({ ...about, disputeId: outputUuid }),
})

export const invoiceDisputeResolved = defineAuditEvent({
  type: 'invoice.dispute_resolved',
  schemaVersion: 1,
  summary: 'A dispute was resolved',
  data: z.object({
    ...about,
    disputeId: outputUuid,
    outcome: z.enum(['upheld', 'rejected', 'partly']),
    creditedCents: z.int().nullable(),
  }),
})

export const invoicePromised = defineAuditEvent({
  type: 'invoice.promised',
  schemaVersion: 1,
  summary: 'A promise to pay was recorded',
  data: z.object({ ...about, promiseId: outputUuid }),
})

export const invoicePromiseSeen = defineAuditEvent({
  type: 'invoice.promise_seen',
  schemaVersion: 1,
  summary: 'Somebody looked at a broken promise, and the reminders go on',
  data: z.object({ ...about, promiseId: outputUuid, debtorId: outputUuid }),
})

export const invoiceCancelled = defineAuditEvent({
  type: 'invoice.cancelled',
  schemaVersion: 1,
  summary: 'The recovery of an invoice was cancelled for good',
  data: z.object({ ...about, previousStatus: z.string() }),
})

export const invoiceAuditEvents: readonly AuditEventType[] = [
  invoicesImported,
  invoiceChanged,
  invoiceDeleted,
  invoiceCredited,
  latePaymentWaived,
  invoiceDisputed,
  invoiceDisputeResolved,
  invoicePromised,
  invoicePromiseSeen,
  invoiceCancelled,
]
