import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { optional } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { Delivery, toDelivery } from './delivery-schema.ts'
import { eventScopesMissing, testNotDelivered, webhookNotFound } from './errors.ts'
import { events } from './event-catalogue.ts'
import { bodyOf, postDelivery } from './post-delivery.ts'
import { eventName, webhookInPath } from './schema.ts'
import { secretPurpose } from './signature.ts'
import { findWebhook } from './store.ts'

const TestInput = z
  .strictObject({
    event: optional(eventName).meta({
      description: 'Default `invoice.created` if the webhook has it, else the first of its events',
    }),
  })
  .meta({ id: 'WebhookTestInput' })

const defaultEvent = 'invoice.created'

const redirectWarning = {
  code: 'webhook_redirects',
  message:
    'The endpoint answered with a redirect. It counts as delivered, because it is below 400, and is not followed: put the final URL into the webhook.',
}

// Recorded as interrupted first; the result replaces it, unless the process dies.
const insertTestDelivery = sql(
  'webhooks.insert-test-delivery',
  `insert into webhook_deliveries (tenant_id, webhook_id, event_id, event_type, status, attempts, error, is_test, last_attempt_at,
     created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, 'failed', 1, 'interrupted', true, $4, $4)`,
)
const findEndpoint = sql(
  'webhooks.find-test-endpoint',
  'select url, secret_sealed from webhooks where id = $1',
)
const saveTestResult = sql(
  'webhooks.finish-test-delivery',
  `update webhook_deliveries set status = $3, response_status = $4, error = $5, duration_ms = $6
    where webhook_id = $1 and event_id = $2`,
)

export const testWebhook = operation({
  id: 'webhooks.test',
  method: 'POST',
  path: '/api/v1/webhooks/:id/test',
  summary: 'Send one signed example to the endpoint now, and return what it answered',
  description:
    'Also while the webhook is disabled, and for any event. Never retried, and not counted among its failures; listed with `test: true`. `data` of the body is the example of the event.',
  scopes: ['webhooks:manage'],
  params: webhookInPath,
  body: TestInput,
  status: 200,
  reply: Delivery,
  errors: [webhookNotFound, eventScopesMissing, testNotDelivered],
  assistant: 'never',
  audit: 'none: it sends an example, and the list of deliveries says so',
  example: { body: { event: 'payment.received' } },
  async run({ tx, actor, wall, newId, params: { id }, body }) {
    const webhook = await findWebhook(tx, actor, id)
    const event = body.event ?? (webhook.events.includes(defaultEvent) ? defaultEvent : webhook.events[0]!)
    const eventId = newId()
    tx.atCommit(insertTestDelivery, [id, eventId, event, iso(wall)])
    return toDelivery({
      event_id: eventId,
      event_type: event,
      status: 'failed',
      attempts: 1,
      response_status: null,
      error: 'interrupted',
      duration_ms: null,
      is_test: true,
      last_attempt_at: wall,
      created_at: wall,
      due_at: null,
    })
  },
  followUp: {
    async run(
      { tx, actor, keyring, external, wall, inTransaction },
      initialReply,
      { params: { id: webhookId } },
    ) {
      const [endpoint] = await tx.rows(findEndpoint, [webhookId])
      if (!endpoint) throw webhookNotFound.make()
      const { id, eventType: type, createdAt } = initialReply
      const { example: data } = events.find(event => event.type === type)!
      const body = bodyOf({ id, type, data, createdAt, environment: actor.environment, sequence: 1 })
      const secret = keyring.open(secretPurpose(webhookId), endpoint.secret_sealed)
      const attempt = await postDelivery(
        external,
        { url: endpoint.url, secret },
        { id, body, sentAt: wall() },
      )
      const { responseStatus, error, durationMs } = attempt
      const status = attempt.verdict === 'delivered' ? ('delivered' as const) : ('failed' as const)
      await inTransaction(async transaction => {
        transaction.atCommit(saveTestResult, [webhookId, id, status, responseStatus, error, durationMs])
      })
      if (status === 'failed') throw testNotDelivered.make(attempt)
      const reply = { ...initialReply, status, responseStatus, error, durationMs }
      return error === 'redirect' ? new WithWarnings(reply, [redirectWarning]) : reply
    },
  },
})
