import { iso } from '../../../kit/clock.ts'
import { type Keyring, plainSha256 } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { Log } from '../../../kit/log.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { newToken } from '../../access/new-token.ts'
import { enqueueMail } from '../../platform/account-mail/enqueue-mail.ts'
import { type AlertBatch, claimAlertBatch, takeDueAlerts } from '../../platform/events/alert-batches.ts'

interface AlertContext {
  readonly pool: Pool
  readonly clock: { wall(): number }
  readonly keyring: Keyring
  readonly log: Log
}

const linkDays = 14

const listRecipients = sql(
  'alerts.list-recipients',
  `select t.company_id, r as person_id from tenants t cross join lateral alert_recipients(t.company_id, $2) r where t.id = $1`,
).as<{ company_id: string; person_id: string | null }>()
const insertLink = sql(
  'alerts.insert-link',
  `insert into alert_links (token_hash, tenant_id, person_id, kind, event_ids, total, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** Queues a separate mail, with its own link, for each recipient. */
async function mailBatch(
  { keyring }: AlertContext,
  tx: Tx,
  { tenant_id: tenantId, kind }: AlertBatch,
  wall: number,
): Promise<void> {
  const batch = await claimAlertBatch(tx, { tenant_id: tenantId, kind }, wall)
  if (!batch) return
  const recipients = await tx.rows(listRecipients, [tenantId, kind])
  await Promise.all(
    recipients.map(async ({ company_id, person_id }) => {
      const token = await newToken(tx.rows, 'al')
      const expiresAt = iso(wall + linkDays * 24 * 3_600_000)
      const link = [plainSha256(token), tenantId, person_id, kind, batch.event_ids, batch.waiting]
      await tx.rows(insertLink, [...link, iso(wall), expiresAt])
      const subjectId = person_id ?? company_id
      await enqueueMail(tx.rows, { id: uuidv7(wall), kind: 'alert', subjectId, token, keyring, wall })
    }),
  )
}

/** Turns waiting alerts into mails, one batch per tenant and kind. True if there are more. */
export async function collectAlerts(context: AlertContext): Promise<boolean> {
  const { pool, clock, log } = context
  const query = queryOn(pool)
  const wall = clock.wall()
  const { due, hasMore } = await takeDueAlerts(query, wall)
  const loop = {
    idsOf: ({ tenant_id, kind }: AlertBatch) => ({ tenantId: tenant_id, kind }),
    failure: 'alert mail of a tenant failed; it is retried',
  }
  await forEachTenant(log, due, loop, batch =>
    transact(pool, asWorker(batch.tenant_id), [], ({ tx }) => mailBatch(context, tx, batch, wall)),
  )
  return hasMore
}
