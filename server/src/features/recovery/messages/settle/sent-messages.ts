import type { Message } from '../../../../adapters/channel.ts'
import { plainSha256 } from '../../../../kit/crypto.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { toStoredFields } from './sandbox-messages.ts'

/** A message as it was sent; `sha256` is hexadecimal. */
export interface SentText {
  communication_id: string
  subject: string | null
  text: string
  sha256: string
}

/** The digest of what was sent: its subject, an empty line and its text, in UTF-8. */
const digestOfText = (subject: string | null, text: string): string =>
  plainSha256(subject === null ? text : `${subject}\n\n${text}`).toString('hex')

export function sentTextOf(message: Message): SentText {
  const { subject, body: text } = toStoredFields(message)
  return { communication_id: message.communicationId, subject, text, sha256: digestOfText(subject, text) }
}

const insertTexts = sql(
  'messages.save-sent-texts',
  `insert into sent_messages (tenant_id, communication_id, subject, text, sha256)
   select $1, communication_id, subject, text, decode(sha256, 'hex')
     from jsonb_to_recordset($2::jsonb) as x(communication_id uuid, subject text, text text, sha256 text)
   on conflict do nothing`,
)

export function saveSentTexts(tx: Tx, tenantId: string, rows: readonly SentText[]): void {
  if (rows.length > 0) tx.atCommit(insertTexts, [tenantId, JSON.stringify(rows)])
}
