import { z } from 'zod'
import { defineAuditEvent } from '../../../../kit/events.ts'
import { outputUuid } from '../../../../kit/fields.ts'

export const claimsListed = defineAuditEvent({
  type: 'claims.listed',
  schemaVersion: 1,
  summary: 'The company accepted a list of claims that its collector recovers',
  data: z.object({ listId: outputUuid, claims: z.int() }),
})
