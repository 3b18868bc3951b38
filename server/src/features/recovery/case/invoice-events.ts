import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { paidInTheEnd } from './example-invoices.ts'

/** The fields that every event about an invoice has. */
export const invoiceEventFields = { invoiceId: outputUuid, invoiceNumber: z.string(), debtorId: outputUuid }

export const invoiceCreated = defineEvent({
  type: 'invoice.created',
  schemaVersion: 1,
  summary: 'Invoice created or imported',
  data: z.object({
    ...invoiceEventFields,
    amountCents: z.int(),
    currency: z.string(),
    dueDate: z.string(),
    status: z.enum(invoiceStatuses),
    workflowStarted: z.boolean(),
  }),
  example: {
    ...paidInTheEnd,
    amountCents: 486_000,
    currency: 'EUR',
    dueDate: '2026-10-15',
    status: 'imported',
    workflowStarted: true,
  },
})

export const invoiceStatusChanged = defineEvent({
  type: 'invoice.status_changed',
  schemaVersion: 1,
  summary: 'Invoice status changed',
  data: z.object({
    ...invoiceEventFields,
    previousStatus: z.enum(invoiceStatuses),
    newStatus: z.enum(invoiceStatuses),
    cause: z.string(),
  }),
  example: {
    ...paidInTheEnd,
    previousStatus: 'imported',
    newStatus: 'in_recovery',
    cause: 'email_prise_en_charge',
  },
})

export const workflowStarted = defineEvent({
  type: 'workflow.started',
  schemaVersion: 1,
  summary: 'Recovery workflow started',
  data: z.object({
    ...invoiceEventFields,
    cascade: z.string(),
    cascadeVersion: z.int(),
    startedAt: dateTime,
    nextAction: z.string().nullable(),
    nextActionAt: dateTime.nullable().meta({
      description:
        'Null also where other invoices of the debtor are open: ask for the next action a moment later',
    }),
  }),
  example: {
    ...paidInTheEnd,
    cascade: 'fr_b2b_standard',
    cascadeVersion: 1,
    startedAt: '2026-11-02T08:12:00.000Z',
    nextAction: 'email_prise_en_charge',
    nextActionAt: '2026-11-02T08:12:00.000Z',
  },
})

export const invoiceUpdated = defineEvent({
  type: 'invoice.updated',
  // Version 2: metadata may be any JSON value.
  schemaVersion: 2,
  summary:
    'Invoice metadata, notes or what its time bar is counted by updated; never carries the text of the notes',
  data: z.object({
    ...invoiceEventFields,
    changed: z.array(z.enum(['notes', 'metadata', 'suppliedOn', 'limitationMonths'])),
    metadata: z.record(z.string(), z.unknown()),
  }),
  example: {
    ...paidInTheEnd,
    changed: ['notes', 'metadata'],
    metadata: { customerFile: 'C-1187', salesperson: 'Lyon 2' },
  },
})
