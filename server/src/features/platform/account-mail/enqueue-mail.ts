import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { CompanyMailKind, MailKind } from './enqueue-notice.ts'

const insertMail = sql(
  'account-mail.insert-account-mail',
  `insert into account_mails (id, kind, subject_id, secret_sealed, due_at, created_at) values ($1, $2, $3, $4, $5, $5)`,
)

export interface QueuedMail {
  id: string
  kind: MailKind
  /** The person; for an invitation, the invitation. */
  subjectId: string
  /** The token in the link of the mail; null for a mail without a link. */
  token: string | null
  keyring: Keyring
  wall: number
}

/** The token is sealed for this mail: it cannot be opened for another notice. */
export const sealPurposeOf = (noticeId: string): string => `notice ${noticeId}`

/** Queues a mail to a person, in the transaction of the change it is about. */
export const enqueueMail = (query: Query, mail: QueuedMail): Promise<unknown> =>
  query(insertMail, [
    mail.id,
    mail.kind,
    mail.subjectId,
    mail.token === null ? null : mail.keyring.seal(sealPurposeOf(mail.id), mail.token),
    iso(mail.wall),
  ])

const insertCompanyMail = sql(
  'account-mail.insert-company-mail',
  `insert into account_mails (id, kind, subject_id, about, due_at, created_at) values ($1, $2, $3, $4, $5, $5)`,
)

export interface CompanyMail {
  id: string
  kind: CompanyMailKind
  /** The owner it goes to; the company, if it has no owner with an account. */
  subjectId: string
  /** The content: ids and masked values, nothing that a stranger may not read. */
  about: object
  wall: number
}

/** Queues a mail to an owner, in the transaction of the change it is about. */
export const enqueueCompanyMail = (query: Query, mail: CompanyMail): Promise<unknown> =>
  query(insertCompanyMail, [mail.id, mail.kind, mail.subjectId, JSON.stringify(mail.about), iso(mail.wall)])
