import type { ChannelAdapter, EmailMessage } from '../adapters/channel.ts'
import { composePayoutMail } from '../features/access/companies/payout-mail.ts'
import { composeInvitation, composePersonMail } from '../features/access/people/mails.ts'
import { webhookMailContent } from '../features/integrations/webhooks/owner-mail.ts'
import { type DueNotice, finishNotice, takeDueNotices } from '../features/platform/notices/due-notices.ts'
import { sealPurposeOf } from '../features/platform/notices/enqueue-mail.ts'
import type { AccountMail, OwnerNoticeKind } from '../features/platform/notices/enqueue-notice.ts'
import type { Clock } from '../kit/clock.ts'
import type { Keyring } from '../kit/crypto.ts'
import type { Pool } from '../kit/db/pool.ts'
import { queryOn } from '../kit/db/query.ts'
import { reader } from '../kit/db/reader.ts'
import { sql } from '../kit/db/statement.ts'
import { asWorker } from '../kit/db/transaction.ts'
import type { Log } from '../kit/log.ts'
import { startPollLoop } from '../kit/poll-loop.ts'

/** The dependencies of account mail, to owners and members. Messages to debtors are sent elsewhere, under the contact rules. */
export interface AccountMailContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly keyring: Keyring
  readonly email: ChannelAdapter<EmailMessage>
  readonly mailFrom: string
  /** Where the links lead. */
  readonly publicUrl: string
  readonly log: Log
}

const readOwner = sql(
  'account-mail.read-owner',
  `select c.name, c.owner_email, c.language from tenants t join companies c on c.id = t.company_id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<{ name: string; owner_email: string; language: 'fr' | 'en' }>()

async function composeOwnerNotice(
  context: AccountMailContext,
  row: DueNotice & { kind: OwnerNoticeKind },
): Promise<AccountMail | null> {
  const tx = reader(context.pool, asWorker(row.tenant_id))
  const notice = { id: row.id, kind: row.kind, subjectId: row.subject_id, causeId: row.cause_id }
  const [owner] = await tx.rows(readOwner, [])
  const content = owner ? await webhookMailContent(tx, notice, owner) : null
  if (!owner || !content) return null
  return { to: { name: owner.name, address: owner.owner_email }, language: owner.language, content }
}

/** Null when the mail is no longer needed. */
function composeMail(context: AccountMailContext, row: DueNotice): Promise<AccountMail | null> {
  if (row.tenant_id !== null) return composeOwnerNotice(context, row)
  const { pool, clock, keyring, publicUrl } = context
  const mailContext = { query: queryOn(pool), wall: clock.wall(), publicUrl }
  const token = row.secret_sealed && keyring.open(sealPurposeOf(row.id), row.secret_sealed)
  if (row.kind === 'payout_change') return composePayoutMail(mailContext, row.about)
  return row.kind === 'invitation'
    ? composeInvitation(mailContext, row.subject_id, token)
    : composePersonMail(mailContext, row.kind, { personId: row.subject_id, token, since: row.created_at })
}

async function sendNotice(context: AccountMailContext, row: DueNotice): Promise<void> {
  const { pool, clock, email, mailFrom, log } = context
  const mail = await composeMail(context, row)
  if (mail) {
    const from = { name: 'Relance', address: mailFrom }
    const message: EmailMessage = {
      channel: 'email',
      communicationId: row.id,
      code: row.id,
      html: null,
      language: mail.language,
      at: clock.wall(),
      from,
      replyTo: from,
      to: mail.to,
      ...mail.content,
    }
    const result = await email.send(message, { beforeCommit: async () => {} })
    if (result.outcome !== 'accepted')
      log.warn(
        { notice: row.id, kind: row.kind, outcome: result.outcome, reason: result.reason },
        'account mail not accepted',
      )
    // A retryable mail becomes due again by itself. One that was refused for good, or may have arrived, is not repeated.
    if (result.outcome === 'retryable') return
  }
  await finishNotice(queryOn(pool), row.id)
}

/** Sends what is due. True when there is more. */
export async function sendNotices(context: AccountMailContext): Promise<boolean> {
  const { pool, clock, log } = context
  const { due, hasMore } = await takeDueNotices(queryOn(pool), clock.wall())
  for (const row of due)
    await sendNotice(context, row).catch(error =>
      log.warn({ err: error, notice: row.id }, 'account mail failed; it is retried'),
    )
  return hasMore
}

/** Runs in every worker: a notice is taken by one of them, and a slow mail server delays nothing but mail. */
export const startMailLoop = (context: AccountMailContext, pollMs: number): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs,
    log: context.log,
    failure: 'account mail postponed',
    pass: () => sendNotices(context),
  })
