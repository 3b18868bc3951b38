import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'

const words = z.object({ subject: z.string().nullable(), opening: z.string().nullable() })

/** Contains the texts themselves: they go to every debtor, and the old ones are stored nowhere else. */
export const templateChanged = defineAuditEvent({
  type: 'template.changed',
  schemaVersion: 1,
  summary: 'Words of a message were replaced by a company’s own, or own words by others; null is ours',
  data: z.object({ templateId: z.string(), before: words, after: words }),
})

export const templateAuditEvents: readonly AuditEventType[] = [templateChanged]
