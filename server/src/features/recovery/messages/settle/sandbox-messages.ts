import type { Message } from '../../../../adapters/channel.ts'
import { iso } from '../../../../kit/clock.ts'
import type { Pool } from '../../../../kit/db/pool.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'

// A repeated send of the same message is stored once.
const insertSandboxMessage = sql(
  'messages.save-in-sandbox',
  `insert into sandbox_messages (tenant_id, communication_id, channel, recipient, subject, body, created_at)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
)

/** The text that the person would read, and its recipient. */
export function toStoredFields(message: Message): {
  recipient: string
  subject: string | null
  body: string
} {
  switch (message.channel) {
    case 'email':
      return { recipient: message.to.address, subject: message.subject, body: message.text }
    case 'sms':
      return { recipient: message.to, subject: null, body: message.text }
    case 'lrar': {
      const { name, lines, postalCode, city, country } = message.to
      const recipient = [name, ...lines, `${postalCode} ${city}`, country].join(', ')
      return { recipient, subject: message.subject, body: message.text }
    }
    case 'voice':
      return { recipient: message.to, subject: null, body: `${message.opening}\n\n${message.text}` }
  }
}

/** Stores a sandbox message instead of sending it. */
export async function saveSandboxMessage(
  pool: Pool,
  tenantId: string,
  message: Message,
  at: number,
): Promise<void> {
  const { recipient, subject, body } = toStoredFields(message)
  await transact(pool, asWorker(tenantId), [], async ({ tx }) => {
    tx.atCommit(insertSandboxMessage, [
      tenantId,
      message.communicationId,
      message.channel,
      recipient,
      subject,
      body,
      iso(at),
    ])
  })
}
