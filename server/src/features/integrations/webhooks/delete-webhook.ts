import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookDeleted } from './audit-events.ts'
import { eventScopesMissing, webhookNotFound } from './errors.ts'
import { hostOf, webhookInPath } from './schema.ts'
import { lockWebhook } from './store.ts'

const deleteWebhookRow = sql('webhooks.delete', 'delete from webhooks where id = $1')
// Its queue is deleted by cascade.
const deleteEndpointState = sql(
  'webhooks.delete-endpoint',
  `delete from webhook_endpoints where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

export const deleteWebhook = operation({
  id: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/:id',
  summary: 'Delete a webhook and everything that is still queued for it',
  scopes: ['webhooks:manage'],
  params: webhookInPath,
  status: 204,
  reply: z.null(),
  errors: [webhookNotFound, eventScopesMissing],
  assistant: 'never',
  audit: [webhookDeleted],
  async run({ tx, actor, now, wall, requestId, newId, params: { id } }) {
    const { url } = await lockWebhook(tx, actor, id)
    tx.atCommit(deleteEndpointState, [id])
    tx.atCommit(deleteWebhookRow, [id])
    const auditEvent = newEvent(webhookDeleted, id, { webhookId: id, host: hostOf(url) })
    recordAudit(tx, [auditEvent], { actor, requestId, now, wall, newId })
    return null
  },
})
