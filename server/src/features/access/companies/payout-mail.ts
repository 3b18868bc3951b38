import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef, NewEvent } from '../../../kit/events.ts'
import { enqueueCompanyMail } from '../../platform/account-mail/enqueue-mail.ts'
import type { AccountMail } from '../../platform/account-mail/enqueue-notice.ts'
import { readOwners } from '../owners.ts'
import type { TenantRef } from './lock-settings.ts'
import { type PayoutNews, payoutMailContent } from './payout-mail-texts.ts'

/** What is stored with the notice. */
interface PayoutNotice {
  companyId: string
  /** Null: to the address the company was opened with, in case one owner has removed all others. */
  ownerId: string | null
  /** All owners who are written to. */
  ownerIds: string[]
  by: Pick<ActorRef, 'kind' | 'id'>
  news: PayoutNews[]
}

const toPayoutNews = ({ type, data }: NewEvent): PayoutNews => {
  const { field, from, to, effectiveAt } = data as PayoutNews
  const what = type.replace('company.payout_', '') as PayoutNews['what']
  return { what, field, from, to, ...(effectiveAt !== undefined && { effectiveAt }) }
}

/** Queues a mail to each owner about what happened in this transaction. */
export async function enqueuePayoutMails(
  { tx, actor, wall, newId }: { tx: Tx; actor: ActorRef & TenantRef; wall: number; newId: () => string },
  events: readonly NewEvent[],
): Promise<void> {
  const { companyId, kind, id } = actor
  const ownerIds = await readOwners(tx.rows, companyId)
  const by = { kind, id }
  const news = events.map(toPayoutNews)
  for (const ownerId of [...ownerIds, null]) {
    const about: PayoutNotice = { companyId, ownerId, ownerIds, by, news }
    await enqueueCompanyMail(tx.rows, {
      id: newId(),
      kind: 'payout_change',
      subjectId: ownerId ?? companyId,
      about,
      wall,
    })
  }
}

const selectRecipient = sql(
  'companies.get-payout-recipient',
  `select c.name, c.language, c.time_zone, coalesce(p.email, c.owner_email) as address, actor.email as actor_email
     from companies c
     left join people p on p.id = $2
     left join people actor on actor.id = $3
    where c.id = $1 and case when $2::uuid is not null then p.id is not null
      else not exists (select from people o where o.id = any ($4) and lower(o.email) = lower(c.owner_email)) end`,
).as<{
  name: string
  language: 'fr' | 'en'
  time_zone: string
  address: string
  actor_email: string | null
}>()

/** Null if the company or the owner no longer exists, or if the company address already gets the mail of an owner. */
export async function composePayoutMail(
  { query, publicUrl }: { query: Query; publicUrl: string },
  about: unknown,
): Promise<AccountMail | null> {
  const { companyId, ownerId, ownerIds, by, news } = about as PayoutNotice
  const actorId = by.kind === 'person' ? by.id : null
  const [found] = await query(selectRecipient, [companyId, ownerId, actorId, ownerIds])
  if (!found) return null
  const content = payoutMailContent(found.language, {
    by: { kind: by.kind, email: found.actor_email },
    news,
    timeZone: found.time_zone,
    link: `${publicUrl}/account/company?company=${companyId}`,
  })
  return { to: { name: '', address: found.address }, language: found.language, content }
}
