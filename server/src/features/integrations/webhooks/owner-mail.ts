import type { Environment } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { momentOf } from '../../../kit/uuid.ts'
import type { MailContent, OwnerNotice } from '../../platform/account-mail/enqueue-notice.ts'
import { endedWebhookMail, webhookMailTexts } from './owner-mail-texts.ts'

interface WebhookAndDeliveryRow {
  url: string
  environment: Environment
  event_type: string | null
  response_status: number | null
  error: string | null
}
const selectWebhookAndDelivery = sql(
  'webhooks.get-notice-facts',
  `select w.url, t.environment, d.event_type, d.response_status, d.error
     from webhooks w join tenants t on t.id = w.tenant_id
     left join webhook_deliveries d on d.webhook_id = w.id and d.event_id = $2
    where w.id = $1`,
).as<WebhookAndDeliveryRow>()

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

/** The mail to the owner about an endpoint that fails or redirects, or an ended webhook; null if the webhook was deleted since. */
export async function webhookMailContent(
  tx: Tx,
  notice: OwnerNotice,
  owner: { name: string; language: 'fr' | 'en' },
): Promise<MailContent | null> {
  const [row] = await tx.rows(selectWebhookAndDelivery, [notice.subjectId, notice.causeId])
  if (!row) return null
  if (notice.kind === 'webhook_ended') {
    const { environment, url } = row
    const facts = {
      companyName: owner.name,
      environment,
      url: withoutQuery(url),
      webhookId: notice.subjectId,
    }
    return endedWebhookMail(owner.language, facts)
  }
  if (row.event_type === null) return null
  return webhookMailTexts(notice.kind, owner.language, {
    companyName: owner.name,
    environment: row.environment,
    url: withoutQuery(row.url),
    webhookId: notice.subjectId,
    event: row.event_type,
    lastAnswer: row.response_status === null ? (row.error ?? '-') : `HTTP ${row.response_status}`,
    // The time of the event, not of its delivery a moment later.
    since: iso(momentOf(notice.causeId!)),
  })
}
