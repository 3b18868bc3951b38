import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, optional, outputUuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { grantsOf } from '../../access/api-keys/caller-grants.ts'
import { limitedCaller } from '../../access/api-keys/errors.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookCreated } from './audit-events.ts'
import { eventScopesMissing, tooManyWebhooks, webhookUrlRefused } from './errors.ts'
import { judgeUrl } from './judge-url.ts'
import { hostOf, webhookFields, webhooksMax } from './schema.ts'
import { newSecret, secretPurpose } from './signature.ts'
import { makerOf, requireEventScopes } from './webhook-maker.ts'

const WebhookInput = z
  .strictObject({
    url: webhookFields.url,
    events: webhookFields.events,
    description: optional(webhookFields.description),
    enabled: optional(webhookFields.enabled).meta({ default: true }),
  })
  .meta({ id: 'WebhookInput' })

const CreatedWebhook = z
  .object({
    id: outputUuid,
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    enabled: z.boolean(),
    secret: z.string().meta({ description: '`whsec_` and 32 bytes in base64; shown this once' }),
    createdAt: dateTime,
  })
  .meta({ id: 'CreatedWebhook' })

const insertWebhook = sql(
  'webhooks.insert',
  `insert into webhooks (tenant_id, id, url, description, secret_sealed, created_at, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $5)`,
)
const insertEndpointState = sql(
  'webhooks.insert-endpoint',
  `insert into webhook_endpoints (tenant_id, webhook_id, events, enabled, disabled_because, maker_kind, maker_id, maker_person,
     needed_scopes)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8)`,
)
// Counted after the insert, whose trigger locks the tenant's row: concurrent requests count each other's webhooks.
const countWebhooks = sql(
  'webhooks.count',
  `select count(*) as n from (
     select 1 from webhook_endpoints where tenant_id = current_setting('relance.tenant')::uuid limit ${webhooksMax + 1}) own`,
).as<{ n: number }>()

export const createWebhook = operation({
  id: 'webhooks.create',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook: events are delivered to your URL',
  description:
    'Only this answer contains the secret that signs every delivery. A URL whose host does not resolve yet is accepted with the warning `url_not_resolving`. At most 50 webhooks. Each event needs its read scope; a key with an expiry date or an IP whitelist cannot create webhooks. The webhook ends with the key, application or consent that saved it last.',
  scopes: ['webhooks:manage'],
  fresh: true,
  body: WebhookInput,
  status: 201,
  reply: CreatedWebhook,
  errors: [webhookUrlRefused, tooManyWebhooks, eventScopesMissing, limitedCaller],
  secret: { shownOnce: 'Keep the secret now, it is not shown again: every delivery is signed with it.' },
  assistant: 'never',
  audit: [webhookCreated],
  example: {
    body: {
      url: 'https://example.com/relance',
      events: ['invoice.status_changed', 'payment.received', 'debt.paid'],
      description: 'Accounting',
      enabled: true,
    },
  },
  beforeTransaction: (external, { body }) => judgeUrl(external, body.url),
  async run({ tx, actor, now, wall, requestId, newId, keyring, body }) {
    const id = newId()
    const secret = newSecret()
    const { url, events, description = null, enabled = true } = body
    const neededScopes = requireEventScopes(await grantsOf(tx, actor), events)
    const { maker_kind, maker_id, maker_person } = makerOf(actor)
    const [, , [own]] = await Promise.all([
      tx.rows(insertWebhook, [id, url, description, keyring.seal(secretPurpose(id), secret), iso(wall)]),
      tx.rows(insertEndpointState, [
        id,
        events,
        enabled,
        enabled ? null : 'owner',
        maker_kind,
        maker_id,
        maker_person,
        neededScopes,
      ]),
      tx.rows(countWebhooks, []),
    ])
    if (own!.n > webhooksMax) throw tooManyWebhooks.make(webhooksMax)
    const auditEvent = newEvent(webhookCreated, id, { webhookId: id, host: hostOf(url), events, enabled })
    recordAudit(tx, [auditEvent], { actor, requestId, now, wall, newId })
    return { id, url, events, description, enabled, secret, createdAt: iso(wall) }
  },
})
