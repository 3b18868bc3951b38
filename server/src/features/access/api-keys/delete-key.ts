import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation, withdrawalLockRetryMs } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { keyDeleted, keyDeletedEvent } from './audit-events.ts'
import { keyNotFound, scopesExceedCaller } from './errors.ts'
import { scopesRefusal } from './key-grants.ts'
import { deactivateKey, lockKey } from './store.ts'

export const deleteKey = operation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  summary: 'Deactivate a key immediately; it stays in the list',
  description:
    'Repeating it gives the same answer. Webhooks that it saved last are disabled with it. A key may delete itself, even the last one: only the operator can then create another.',
  scopes: ['webhooks:manage'],
  params: z.strictObject({ id: uuid }),
  status: 204,
  lockRetryMs: withdrawalLockRetryMs,
  reply: z.null(),
  errors: [keyNotFound, scopesExceedCaller],
  assistant: 'confirm',
  audit: [keyDeleted],
  async run(call) {
    const { tx, actor, params } = call
    const { caller, key } = await lockKey(tx, actor, params.id)
    // Only scopes are compared: a key with a whitelist or an expiry may still be used to stop a leak.
    const refusal = scopesRefusal(caller, key)
    if (refusal) throw refusal
    if (!key.enabled) return null
    deactivateKey(tx, key.id, null)
    recordAudit(tx, [keyDeletedEvent(key, actor.environment)], call)
    return null
  },
})
