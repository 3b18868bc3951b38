import type { ChannelAdapter, EmailMessage } from '../adapters/channel.ts'
import { writeInvitation, writeToPerson } from '../features/access/people/mails.ts'
import { webhookNotice } from '../features/integrations/webhooks/webhook-notice.ts'
import type { Letter, MailKind, NoticeKind } from '../features/platform/notices/notice.ts'
import { sealFor } from '../features/platform/notices/plan-mail.ts'
import { type Clock, iso } from '../kit/clock.ts'
import type { Keyring } from '../kit/crypto.ts'
import { asking } from '../kit/db/plain.ts'
import type { Pool } from '../kit/db/pool.ts'
import { reader } from '../kit/db/reader.ts'
import { sql } from '../kit/db/statement.ts'
import { asWorker } from '../kit/db/transaction.ts'
import type { Log } from '../kit/log.ts'

/** The world of mail to owners and members. Debtors are written to elsewhere, through the gate of the contact rules. */
export interface Notifier {
  readonly pool: Pool
  readonly clock: Clock
  readonly keyring: Keyring
  readonly email: ChannelAdapter<EmailMessage>
  readonly mailFrom: string
  /** Where the links lead. */
  readonly publicUrl: string
  readonly log: Log
}

interface Due {
  id: string
  subject_id: string
  cause_id: string | null
  secret_sealed: string | null
  created_at: number
}
type DueRow = Due & ({ kind: NoticeKind; tenant_id: string } | { kind: MailKind; tenant_id: null })

// Taken by being put off: if this process dies with it, it comes again. Somebody told twice is better than one not told.
const take = sql(
  'account-mail.take-due',
  `update notices n set attempts = n.attempts + 1,
          due_at = $1::timestamptz + power(2, least(n.attempts, 7)) * interval '1 minute'
     from (select id from notices where due_at <= $1 order by due_at limit 20 for update skip locked) due
    where n.id = due.id returning n.id, n.tenant_id, n.kind, n.subject_id, n.cause_id, n.secret_sealed, n.created_at`,
).as<DueRow>()
const finish = sql('account-mail.delete', 'delete from notices where id = $1')
const readOwner = sql(
  'account-mail.read-owner',
  `select c.name, c.owner_email, c.language from tenants t join companies c on c.id = t.company_id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<{ name: string; owner_email: string; language: 'fr' | 'en' }>()

async function writeToOwner(notifier: Notifier, row: DueRow & { kind: NoticeKind }): Promise<Letter | null> {
  const tx = reader(notifier.pool, asWorker(row.tenant_id))
  const notice = { id: row.id, kind: row.kind, subjectId: row.subject_id, causeId: row.cause_id }
  const [owner] = await tx.rows(readOwner, [])
  const words = owner ? await webhookNotice(tx, notice, owner) : null
  if (!owner || !words) return null
  return { to: { name: owner.name, address: owner.owner_email }, language: owner.language, words }
}

/** Null when there is nothing left to tell. */
function compose(notifier: Notifier, row: DueRow): Promise<Letter | null> {
  if (row.kind === 'webhook_failing' || row.kind === 'webhook_disabled') return writeToOwner(notifier, row)
  const { pool, clock, keyring, publicUrl } = notifier
  const desk = { ask: asking(pool), wall: clock.wall(), publicUrl }
  const token = row.secret_sealed && keyring.open(sealFor(row.id), row.secret_sealed)
  return row.kind === 'invitation'
    ? writeInvitation(desk, row.subject_id, token)
    : writeToPerson(desk, row.kind, { personId: row.subject_id, token, since: row.created_at })
}

async function send(notifier: Notifier, row: DueRow): Promise<void> {
  const { pool, clock, email, mailFrom, log } = notifier
  const letter = await compose(notifier, row)
  if (letter) {
    const from = { name: 'Relance', address: mailFrom }
    const message: EmailMessage = {
      channel: 'email',
      communicationId: row.id,
      code: row.id,
      html: null,
      language: letter.language,
      at: clock.wall(),
      from,
      replyTo: from,
      to: letter.to,
      ...letter.words,
    }
    const result = await email.send(message, { beforeCommit: async () => {} })
    if (result.outcome !== 'accepted')
      log.warn({ notice: row.id, kind: row.kind, outcome: result.outcome, reason: result.reason }, 'notice')
    // Its turn comes again by itself. What is refused for good, or may have arrived, is not repeated.
    if (result.outcome === 'retryable') return
  }
  await pool.query({ name: finish.name, text: finish.text, values: [row.id] })
}

/** Sends what there is to tell. True when there is more. */
export async function sendNotices(notifier: Notifier): Promise<boolean> {
  const { pool, clock, log } = notifier
  const { rows } = await pool.query<DueRow>({
    name: take.name,
    text: take.text,
    values: [iso(clock.wall())],
  })
  for (const row of rows)
    await send(notifier, row).catch(error => log.warn({ err: error, notice: row.id }, 'notice postponed'))
  return rows.length === 20
}
