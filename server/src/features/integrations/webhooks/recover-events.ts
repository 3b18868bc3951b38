import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, moment } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { grantsOf } from '../../access/api-keys/caller-grants.ts'
import { limitedCaller } from '../../access/api-keys/errors.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookRecovered } from './audit-events.ts'
import { eventScopesMissing, webhookIsDisabled, webhookNotFound } from './errors.ts'
import { recoveringOf, webhookInPath } from './schema.ts'
import { lockWebhook } from './store.ts'
import { requireEventScopes } from './webhook-maker.ts'

const RecoverInput = z
  .strictObject({
    since: moment.meta({ description: 'Events from this moment on, in real time; at most 30 days ago' }),
  })
  .meta({ id: 'RecoverInput' })

const recoverMaxMs = 30 * 24 * 3_600_000

// A second request while one is running extends its range.
const startRecovery = sql(
  'webhooks.start-replay',
  `update webhook_endpoints set recover_from = least(recover_from, $2::uuid), recover_to = greatest(recover_to, $3::uuid)
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1
   returning recover_from, recover_to`,
).as<{ recover_from: string; recover_to: string }>()

export const recoverEvents = operation({
  id: 'webhooks.recover',
  method: 'POST',
  path: '/api/v1/webhooks/:id/recover',
  summary: 'Redeliver the events a webhook missed since a given time',
  description:
    'Every event it subscribes to now, from `since` until now, that was never delivered to it is queued as if it had just happened. `recovering` of the webhook shows the progress. A second request meanwhile extends the period.',
  scopes: ['webhooks:manage'],
  params: webhookInPath,
  body: RecoverInput,
  status: 202,
  reply: z
    .object({ since: dateTime, until: dateTime, status: z.enum(['running']) })
    .meta({ id: 'StartedRecovery' }),
  errors: [webhookNotFound, webhookIsDisabled, eventScopesMissing, limitedCaller],
  assistant: 'confirm',
  audit: [webhookRecovered],
  example: { body: { since: '2026-11-15T08:00:00Z' } },
  async run(call) {
    const {
      tx,
      wall,
      params: { id },
      body: { since },
    } = call
    const [caller, webhook] = await Promise.all([grantsOf(tx, call.actor), lockWebhook(tx, call.actor, id)])
    requireEventScopes(caller, webhook.events)
    refuseMoment(since, wall)
    if (!webhook.enabled) throw webhookIsDisabled.make()
    const [range] = await tx.rows(startRecovery, [id, lowestIdOf(since), lowestIdOf(wall + 1)])
    recordAudit(tx, [newEvent(webhookRecovered, id, { webhookId: id, since: iso(since) })], call)
    return { ...recoveringOf(range!.recover_from, range!.recover_to), status: 'running' as const }
  },
})

function refuseMoment(since: number, wall: number): void {
  const isInFuture = since > wall
  if (!isInFuture && since >= wall - recoverMaxMs) return
  const message = isInFuture
    ? `is in the future; it is ${iso(wall)} now`
    : `is more than 30 days ago, and no event is kept for longer; the earliest is ${iso(wall - recoverMaxMs)}`
  throw new ApiError('VAL_001', `since ${message}.`, {
    details: [{ field: 'since', code: 'invalid', message }],
  })
}
