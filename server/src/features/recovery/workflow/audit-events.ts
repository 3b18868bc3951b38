import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

const about = { invoiceId: outputUuid }

export const workflowTriggered = defineAuditEvent({
  type: 'workflow.triggered',
  schemaVersion: 1,
  summary: 'A recovery was started, paused, resumed, cancelled or escalated',
  data: z.object({
    ...about,
    action: z.string(),
    previousStatus: z.string(),
    noticeReceived: z.boolean().optional(),
  }),
})

export const filingRecorded = defineAuditEvent({
  type: 'workflow.filing_recorded',
  schemaVersion: 1,
  summary: 'When a claim was filed with a court, or served, was recorded',
  data: z.object({ ...about, filedOn: z.string().nullable(), servedOn: z.string().nullable() }),
})

export const messageRequested = defineAuditEvent({
  type: 'message.requested',
  schemaVersion: 1,
  summary: 'A message beside the cascade was asked for',
  data: z.object({ ...about, messageId: outputUuid, channel: z.enum(channels) }),
})

export const messageTakenBack = defineAuditEvent({
  type: 'message.taken_back',
  schemaVersion: 1,
  summary: 'A message beside the cascade was taken back before it was sent',
  data: z.object({ ...about, messageId: outputUuid, channel: z.enum(channels) }),
})

export const invoiceWrittenOff = defineAuditEvent({
  type: 'invoice.written_off',
  schemaVersion: 1,
  summary: 'An invoice was written off as irrecoverable, and its attestation made',
  data: z.object({ ...about, anrId: outputUuid, basis: z.string() }),
})

export const workflowAuditEvents: readonly AuditEventType[] = [
  workflowTriggered,
  filingRecorded,
  messageRequested,
  messageTakenBack,
  invoiceWrittenOff,
]
