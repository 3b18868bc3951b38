import type { Actor } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { eventScopesMissing, webhookNotFound } from './errors.ts'
import { type WebhookRow, webhookColumns, webhookSource, webhooksMax } from './schema.ts'
import { mayManage, scopesNeededFor } from './webhook-maker.ts'

const selectWebhooks = sql(
  'webhooks.list',
  `select ${webhookColumns} from ${webhookSource} order by w.id desc limit ${webhooksMax}`,
).as<WebhookRow>()

const selectWebhook = sql(
  'webhooks.get',
  `select ${webhookColumns} from ${webhookSource} where w.id = $1`,
).as<WebhookRow>()

const selectWebhookForUpdate = sql(
  'webhooks.lock',
  `select ${webhookColumns} from ${webhookSource} where w.id = $1 for no key update`,
).as<WebhookRow>()

// Every operation on a webhook finds it with one of these three, so none forgets to ask for the read scopes of its events.

/** The webhooks that the caller may manage, the newest first. */
export const listManaged = async (tx: Tx, actor: Actor): Promise<WebhookRow[]> =>
  (await tx.rows(selectWebhooks, [])).filter(({ events }) => mayManage(actor, events))

export const findWebhook = async (tx: Tx, actor: Actor, id: string): Promise<WebhookRow> =>
  requireManaged(actor, (await tx.rows(selectWebhook, [id]))[0])

/** Locks the webhook and its delivery state until the transaction ends. */
export const lockWebhook = async (tx: Tx, actor: Actor, id: string): Promise<WebhookRow> =>
  requireManaged(actor, (await tx.rows(selectWebhookForUpdate, [id]))[0])

function requireManaged(actor: Actor, webhook: WebhookRow | undefined): WebhookRow {
  if (!webhook) throw webhookNotFound.make()
  if (!mayManage(actor, webhook.events)) throw eventScopesMissing.make(scopesNeededFor(webhook.events))
  return webhook
}

/** Deletes the whole queue of an endpoint, retries included. */
export const clearQueue = sql(
  'webhooks.clear-queue',
  `delete from webhook_queue where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
