import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookSecretRotated } from './audit-events.ts'
import { eventScopesMissing, webhookNotFound } from './errors.ts'
import { hostOf, webhookInPath } from './schema.ts'
import { newSecret, secretPurpose } from './signature.ts'
import { lockWebhook } from './store.ts'

const updateSecret = sql(
  'webhooks.rotate-secret',
  'update webhooks set secret_sealed = $2, updated_at = $3 where id = $1',
)

export const rotateSecret = operation({
  id: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/v1/webhooks/:id/rotate-secret',
  summary: 'Exchange the secret of a webhook for a new one',
  description:
    'The old secret is invalid at once: all further deliveries, including retries, are signed with the new one.',
  scopes: ['webhooks:manage'],
  fresh: true,
  params: webhookInPath,
  status: 200,
  reply: z
    .object({ secret: z.string().meta({ description: '`whsec_` and 32 bytes in base64; shown this once' }) })
    .meta({ id: 'RotatedSecret' }),
  errors: [webhookNotFound, eventScopesMissing],
  secret: {
    shownOnce: 'Keep the new secret now, it is not shown again; the old one signs nothing any more.',
  },
  assistant: 'never',
  audit: [webhookSecretRotated],
  async run({ tx, actor, now, wall, requestId, newId, keyring, params: { id } }) {
    const { url } = await lockWebhook(tx, actor, id)
    const secret = newSecret()
    tx.atCommit(updateSecret, [id, keyring.seal(secretPurpose(id), secret), iso(wall)])
    const auditEvent = newEvent(webhookSecretRotated, id, { webhookId: id, host: hostOf(url) })
    recordAudit(tx, [auditEvent], { actor, requestId, now, wall, newId })
    return { secret }
  },
})
