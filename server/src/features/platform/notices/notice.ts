import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** What the owner of a company is told. */
export type NoticeKind = 'webhook_failing' | 'webhook_disabled'
/** What somebody is sent because they asked for it, somebody invited them, or how they sign in was changed. */
export type MailKind =
  | 'verify_email'
  | 'reset_password'
  | 'invitation'
  | 'account_exists'
  | 'passkey_added'
  | 'password_changed'

export interface Notice {
  id: string
  kind: NoticeKind
  subjectId: string
  /** What brought it about. */
  causeId: string | null
}

export interface Words {
  subject: string
  text: string
}

/** A mail as it will be sent; its words are made only then. */
export interface Letter {
  to: { name: string; address: string }
  language: 'fr' | 'en'
  words: Words
}

const plan = sql(
  'notices.insert',
  `insert into notices (id, tenant_id, kind, subject_id, cause_id, due_at, created_at)
   values ($1, current_setting('relance.tenant')::uuid, $2, $3, $4, $5, $5)`,
)

/** An owner will be told by mail: written with what there is to tell, in its transaction. */
export const planNotice = (tx: Tx, notice: Notice & { wall: number }): void =>
  tx.atCommit(plan, [notice.id, notice.kind, notice.subjectId, notice.causeId, iso(notice.wall)])
