import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { Delivery, type DeliveryRow, deliveryColumns, toDelivery } from './delivery-schema.ts'
import {
  deliveryNotFound,
  eventScopesMissing,
  testIsNotRetried,
  webhookIsDisabled,
  webhookNotFound,
} from './errors.ts'
import { lockWebhook } from './store.ts'

const selectDelivery = sql(
  'webhooks.find-delivery',
  `select ${deliveryColumns} from webhook_deliveries d where d.webhook_id = $1 and d.event_id = $2`,
).as<Omit<DeliveryRow, 'due_at'>>()
const wakeEndpoint = sql(
  'webhooks.wake-endpoint',
  `update webhook_endpoints set wake_at = least(coalesce(wake_at, $2), $2)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
// A queued delivery keeps its number of attempts and becomes due now.
const queueDelivery = sql(
  'webhooks.queue-again',
  `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $3)
   on conflict (tenant_id, webhook_id, event_id) do update set due_at = least(webhook_queue.due_at, excluded.due_at)`,
)

export const retryDelivery = operation({
  id: 'webhooks.retryDelivery',
  method: 'POST',
  path: '/api/v1/webhooks/:id/deliveries/:deliveryId/retry',
  summary: 'Send an event again, whether it was delivered or failed',
  description:
    'Queued at once, with the same id and body and a new signature. One that is over gets a new series of five attempts; one that waits for its next attempt gets it now.',
  scopes: ['webhooks:manage'],
  params: z.strictObject({ id: uuid, deliveryId: uuid }),
  status: 202,
  reply: Delivery,
  errors: [webhookNotFound, eventScopesMissing, deliveryNotFound, webhookIsDisabled, testIsNotRetried],
  assistant: 'confirm',
  audit: 'none: it repeats a delivery to the same URL, and the list of deliveries says so',
  async run({ tx, actor, wall, params: { id, deliveryId } }) {
    const [webhook, [delivery]] = await Promise.all([
      lockWebhook(tx, actor, id),
      tx.rows(selectDelivery, [id, deliveryId]),
    ])
    if (!delivery) throw deliveryNotFound.make()
    if (delivery.is_test) throw testIsNotRetried.make()
    if (!webhook.enabled) throw webhookIsDisabled.make()
    tx.atCommit(wakeEndpoint, [id, iso(wall)])
    tx.atCommit(queueDelivery, [id, deliveryId, iso(wall)])
    return toDelivery({ ...delivery, due_at: wall })
  },
})
