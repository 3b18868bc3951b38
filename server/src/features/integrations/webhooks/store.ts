import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type WebhookRow, webhookColumns, webhookSource } from './schema.ts'

const selectWebhook = sql(
  'webhooks.get',
  `select ${webhookColumns} from ${webhookSource} where w.id = $1`,
).as<WebhookRow>()

const selectWebhookForUpdate = sql(
  'webhooks.lock',
  `select ${webhookColumns} from ${webhookSource} where w.id = $1 for no key update`,
).as<WebhookRow>()

export const findWebhook = async (tx: Tx, id: string): Promise<WebhookRow | undefined> =>
  (await tx.rows(selectWebhook, [id]))[0]

/** Locks the webhook and its delivery state until the transaction ends. */
export const lockWebhook = async (tx: Tx, id: string): Promise<WebhookRow | undefined> =>
  (await tx.rows(selectWebhookForUpdate, [id]))[0]

/** Deletes the whole queue of an endpoint, retries included. */
export const clearQueue = sql(
  'webhooks.clear-queue',
  `delete from webhook_queue where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
