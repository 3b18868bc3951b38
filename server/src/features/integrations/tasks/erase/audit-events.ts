import { z } from 'zod'
import { defineAuditEvent } from '../../../../kit/events.ts'
import { outputUuid } from '../../../../kit/fields.ts'

export const debtorErased = defineAuditEvent({
  type: 'debtor.erased',
  schemaVersion: 1,
  summary: 'Everything that names the person was erased',
  data: z.object({ debtorId: outputUuid }),
})
