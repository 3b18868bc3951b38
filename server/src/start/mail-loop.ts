import type { ChannelAdapter, EmailMessage } from '../adapters/channel.ts'
import { writeInvitation, writeToPerson } from '../features/access/people/mails.ts'
import { webhookNotice } from '../features/integrations/webhooks/webhook-notice.ts'
import { type DueNotice, finishNotice, takeDueNotices } from '../features/platform/notices/due-notices.ts'
import type { Letter, NoticeKind } from '../features/platform/notices/notice.ts'
import { sealFor } from '../features/platform/notices/plan-mail.ts'
import type { Clock } from '../kit/clock.ts'
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

const readOwner = sql(
  'account-mail.read-owner',
  `select c.name, c.owner_email, c.language from tenants t join companies c on c.id = t.company_id
    where t.id = current_setting('relance.tenant')::uuid`,
).as<{ name: string; owner_email: string; language: 'fr' | 'en' }>()

async function writeToOwner(
  notifier: Notifier,
  row: DueNotice & { kind: NoticeKind },
): Promise<Letter | null> {
  const tx = reader(notifier.pool, asWorker(row.tenant_id))
  const notice = { id: row.id, kind: row.kind, subjectId: row.subject_id, causeId: row.cause_id }
  const [owner] = await tx.rows(readOwner, [])
  const words = owner ? await webhookNotice(tx, notice, owner) : null
  if (!owner || !words) return null
  return { to: { name: owner.name, address: owner.owner_email }, language: owner.language, words }
}

/** Null when there is nothing left to tell. */
function compose(notifier: Notifier, row: DueNotice): Promise<Letter | null> {
  if (row.kind === 'webhook_failing' || row.kind === 'webhook_disabled') return writeToOwner(notifier, row)
  const { pool, clock, keyring, publicUrl } = notifier
  const desk = { ask: asking(pool), wall: clock.wall(), publicUrl }
  const token = row.secret_sealed && keyring.open(sealFor(row.id), row.secret_sealed)
  return row.kind === 'invitation'
    ? writeInvitation(desk, row.subject_id, token)
    : writeToPerson(desk, row.kind, { personId: row.subject_id, token, since: row.created_at })
}

async function send(notifier: Notifier, row: DueNotice): Promise<void> {
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
  await finishNotice(asking(pool), row.id)
}

/** Sends what is due. True when there is more. */
export async function sendNotices(notifier: Notifier): Promise<boolean> {
  const { pool, clock, log } = notifier
  const { due, hasMore } = await takeDueNotices(asking(pool), clock.wall())
  for (const row of due)
    await send(notifier, row).catch(error => log.warn({ err: error, notice: row.id }, 'notice postponed'))
  return hasMore
}

/** Runs in every worker: a notice is taken by one of them, and a slow mail server delays nothing but mail. */
export function startMailLoop(notifier: Notifier, pollMs: number): { stop(): Promise<void> } {
  let isStopping = false
  let wake = () => {}
  const pause = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, pollMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function run(): Promise<void> {
    while (!isStopping) {
      const hasMore = await sendNotices(notifier).catch(error => {
        notifier.log.warn({ err: error }, 'account mail postponed')
        return false
      })
      if (!hasMore && !isStopping) await pause()
    }
  }
  const running = run()
  return {
    async stop() {
      isStopping = true
      wake()
      await running
    },
  }
}
