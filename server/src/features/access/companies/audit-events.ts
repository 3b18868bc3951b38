import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { waitingFields } from './payout-fields.ts'

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

export const companyClosedByOperator = defineAuditEvent({
  type: 'company.closed',
  schemaVersion: 1,
  summary: 'The operator closed the company: nothing more is sent for it',
  data: z.object({ reason: z.string() }),
})

export const companyOpenedByOperator = defineAuditEvent({
  type: 'company.opened',
  schemaVersion: 1,
  summary: 'The operator opened the company, for the first time or again',
  data: z.object({}),
})

export const mandateRecorded = defineAuditEvent({
  type: 'company.mandate_recorded',
  schemaVersion: 1,
  summary: 'The operator recorded the mandate to collect for the company',
  data: z.object({ signedOn: z.string(), reference: z.string() }),
})

export const mandateEnded = defineAuditEvent({
  type: 'company.mandate_ended',
  schemaVersion: 1,
  summary: 'The mandate to collect for the company ended: it writes in its own voice',
  data: z.object({}),
})

export const sendingStopped = defineAuditEvent({
  type: 'company.sending_stopped',
  schemaVersion: 1,
  summary: 'The company stopped its own sending',
  data: z.object({ reason: z.string() }),
})

export const sendingResumed = defineAuditEvent({
  type: 'company.sending_resumed',
  schemaVersion: 1,
  summary: 'The company ended the stop of its own sending',
  data: z.object({ stoppedSince: dateTime.nullable(), reason: z.string().nullable() }),
})

export const companyAuditEvents: readonly AuditEventType[] = [
  companyCreated,
  companyChanged,
  sendingStopped,
  sendingResumed,
  companyClosedByOperator,
  companyOpenedByOperator,
  mandateRecorded,
  mandateEnded,
]

const masked = z.string().nullable()
const about = { field: z.enum(waitingFields), from: masked, to: masked }

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
