import { z } from 'zod'
import { defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

export const communicationSeen = defineAuditEvent({
  type: 'communication.seen',
  schemaVersion: 1,
  summary: 'Somebody looked at a message of unknown outcome',
  data: z.object({ communicationId: outputUuid, debtorId: outputUuid }),
})
