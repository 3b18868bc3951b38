import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { eventName } from './schema.ts'

export const deliveryStatuses = ['delivered', 'failed'] as const

export const Delivery = z
  .object({
    id: outputUuid.meta({
      description: 'The id of the event: `id` in its body, `webhook-id` in its headers',
    }),
    eventType: eventName,
    status: z.enum(deliveryStatuses),
    attempts: z.int().meta({ description: 'How often it was sent in all' }),
    responseStatus: z.int().nullable().meta({ description: 'Null: there was no answer' }),
    lastAttemptAt: dateTime,
    nextRetryAt: dateTime.optional().meta({ description: 'Only while a retry is planned' }),
    createdAt: dateTime,
    error: z.string().nullable().meta({
      description:
        'A short reason why there was no answer, such as `timeout`; `redirect`: answered 3xx, not followed',
    }),
    durationMs: z.int().nullable(),
    test: z.boolean(),
  })
  .meta({ id: 'Delivery' })

export interface DeliveryRow {
  event_id: string
  event_type: string
  status: (typeof deliveryStatuses)[number]
  attempts: number
  response_status: number | null
  error: string | null
  duration_ms: number | null
  is_test: boolean
  last_attempt_at: number
  created_at: number
  /** When it is tried again; null if it is not in the queue. */
  due_at: number | null
}

export const deliveryColumns = `d.event_id, d.event_type, d.status, d.attempts, d.response_status, d.error, d.duration_ms, d.is_test,
  d.last_attempt_at, d.created_at`

export const toDelivery = (row: DeliveryRow): z.input<typeof Delivery> => ({
  id: row.event_id,
  eventType: row.event_type,
  status: row.status,
  attempts: row.attempts,
  responseStatus: row.response_status,
  lastAttemptAt: iso(row.last_attempt_at),
  ...(row.due_at !== null && { nextRetryAt: iso(row.due_at) }),
  createdAt: iso(row.created_at),
  error: row.error,
  durationMs: row.duration_ms,
  test: row.is_test,
})
