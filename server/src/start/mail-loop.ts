import type { ChannelAdapter, EmailMessage } from '../adapters/channel.ts'
import { composePayoutMail } from '../features/access/companies/payout-mail.ts'
import { readOwners } from '../features/access/owners.ts'
import { composeInvitation, composePersonMail } from '../features/access/people/mails.ts'
import { composeAlertMail } from '../features/integrations/alerts/alert-mail.ts'
import { collectAlerts } from '../features/integrations/alerts/collect-alerts.ts'
import { webhookMailContent } from '../features/integrations/webhooks/owner-mail.ts'
import {
  type DueNotice,
  finishNotice,
  splitByOwner,
  takeDueNotices,
} from '../features/platform/account-mail/due-notices.ts'
import { sealPurposeOf } from '../features/platform/account-mail/enqueue-mail.ts'
import type { AccountMail, OwnerNoticeKind } from '../features/platform/account-mail/enqueue-notice.ts'
import { composeReplyCopy } from '../features/platform/account-mail/reply-copy.ts'
import type { Clock } from '../kit/clock.ts'
import type { Keyring } from '../kit/crypto.ts'
import type { Pool } from '../kit/db/pool.ts'
import { queryOn } from '../kit/db/query.ts'
import { reader } from '../kit/db/reader.ts'
import { sql } from '../kit/db/statement.ts'
import { asWorker } from '../kit/db/transaction.ts'
import { forEachTenant } from '../kit/each-tenant.ts'
import type { Log } from '../kit/log.ts'
import { startPollLoop } from '../kit/poll-loop.ts'
import { uuidv7 } from '../kit/uuid.ts'

/** The dependencies of account mail, to owners and members. Messages to debtors are sent elsewhere, under the contact rules. */
export interface AccountMailContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly keyring: Keyring
  readonly email: ChannelAdapter<EmailMessage>
  readonly mailFrom: string
  /** The base URL of the links. */
  readonly publicUrl: string
  readonly log: Log
}

const readAddressee = sql(
  'account-mail.read-addressee',
  `select c.id as company_id, c.name, c.language, coalesce(p.email, c.owner_email) as address
     from tenants t join companies c on c.id = t.company_id left join people p on p.id = $1
    where t.id = current_setting('relance.tenant')::uuid and ($1::uuid is null or p.id is not null)`,
).as<{ company_id: string; name: string; language: 'fr' | 'en'; address: string }>()

/** Goes to each owner who is a person, as a separate notice; if there is none, to the address the company was opened with. */
async function composeOwnerNotice(
  { pool, clock }: AccountMailContext,
  row: DueNotice & { kind: OwnerNoticeKind },
): Promise<AccountMail | 'split' | null> {
  const tx = reader(pool, asWorker(row.tenant_id))
  const notice = { id: row.id, kind: row.kind, subjectId: row.subject_id, causeId: row.cause_id }
  const ownerId = (row.about as { ownerId: string } | null)?.ownerId ?? null
  const [addressee] = await tx.rows(readAddressee, [ownerId])
  const content = addressee ? await webhookMailContent(tx, notice, addressee) : null
  if (!addressee || !content) return null
  const { company_id, name, language, address } = addressee
  const owners = ownerId === null ? await readOwners(queryOn(pool), company_id) : []
  if (owners.length === 0) return { to: { name, address }, language, content }
  const wall = clock.wall()
  const parts = owners.map(owner => ({ id: uuidv7(wall), ownerId: owner }))
  await splitByOwner(queryOn(pool), row.id, parts, wall)
  return 'split'
}

/** Null when the mail is no longer needed. */
function composeMail(context: AccountMailContext, row: DueNotice): Promise<AccountMail | 'split' | null> {
  if (row.tenant_id !== null) return composeOwnerNotice(context, row)
  const { pool, clock, keyring, publicUrl } = context
  const mailContext = { query: queryOn(pool), wall: clock.wall(), publicUrl }
  const token = row.secret_sealed && keyring.open(sealPurposeOf(row.id), row.secret_sealed)
  if (row.kind === 'alert') return composeAlertMail({ ...mailContext, pool }, token)
  if (row.kind === 'reply_copy') return composeReplyCopy(pool, row.subject_id, token)
  if (row.kind === 'payout_change') return composePayoutMail(mailContext, row.about)
  return row.kind === 'invitation'
    ? composeInvitation(mailContext, row.subject_id, token)
    : composePersonMail(mailContext, row.kind, { personId: row.subject_id, token, since: row.created_at })
}

async function sendNotice(context: AccountMailContext, row: DueNotice): Promise<void> {
  const { pool, clock, email, mailFrom, log } = context
  const mail = await composeMail(context, row)
  if (mail === 'split') return
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
      replyTo: mail.replyTo === undefined ? from : { name: '', address: mail.replyTo },
      to: mail.to,
      ...mail.content,
    }
    const result = await email.send(message, { beforeCommit: async () => {} })
    if (result.outcome !== 'accepted')
      log.warn(
        { notice: row.id, kind: row.kind, outcome: result.outcome, reason: result.reason },
        'account mail not accepted',
      )
    // A mail that was not sent becomes due again. A mail that was refused for good, or may have arrived, is not repeated.
    if (result.outcome === 'retryable' || result.outcome === 'unavailable') return
  }
  await finishNotice(queryOn(pool), row.id)
}

/** Sends what is due. True when there is more. */
export async function sendNotices(context: AccountMailContext): Promise<boolean> {
  const { pool, clock, log } = context
  const { due, hasMore } = await takeDueNotices(queryOn(pool), clock.wall())
  const loop = {
    idsOf: ({ id, tenant_id }: DueNotice) => ({ notice: id, tenantId: tenant_id }),
    failure: 'account mail failed; it is retried',
  }
  await forEachTenant(log, due, loop, row => sendNotice(context, row))
  return hasMore
}

/** Queues mails about events of debtors, providers and time. Separate from sending, so that neither can stop the other. */
export const startAlertLoop = (context: AccountMailContext, pollMs: number): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs,
    log: context.log,
    failure: 'mails about invoices postponed',
    pass: () => collectAlerts(context),
  })

/** Runs in every worker: each notice is taken by one worker, and a slow mail server delays nothing but mail. */
export const startMailLoop = (context: AccountMailContext, pollMs: number): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs,
    log: context.log,
    failure: 'account mail postponed',
    pass: () => sendNotices(context),
  })
