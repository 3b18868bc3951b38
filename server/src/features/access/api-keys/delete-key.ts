import { z } from 'zod'
import { uuid } from '../../../kit/fields.ts'
import { operation, withdrawalPatienceMs } from '../../../kit/operation.ts'
import { recordActs } from '../../platform/events/record-events.ts'
import { deleted } from './acts.ts'
import { keyNotFound, scopesBeyondCaller } from './errors.ts'
import { lacksScopes } from './power.ts'
import { aloneWithKey, deactivate } from './store.ts'

export const deleteKey = operation({
  id: 'apiKeys.delete',
  method: 'DELETE',
  path: '/api/v1/api-keys/:id',
  summary: 'Deactivate a key, everywhere at once; it stays in the list',
  description:
    'Again answers the same. A key may delete itself, and the last one too: then only the operator can make another.',
  scopes: ['webhooks:manage'],
  params: z.strictObject({ id: uuid }),
  status: 204,
  patienceMs: withdrawalPatienceMs,
  reply: z.null(),
  errors: [keyNotFound, scopesBeyondCaller],
  assistant: 'confirm',
  async run(call) {
    const { tx, actor, params } = call
    const { caller, key } = await aloneWithKey(tx, actor, params.id)
    // A key that may be used for less, or from fewer places, may still be the one that stops a leak.
    const refusal = lacksScopes(caller, key)
    if (refusal) throw refusal
    if (!key.enabled) return null
    deactivate(tx, key.id)
    recordActs(tx, [deleted(key, actor.environment)], call)
    return null
  },
})
