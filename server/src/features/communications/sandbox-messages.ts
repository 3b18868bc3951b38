import type { EmailMessage } from '../../adapters/channel.ts'
import { iso } from '../../kit/clock.ts'
import type { Pool } from '../../kit/db/pool.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, transact } from '../../kit/db/transaction.ts'

// The same message twice is one message: a repeated send finds its first copy.
const keep = sql(
  `insert into sandbox_messages (tenant_id, communication_id, channel, recipient, subject, body, created_at)
   values ($1, $2, 'email', $3, $4, $5, $6) on conflict do nothing`,
)

/** Where a sandbox message goes instead of the world. */
export async function keepSandboxMessage(
  pool: Pool,
  wall: () => number,
  tenantId: string,
  message: EmailMessage,
): Promise<void> {
  await transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
    tx.atCommit(keep, [
      tenantId,
      message.communicationId,
      message.to.address,
      message.subject,
      message.text,
      iso(wall() + offsetMs),
    ])
  })
}
