import { z } from 'zod'
import { channels } from '../../domain/channel.ts'
import { defineEvent } from '../../kit/events.ts'
import { dateTime, outputUuid } from '../../kit/fields.ts'
import { aboutInvoice } from '../invoices/events.ts'

export const actionTriggered = defineEvent({
  type: 'workflow.action_triggered',
  schemaVersion: 1,
  summary: 'Recovery action triggered: accepted by its provider, or failed for good',
  data: z.object({
    ...aboutInvoice,
    actionId: outputUuid,
    action: z.string(),
    channel: z.enum(channels),
    status: z.enum(['sent', 'failed', 'unknown']),
    executedAt: dateTime,
  }),
})

export const debtorContacted = defineEvent({
  type: 'debtor.contacted',
  schemaVersion: 1,
  summary: 'Debtor contacted, once per message that counts as a contact',
  data: z.object({
    ...aboutInvoice,
    communicationId: outputUuid,
    channel: z.enum(channels),
    contactedAt: dateTime,
    invoiceIds: z.array(outputUuid),
    ledgerHead: z.string().meta({ description: 'Hash of the debtor’s chain of contacts after this one' }),
  }),
})

export const lrarSent = defineEvent({
  type: 'lrar.sent',
  schemaVersion: 1,
  summary: 'LRAR sent: its deposit was accepted',
  data: z.object({
    ...aboutInvoice,
    communicationId: outputUuid,
    trackingNumber: z.string(),
    sentAt: dateTime,
  }),
})

export const lrarDelivered = defineEvent({
  type: 'lrar.delivered',
  schemaVersion: 1,
  summary: 'LRAR delivered, acknowledgement received',
  data: z.object({
    ...aboutInvoice,
    communicationId: outputUuid,
    trackingNumber: z.string(),
    deliveredAt: dateTime,
  }),
})
