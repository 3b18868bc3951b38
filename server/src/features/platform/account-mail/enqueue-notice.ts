import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** Mails to the owners of a company, about its webhooks. */
export type OwnerNoticeKind = 'webhook_failing' | 'webhook_redirecting' | 'webhook_disabled' | 'webhook_ended'
/** Mails to each owner who is a person, about owners and keys. */
export type OwnerMailKind = 'owner_added' | 'owner_removed' | 'key_created' | 'keys_remain'
/** Mails to a person: requested by them, an invitation, or a change of how they sign in. */
export type MailKind =
  | 'verify_email'
  | 'reset_password'
  | 'invitation'
  | 'account_exists'
  | 'passkey_added'
  | 'password_changed'
  | 'access_granted'
  | OwnerMailKind
  | 'alert'
  | 'reply_copy'

/** Mails to every owner of a company; their content is stored with them. */
export type CompanyMailKind = 'payout_change'

export interface OwnerNotice {
  id: string
  kind: OwnerNoticeKind
  subjectId: string
  /** The event that caused it. */
  causeId: string | null
}

export interface MailContent {
  subject: string
  text: string
}

/** A mail as it is sent; its content is written when it is sent, not when it is queued. */
export interface AccountMail {
  to: { name: string; address: string }
  language: 'fr' | 'en'
  content: MailContent
  /** The address for replies; ours if it is not set. */
  replyTo?: string
}

const insertNotice = sql(
  'account-mail.insert',
  `insert into account_mails (id, tenant_id, kind, subject_id, cause_id, due_at, created_at)
   values ($1, current_setting('relance.tenant')::uuid, $2, $3, $4, $5, $5)`,
)

/** Queues a mail to all owners, in the transaction of the change it is about. */
export const enqueueNotice = (tx: Tx, notice: OwnerNotice & { wall: number }): void =>
  tx.atCommit(insertNotice, [notice.id, notice.kind, notice.subjectId, notice.causeId, iso(notice.wall)])
