import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../../kit/events.ts'

const data = z.object({ name: z.string(), version: z.int(), enabled: z.boolean() })

export const cascadeCreated = defineAuditEvent({
  type: 'cascade.created',
  schemaVersion: 1,
  summary: 'A cascade was drawn up; its steps are kept with its version',
  data,
})

export const cascadeChanged = defineAuditEvent({
  type: 'cascade.changed',
  schemaVersion: 1,
  summary: 'A cascade got a new version, or was switched on or off',
  data,
})

export const cascadeAuditEvents: readonly AuditEventType[] = [cascadeCreated, cascadeChanged]
