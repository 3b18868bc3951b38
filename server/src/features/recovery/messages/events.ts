import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { defineEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { paidInTheEnd, takenToCourt } from '../case/example-invoices.ts'
import { invoiceEventFields } from '../case/invoice-events.ts'

const letter = {
  communicationId: '01a1a0a3-0280-7644-9c2e-58d07ba1f346',
  trackingNumber: '2C17208364519',
}

export const actionTriggered = defineEvent({
  type: 'workflow.action_triggered',
  schemaVersion: 1,
  summary: 'Recovery action triggered: accepted by its provider, or failed for good',
  data: z.object({
    ...invoiceEventFields,
    actionId: outputUuid,
    action: z.string(),
    channel: z.enum(channels).meta({ description: 'How the message went, which may differ from the plan' }),
    status: z.enum(['sent', 'failed', 'unknown']),
    executedAt: dateTime,
    communicationId: outputUuid,
    withInvoiceId: outputUuid.nullable().meta({
      description: 'The invoice whose message executed the action; null if the message was its own',
    }),
  }),
  example: {
    ...paidInTheEnd,
    actionId: '01a19b50-bc50-7511-87d4-3f0a6bc8e915',
    action: 'email_prise_en_charge',
    channel: 'email',
    status: 'sent',
    executedAt: '2026-11-02T08:12:02.000Z',
    communicationId: '01a19b50-b868-7510-b3a8-e97c04d1562f',
    withInvoiceId: null,
  },
})

export const debtorContacted = defineEvent({
  type: 'debtor.contacted',
  schemaVersion: 1,
  summary: 'Debtor contacted, once per message that counts as a contact',
  data: z.object({
    ...invoiceEventFields,
    communicationId: outputUuid,
    channel: z.enum(channels),
    contactedAt: dateTime,
    invoiceIds: z.array(outputUuid),
    ledgerHead: z.string().meta({ description: 'Hash of the debtor’s chain of contacts after this one' }),
  }),
  example: {
    ...paidInTheEnd,
    communicationId: '01a19b50-b868-7510-b3a8-e97c04d1562f',
    channel: 'email',
    contactedAt: '2026-11-02T08:12:02.000Z',
    invoiceIds: [paidInTheEnd.invoiceId],
    ledgerHead: '6d1f0c3b5a924e78d0b7c1f2a4938e561b7d3c0f9e82a6450d1c7b3f8e2a9460',
  },
})

export const lrarSent = defineEvent({
  type: 'lrar.sent',
  schemaVersion: 1,
  summary: 'LRAR sent: its deposit was accepted',
  data: z.object({
    ...invoiceEventFields,
    communicationId: outputUuid,
    trackingNumber: z.string(),
    sentAt: dateTime,
  }),
  example: { ...takenToCourt, ...letter, sentAt: '2026-11-03T09:00:04.000Z' },
})

export const lrarDelivered = defineEvent({
  type: 'lrar.delivered',
  schemaVersion: 1,
  summary: 'LRAR delivered, acknowledgement received',
  data: z.object({
    ...invoiceEventFields,
    communicationId: outputUuid,
    trackingNumber: z.string(),
    deliveredAt: dateTime,
  }),
  example: { ...takenToCourt, ...letter, deliveredAt: '2026-11-05T10:42:00.000Z' },
})
