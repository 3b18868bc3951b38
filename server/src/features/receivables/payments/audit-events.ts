import { z } from 'zod'
import { paymentStatuses } from '../../../domain/money/payment-state.ts'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

const about = { paymentId: outputUuid, invoiceId: outputUuid }
const status = z.enum(paymentStatuses)

export const paymentRecorded = defineAuditEvent({
  type: 'payment.recorded',
  schemaVersion: 1,
  summary: 'A payment was recorded',
  data: z.object({ ...about, status }),
})

export const paymentChanged = defineAuditEvent({
  type: 'payment.changed',
  schemaVersion: 1,
  summary: 'A payment arrived, failed, was taken back or was refunded',
  data: z.object({ ...about, before: status, status }),
})

export const paymentAuditEvents: readonly AuditEventType[] = [paymentRecorded, paymentChanged]
