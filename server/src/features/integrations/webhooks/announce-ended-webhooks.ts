import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import { newEvent } from '../../../kit/events.ts'
import { enqueueNotice } from '../../platform/account-mail/enqueue-notice.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookDisabled } from './audit-events.ts'
import type { DeliveryContext } from './delivery-context.ts'

const batch = 50

interface Unannounced {
  tenant_id: string
  webhook_id: string
}
const findUnannounced = sql(
  'webhooks.list-unannounced',
  `select tenant_id, webhook_id from webhook_endpoints
    where disabled_because = 'maker_ended' and warned_at is null
      and webhook_id <> all ($1::uuid[]) limit ${batch}`,
).as<Unannounced>()
const markAnnounced = sql(
  'webhooks.mark-announced',
  `update webhook_endpoints set warned_at = $2
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and disabled_because = 'maker_ended'
      and warned_at is null returning webhook_id`,
)

const announce = (
  { pool, clock, newId }: DeliveryContext,
  tenantId: string,
  webhookId: string,
): Promise<void> =>
  transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
    const wall = clock.wall()
    const [marked] = await tx.rows(markAnnounced, [webhookId, iso(wall)])
    if (!marked) return
    enqueueNotice(tx, { id: newId(), kind: 'webhook_ended', subjectId: webhookId, causeId: null, wall })
    recordAudit(tx, [newEvent(webhookDisabled, webhookId, { webhookId, because: 'maker_ended' })], {
      actor: { kind: 'worker', id: 'delivery' },
      requestId: null,
      now: wall + offsetMs,
      wall,
      newId,
    })
  })

/**
 * Webhooks are switched off by the database with the key, application or consent that made them; this mails their owners. Failed
 * ones are skipped, so that they never block the others.
 */
export async function announceEndedWebhooks(context: DeliveryContext): Promise<boolean> {
  const query = queryOn(context.pool)
  const loop = {
    idsOf: (row: Unannounced) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }),
    failure: 'an ended webhook was not announced; it is retried',
  }
  const passedOver: string[] = []
  for (;;) {
    const rows = await query(findUnannounced, [passedOver])
    const { failed } = await forEachTenant(context.log, rows, loop, row =>
      announce(context, row.tenant_id, row.webhook_id),
    )
    if (failed.length < batch) return rows.length === batch
    passedOver.push(...failed.map(row => row.webhook_id))
  }
}
