import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Environment } from '../../../kit/operation.ts'
import { momentOf } from '../../../kit/uuid.ts'
import type { Notice, Words } from '../../platform/notices/notice.ts'
import { webhookWords } from './notice-words.ts'

interface Row {
  url: string
  environment: Environment
  event_type: string | null
  response_status: number | null
  error: string | null
}
const read = sql(
  'webhooks.get-notice-facts',
  `select w.url, t.environment, d.event_type, d.response_status, d.error
     from webhooks w join tenants t on t.id = w.tenant_id
     left join webhook_deliveries d on d.webhook_id = w.id and d.event_id = $2
    where w.id = $1`,
).as<Row>()

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

/** What an owner is told of an endpoint that does not answer; nothing when it was deleted since. */
export async function webhookNotice(
  tx: Tx,
  notice: Notice,
  owner: { name: string; language: 'fr' | 'en' },
): Promise<Words | null> {
  const [row] = await tx.rows(read, [notice.subjectId, notice.causeId])
  if (!row || row.event_type === null) return null
  return webhookWords(notice.kind, owner.language, {
    companyName: owner.name,
    environment: row.environment,
    url: withoutQuery(row.url),
    webhookId: notice.subjectId,
    event: row.event_type,
    lastAnswer: row.response_status === null ? (row.error ?? '-') : `HTTP ${row.response_status}`,
    // Of the event and not of its delivery, which came a moment later.
    since: iso(momentOf(notice.causeId!)),
  })
}
