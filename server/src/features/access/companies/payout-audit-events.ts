import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { dateTime } from '../../../kit/fields.ts'
import { payoutFields } from './payout-fields.ts'

const masked = z.string().nullable()
const about = { field: z.enum(payoutFields), from: masked, to: masked }

export const payoutRequested = defineAuditEvent({
  type: 'company.payout_requested',
  schemaVersion: 1,
  summary:
    'A change of where money goes was requested; it counts from `effectiveAt` on, unless it is withdrawn',
  data: z.object({ ...about, effectiveAt: dateTime }),
})
export const payoutConfirmed = defineAuditEvent({
  type: 'company.payout_confirmed',
  schemaVersion: 1,
  summary: 'A second owner confirmed a change of where money goes',
  data: z.object(about),
})
export const payoutWithdrawn = defineAuditEvent({
  type: 'company.payout_withdrawn',
  schemaVersion: 1,
  summary:
    'A change of where money goes was withdrawn, another one took its place, or whoever requested it is no longer an owner or has a new password',
  data: z.object({ ...about, because: z.enum(['withdrawn', 'replaced', 'requester_ended']) }),
})
export const payoutApplied = defineAuditEvent({
  type: 'company.payout_applied',
  schemaVersion: 1,
  summary: 'Where money goes has changed',
  data: z.object({ ...about, because: z.enum(['first_value', 'waited', 'confirmed', 'operator']) }),
})

export const payoutAuditEvents: readonly AuditEventType[] = [
  payoutRequested,
  payoutConfirmed,
  payoutWithdrawn,
  payoutApplied,
]
