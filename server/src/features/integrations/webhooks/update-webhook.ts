import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { grantsOf } from '../../access/api-keys/caller-grants.ts'
import { limitedCaller } from '../../access/api-keys/errors.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookDisabled, webhookEnabled, webhookUpdated } from './audit-events.ts'
import { eventScopesMissing, webhookNotFound, webhookUrlRefused } from './errors.ts'
import { judgeUrl } from './judge-url.ts'
import {
  hostOf,
  toMaker,
  toWebhook,
  Webhook,
  type WebhookRow,
  webhookFields,
  webhookInPath,
} from './schema.ts'
import { clearQueue, lockWebhook } from './store.ts'
import { makerOf, requireEventScopes, takeOver } from './webhook-maker.ts'

const WebhookUpdate = z
  .strictObject({
    url: webhookFields.url.optional(),
    events: webhookFields.events.optional(),
    description: webhookFields.description.nullable().optional(),
    enabled: webhookFields.enabled.optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'WebhookUpdate', description: 'Only the fields sent change; null clears the description' })

const saveWebhook = sql(
  'webhooks.update',
  'update webhooks set url = $2, description = $3, updated_at = $4 where id = $1',
)
const saveEvents = sql(
  'webhooks.update-events',
  `update webhook_endpoints set events = $2
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
const enableEndpoint = sql(
  'webhooks.enable',
  `update webhook_endpoints set enabled = true, disabled_because = null, failing = 0, warned_at = null
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
const disableEndpoint = sql(
  'webhooks.disable',
  `update webhook_endpoints set enabled = false, disabled_because = 'owner', wake_at = null, busy_until = null, recover_from = null,
          recover_to = null
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

const switchedFields = {
  on: { enabled: true, disabled_because: null, failing: 0 },
  off: { enabled: false, disabled_because: 'owner', recover_from: null, recover_to: null },
} as const

const comparedFields = ['url', 'events', 'description'] as const

export const updateWebhook = operation({
  id: 'webhooks.update',
  method: 'PUT',
  path: '/api/v1/webhooks/:id',
  summary: 'Change a webhook, or switch it on or off',
  description:
    'A change of `events` applies to future events; queued deliveries are still made. `enabled: false` drops queued deliveries and ends a recovery; `enabled: true` also clears the count of failures. Use `POST …/recover` to redeliver events missed while the webhook was disabled. Whoever saves it takes it over and needs the read scope of each of its events. A key with an expiry or a whitelist cannot take it over, and may still disable it.',
  scopes: ['webhooks:manage'],
  fresh: true,
  params: webhookInPath,
  body: WebhookUpdate,
  status: 200,
  reply: Webhook,
  errors: [webhookNotFound, webhookUrlRefused, eventScopesMissing, limitedCaller],
  assistant: 'never',
  audit: [webhookUpdated, webhookEnabled, webhookDisabled],
  example: {
    body: {
      url: 'https://example.com/relance/v2',
      events: ['payment.received', 'debt.paid'],
      description: 'Accounting, new endpoint',
      enabled: true,
    },
  },
  beforeTransaction: async (external, { body }) =>
    body.url === undefined ? [] : judgeUrl(external, body.url),
  async run({ tx, actor, now, wall, requestId, newId, params: { id }, body }) {
    const [caller, before] = await Promise.all([grantsOf(tx, actor), lockWebhook(tx, actor, id)])
    const { enabled, url = before.url, events = before.events, description = before.description } = body
    const after: WebhookRow = {
      ...before,
      url,
      events,
      description,
      ...(enabled !== undefined && (enabled ? switchedFields.on : switchedFields.off)),
    }
    // A key that cannot take a webhook over may still switch it off.
    const isOnlySwitchedOff = enabled === false && Object.keys(body).length === 1
    if (!isOnlySwitchedOff) {
      const neededScopes = requireEventScopes(caller, events)
      Object.assign(after, makerOf(actor))
      takeOver(tx, id, after, neededScopes)
    }
    const changedFields = comparedFields.filter(name => !isDeepStrictEqual(after[name], before[name]))
    const changed = isDeepStrictEqual(toMaker(after), toMaker(before))
      ? changedFields
      : [...changedFields, 'maker' as const]
    if (changedFields.length > 0) tx.atCommit(saveWebhook, [id, url, description, iso(wall)])
    if (changed.includes('events')) tx.atCommit(saveEvents, [id, events])
    if (enabled === true) tx.atCommit(enableEndpoint, [id])
    if (enabled === false) {
      tx.atCommit(disableEndpoint, [id])
      tx.atCommit(clearQueue, [id])
    }
    const about = { webhookId: id, host: hostOf(url), events }
    const auditEvents = [
      ...(changed.length > 0 ? [newEvent(webhookUpdated, id, { ...about, changed })] : []),
      ...(after.enabled && !before.enabled ? [newEvent(webhookEnabled, id, { webhookId: id })] : []),
      ...(!after.enabled && before.enabled
        ? [newEvent(webhookDisabled, id, { webhookId: id, because: 'owner' })]
        : []),
    ]
    recordAudit(tx, auditEvents, { actor, requestId, now, wall, newId })
    return toWebhook(after)
  },
})
