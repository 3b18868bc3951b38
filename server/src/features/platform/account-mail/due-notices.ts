import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { CompanyMailKind, MailKind, OwnerNoticeKind } from './enqueue-notice.ts'

export type DueNotice = {
  id: string
  subject_id: string
  cause_id: string | null
  secret_sealed: string | null
  about: unknown
  created_at: number
} & ({ kind: OwnerNoticeKind; tenant_id: string } | { kind: MailKind | CompanyMailKind; tenant_id: null })

const batch = 20

// Taking a notice moves it to a later moment. If this process dies, the notice is due again: two mails are better than none.
const takeDue = sql(
  'account-mail.take-due',
  `update account_mails n set attempts = n.attempts + 1,
          due_at = $1::timestamptz + power(2, least(n.attempts, 7)) * interval '1 minute'
     from (select id from account_mails where due_at <= $1 order by due_at limit ${batch} for update skip locked) due
    where n.id = due.id returning n.id, n.tenant_id, n.kind, n.subject_id, n.cause_id, n.secret_sealed, n.about, n.created_at`,
).as<DueNotice>()
const splitNotice = sql(
  'account-mail.split',
  `with whole as (delete from account_mails where id = $1 returning tenant_id, kind, subject_id, cause_id, created_at)
   insert into account_mails (id, tenant_id, kind, subject_id, cause_id, about, due_at, created_at)
   select part.id, w.tenant_id, w.kind, w.subject_id, w.cause_id, jsonb_build_object('ownerId', part.owner), $4, w.created_at
     from whole w cross join unnest($2::uuid[], $3::uuid[]) part (id, owner)`,
)
const deleteNotice = sql('account-mail.delete', 'delete from account_mails where id = $1')

export async function takeDueNotices(
  query: Query,
  wall: number,
): Promise<{ due: readonly DueNotice[]; hasMore: boolean }> {
  const due = await query(takeDue, [iso(wall)])
  return { due, hasMore: due.length === batch }
}

export const finishNotice = (query: Query, id: string): Promise<unknown> => query(deleteNotice, [id])

/** Replaces the notice to all owners by one to each of these owners, so that each mail is retried separately. */
export const splitByOwner = (
  query: Query,
  noticeId: string,
  parts: readonly { id: string; ownerId: string }[],
  wall: number,
): Promise<unknown> =>
  query(splitNotice, [noticeId, parts.map(part => part.id), parts.map(part => part.ownerId), iso(wall)])
