import { z } from 'zod'
import { adHoc } from '../../../kit/db/statement.ts'
import { integerText } from '../../../kit/fields.ts'
import { countUpTo } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import {
  Delivery,
  type DeliveryRow,
  deliveryColumns,
  deliveryStatuses,
  toDelivery,
} from './delivery-schema.ts'
import { eventScopesMissing, webhookNotFound } from './errors.ts'
import { webhookInPath } from './schema.ts'
import { findWebhook } from './store.ts'

export const listDeliveries = operation({
  id: 'webhooks.deliveries',
  method: 'GET',
  path: '/api/v1/webhooks/:id/deliveries',
  summary: 'List the deliveries of a webhook, the newest event first',
  description: 'A delivery is listed from its first attempt on, and changes in place with each further one.',
  scopes: ['webhooks:manage'],
  params: webhookInPath,
  query: z.strictObject({
    limit: integerText(1, 100, 20),
    offset: integerText(0, 1_000_000, 0),
    status: z.enum(deliveryStatuses).optional(),
  }),
  status: 200,
  reply: Delivery,
  list: true,
  paging: 'offset',
  errors: [webhookNotFound, eventScopesMissing],
  assistant: 'read',
  async run({ tx, actor, params: { id }, query: { limit, offset, status } }) {
    // Ordered by its index, even for the count, so that rows of other webhooks are not read. The status is one of two known
    // values and is written into the text, so that the planner can use the partial index of failed deliveries.
    const source = `webhook_deliveries d where d.webhook_id = $1${status ? ` and d.status = '${status}'` : ''}
      order by d.event_id desc`
    const [, rows, { total, isExact }] = await Promise.all([
      findWebhook(tx, actor, id),
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
    return {
      items: rows.map(toDelivery),
      pagination: { limit, offset, total, ...(!isExact && { totalIsExact: false as const }) },
    }
  },
})
