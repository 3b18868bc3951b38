import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { MailKind } from './notice.ts'

const plan = sql(
  'notices.insert-account-mail',
  `insert into notices (id, kind, subject_id, secret_sealed, due_at, created_at) values ($1, $2, $3, $4, $5, $5)`,
)

export interface PlannedMail {
  id: string
  kind: MailKind
  /** The person; of an invitation, the invitation. */
  subjectId: string
  /** What the link in the mail is known by; null for a mail without one. */
  token: string | null
  keyring: Keyring
  wall: number
}

/** Sealed for this very mail: moved to another notice, it does not open. */
export const sealFor = (noticeId: string): string => `notice ${noticeId}`

/** Somebody will get a mail: written in the transaction of what it tells. */
export const planMail = (ask: Ask, mail: PlannedMail): Promise<unknown> =>
  ask(plan, [
    mail.id,
    mail.kind,
    mail.subjectId,
    mail.token === null ? null : mail.keyring.seal(sealFor(mail.id), mail.token),
    iso(mail.wall),
  ])
