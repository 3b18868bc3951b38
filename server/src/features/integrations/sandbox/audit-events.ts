import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { dateTime } from '../../../kit/fields.ts'

export const sandboxAdvanced = defineAuditEvent({
  type: 'sandbox.advanced',
  schemaVersion: 1,
  summary: 'The clock of the sandbox was moved forward',
  data: z.object({ from: dateTime, to: dateTime }),
})

export const sandboxReset = defineAuditEvent({
  type: 'sandbox.reset',
  schemaVersion: 1,
  summary: 'The sandbox was emptied',
  data: z.object({}),
})

export const sandboxAuditEvents: readonly AuditEventType[] = [sandboxAdvanced, sandboxReset]
