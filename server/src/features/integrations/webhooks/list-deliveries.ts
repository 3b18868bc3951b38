import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { adHoc } from '../../../kit/db/statement.ts'
import { dateTime, integerText, outputUuid } from '../../../kit/fields.ts'
import { countUpTo } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { webhookNotFound } from './errors.ts'
import { eventName, findWebhook, webhookInPath } from './webhook.ts'

const statuses = ['delivered', 'failed'] as const

export const Delivery = z
  .object({
    id: outputUuid.meta({
      description: 'The id of the event: `id` in its body, `webhook-id` in its headers',
    }),
    eventType: eventName,
    status: z.enum(statuses),
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
  status: (typeof statuses)[number]
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

export const listDeliveries = operation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/api/v1/webhooks/:id/deliveries',
  summary: 'List the deliveries of a webhook, the newest event first',
  description: 'A delivery is listed from its first attempt on, and changes in place with each further one.',
  scopes: ['webhooks:manage'],
  people: ['owner', 'developer'],
  params: webhookInPath,
  query: z.strictObject({
    limit: integerText(1, 100, 20),
    offset: integerText(0, 1_000_000, 0),
    status: z.enum(statuses).optional(),
  }),
  status: 200,
  reply: Delivery,
  list: true,
  paging: 'offset',
  errors: [webhookNotFound],
  assistant: 'read',
  async run({ tx, params: { id }, query: { limit, offset, status } }) {
    // Ordered by its index, even for the count, so that rows of other webhooks are not read. The status is one of two known
    // values and is written into the text, so that the planner can use the partial index of failed deliveries.
    const source = `webhook_deliveries d where d.webhook_id = $1${status ? ` and d.status = '${status}'` : ''}
      order by d.event_id desc`
    const [webhook, rows, { total, isExact }] = await Promise.all([
      findWebhook(tx, id),
      tx.rows(
        adHoc<DeliveryRow>(
          `select shown.*, q.due_at
             from (select ${deliveryColumns} from ${source} limit $2 offset $3) shown
             left join webhook_queue q
               on q.tenant_id = current_setting('relance.tenant')::uuid and q.webhook_id = $1 and q.event_id = shown.event_id
            order by shown.event_id desc`,
        ),
        [id, limit, offset],
      ),
      countUpTo(tx, source, [id]),
    ])
    if (!webhook) throw webhookNotFound.make()
    return {
      items: rows.map(toDelivery),
      pagination: { limit, offset, total, ...(!isExact && { totalIsExact: false as const }) },
    }
  },
})
