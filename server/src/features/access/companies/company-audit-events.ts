import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

export const companyCreated = defineAuditEvent({
  type: 'company.created',
  schemaVersion: 1,
  summary: 'The operator made the company, with a first key for each environment',
  data: z.object({ companyId: outputUuid, keyIds: z.array(outputUuid) }),
})

export const companyChanged = defineAuditEvent({
  type: 'company.changed',
  schemaVersion: 1,
  summary: 'Settings of the company changed',
  data: z.object({ changed: z.array(z.string()) }),
})

export const companyAuditEvents: readonly AuditEventType[] = [companyCreated, companyChanged]
