import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { enqueueNotice } from '../../platform/notices/enqueue-notice.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { webhookDisabled } from './webhook-audit-events.ts'

const batch = 50

const findUnannounced = sql(
  'webhooks.list-unannounced',
  `select tenant_id, webhook_id from webhook_pumps where disabled_because = 'maker_ended' and warned_at is null limit ${batch}`,
)
const markAnnounced = sql(
  'webhooks.mark-announced',
  `update webhook_pumps set warned_at = $2
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and disabled_because = 'maker_ended'
      and warned_at is null returning webhook_id`,
)

/** Webhooks are switched off by the database with the key, application or consent that made them; this mails their owners. */
export async function announceEndedWebhooks(context: DeliveryContext): Promise<boolean> {
  const { pool, clock, newId } = context
  const unannounced = await queryOn(pool)(findUnannounced, [])
  for (const { tenant_id, webhook_id: webhookId } of unannounced)
    await transact(pool, asWorker(tenant_id), [], async ({ tx, offsetMs }) => {
      const wall = clock.wall()
      const [marked] = await tx.rows(markAnnounced, [webhookId, iso(wall)])
      if (!marked) return
      enqueueNotice(tx, { id: newId(), kind: 'webhook_ended', subjectId: webhookId, causeId: null, wall })
      recordAudit(tx, [newEvent(webhookDisabled, webhookId, { webhookId, because: 'maker_ended' })], {
        actor: { kind: 'worker', id: 'courier' },
        requestId: null,
        now: wall + offsetMs,
        wall,
        newId,
      })
    })
  return unannounced.length === batch
}
