import { z } from 'zod'
import type { ReplyCopy } from '../../../adapters/callback.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Query } from '../../../kit/db/query.ts'
import { reader } from '../../../kit/db/reader.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker } from '../../../kit/db/transaction.ts'
import { email } from '../../../kit/fields.ts'
import { enqueueMail } from './enqueue-mail.ts'
import type { AccountMail } from './enqueue-notice.ts'

/** Forwards a reply to the creditor if only we received it. It is stored sealed, and deleted once it is sent. */
export const enqueueReplyCopy = (
  query: Query,
  { tenantId, ...mail }: { id: string; tenantId: string; keyring: Keyring; wall: number },
  copy: ReplyCopy,
): Promise<unknown> =>
  enqueueMail(query, { ...mail, kind: 'reply_copy', subjectId: tenantId, token: JSON.stringify(copy) })

const StoredCopy = z.object({ from: z.string(), subject: z.string(), text: z.string() })

const readReplyAddress = sql(
  'account-mail.get-reply-address',
  `select c.language, coalesce(s.reply_email, c.reply_email) as address
     from tenants t join companies c on c.id = t.company_id left join company_settings s on s.tenant_id = t.id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<{ language: 'fr' | 'en'; address: string }>()

const texts = {
  fr: {
    intro: (from: string) => `Un débiteur a répondu à un message (${from}) :`,
    subject: 'Réponse d’un débiteur',
  },
  en: { intro: (from: string) => `A debtor answered a message (${from}):`, subject: 'Answer of a debtor' },
}

export async function composeReplyCopy(
  pool: Pool,
  tenantId: string,
  sealed: string | null,
): Promise<AccountMail | null> {
  const copy = StoredCopy.parse(JSON.parse(sealed ?? 'null'))
  const [creditor] = await reader(pool, asWorker(tenantId)).rows(readReplyAddress, [])
  if (!creditor) return null
  const { language, address } = creditor
  const { intro, subject } = texts[language]
  const quoted = copy.text.split('\n').map(line => `> ${line}`)
  return {
    to: { name: '', address },
    language,
    content: { subject: copy.subject || subject, text: [intro(copy.from), '', ...quoted, ''].join('\n') },
    ...(email.safeParse(copy.from).success && { replyTo: copy.from }),
  }
}
