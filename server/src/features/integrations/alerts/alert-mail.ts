import { cents, formatMoney } from '../../../domain/money/money.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { reader } from '../../../kit/db/reader.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker } from '../../../kit/db/transaction.ts'
import { safeName } from '../../access/people/mails.ts'
import type { AccountMail } from '../../platform/account-mail/enqueue-notice.ts'
import { unsilencedEvents } from '../../platform/events/alerts.ts'
import { nextPersonSql } from './alert-items.ts'
import { type AlertFacts, alertTexts, kindOf } from './alert-texts.ts'

interface LinkRow {
  tenant_id: string
  kind: string
  event_ids: string[]
  total: number
  language: 'fr' | 'en'
  address: string
}

// No row if the person does not receive alerts any more.
const selectLink = sql(
  'alerts.get-mail-recipient',
  `select l.tenant_id, l.kind, l.event_ids, l.total, coalesce(p.language, c.language) as language,
          coalesce(p.email, c.owner_email) as address
     from alert_links l
     cross join lateral (select company_id from tenants where id = l.tenant_id offset 0) t
     cross join lateral (select * from companies where id = t.company_id offset 0) c
     left join people p on p.id = l.person_id
    where l.token_hash = $1 and l.expires_at > $2
      and receives_alerts(t.company_id, l.person_id, l.kind)`,
).as<LinkRow>()
const selectEvents = sql(
  'alerts.list-mailed-events',
  `select e.data, i.number, i.currency, i.amount_cents - i.paid_cents - i.credited_cents as balance_cents, d.name,
          ${nextPersonSql} as next_person
     from events e join invoices i on i.id = e.subject_id join debtors d on d.id = i.debtor_id
    where e.id = any ($1::uuid[]) order by e.id`,
).as<{
  data: Record<string, unknown>
  number: string
  currency: string
  balance_cents: number
  name: string
  next_person: string | null
}>()

/** Null when the link is dead, or its events are gone. */
export async function composeAlertMail(
  { pool, wall, publicUrl }: { pool: Pool; wall: number; publicUrl: string },
  token: string | null,
): Promise<AccountMail | null> {
  if (token === null) return null
  const [link] = await queryOn(pool)(selectLink, [plainSha256(token), iso(wall)])
  if (!link) return null
  const { language, kind, total, address } = link
  const texts = alertTexts[language]
  const rows = await reader(pool, asWorker(link.tenant_id)).rows(selectEvents, [link.event_ids])
  const { name, channel } = kindOf(kind)
  if (rows.length === 0 && name !== 'provider_away') return null
  const facts = rows.map(
    (row): AlertFacts => ({
      // A name that a mail program would turn into a link is left out.
      debtor: safeName(row.name) ?? texts.somebody,
      invoice: safeName(row.number) ?? '…',
      balance: formatMoney(cents(row.balance_cents), row.currency, language),
      data: row.data,
      nextPerson: row.next_person === null ? null : safeName(row.next_person),
    }),
  )
  const text = texts.kinds[name]
  const [first] = facts
  const subject = first && total === 1 ? text.one(first) : text.many(total, channel)
  const lines = facts.map(one => `- ${text.line(one)}`)
  const rest = total - facts.length
  const url = `${publicUrl}/alerts?token=${token}&lang=${language}`
  const content = [
    ...(name === 'provider_away' ? [text.many(total, channel)] : lines),
    ...(rest > 0 && facts.length > 0 ? [`- ${texts.more(rest)}`] : []),
    '',
    text.next,
    '',
    texts.link,
    url,
    '',
    unsilencedEvents.includes(name) ? texts.footerAlways : texts.footer,
  ]
  return { to: { name: '', address }, language, content: { subject, text: `${content.join('\n')}\n` } }
}
